/**
 * Copies of the primary that answer reads. A replica that cannot be reached, or lacks more than the
 * last second, is skipped until a heartbeat, sent four times a second, finds it healthy again.
 */
import type { StoredCatalogue } from "../../../domain/catalogue/purchase.ts"
import type { ApiKeyStore } from "../../../domain/keys/api-key.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import type { PoolMeasures } from "../../../domain/usage/measures.ts"
import type { Awaitable } from "../../../domain/values/work-queue.ts"
import { postgresAccounts } from "../catalogue/accounts.ts"
import { postgresApiKeys } from "../catalogue/api-keys.ts"
import { postgresItems } from "../catalogue/items.ts"
import { postgresPurchases } from "../catalogue/purchases.ts"
import { connect, type Database } from "../connection/database.ts"
import {
  heartbeatPool,
  type RunningHeartbeat,
  type ServerState,
  serverState,
  startHeartbeat,
} from "./heartbeat.ts"
import type { PrimaryHeartbeat } from "./primary-heartbeat.ts"

export type Replica = StoredCatalogue & Readonly<{ keys: Pick<ApiKeyStore, "findByLookup"> }>

type AskReplica = <T>(question: (replica: Replica) => Awaitable<T>) => Promise<T | null>

export type Replicas = Readonly<{
  /** Asks the next healthy replica; null when none answers. */
  ask: AskReplica
  /** After the primary did not answer: also a replica that was healthy when the primary last answered. */
  askInstead: AskReplica
  /** Asks a promoted replica, which is the primary. Its connections stay, while those to the primary have to be made. */
  askPromoted: AskReplica
  isAnyHealthy(): boolean
  /** For each replica, the seconds since it was last known to have everything. */
  lagSeconds(): readonly number[]
  /** All pools together. */
  measure(): PoolMeasures
  close(): Promise<void>
}>

/** Shorter than those of the primary: another replica can answer instead of a slow one. */
const replicaTimeouts = { statementMsMax: 800, queryMsMax: 1_000 }
/** A request must be answered in 2.5 s, and each replica that fails takes up to one second of it. */
const triesMax = 2
/** With the time a beat takes, a replica in use is at most a second behind. */
const lagMsMax = 900

type Watched = ReturnType<typeof watchReplica>

export function openReplicas(
  urls: readonly string[],
  connectionsMax: number,
  heartbeat: PrimaryHeartbeat,
): Replicas {
  const options = { ...replicaTimeouts, connectionsMax }
  const replicas = urls.map((url) => watchReplica(connect(url, options), url, heartbeat))
  let turn = 0

  function next(isUsable: (watched: Watched) => boolean): Watched | null {
    for (let step = 0; step < replicas.length; step++) {
      turn = (turn + 1) % replicas.length
      const watched = replicas[turn]
      if (watched !== undefined && isUsable(watched)) return watched
    }
    return null
  }
  const askAny =
    (isUsable: (watched: Watched) => boolean): AskReplica =>
    async (question) => {
      for (let tries = 0; tries < triesMax; tries++) {
        const watched = next(isUsable)
        if (watched === null) return null
        try {
          return await question(watched.replica)
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error
        }
      }
      return null
    }
  return {
    ask: askAny((watched) => watched.isHealthy()),
    askInstead: askAny((watched) => watched.wasHealthy()),
    askPromoted: askAny((watched) => watched.isPrimary()),
    isAnyHealthy: () => replicas.some((watched) => watched.isHealthy()),
    lagSeconds: () => replicas.map((watched) => watched.lagMs() / 1000),
    measure: () => replicas.map((watched) => watched.measure()).reduce(addMeasures, noConnections),
    async close() {
      await Promise.all(replicas.map((watched) => watched.close()))
    },
  }
}

const noConnections: PoolMeasures = { inUse: 0, waiting: 0, waitMs: 0, max: 0 }

const addMeasures = (one: PoolMeasures, other: PoolMeasures): PoolMeasures => ({
  inUse: one.inUse + other.inUse,
  waiting: one.waiting + other.waiting,
  waitMs: Math.max(one.waitMs, other.waitMs),
  max: one.max + other.max,
})

function watchReplica(db: Database, url: string, heartbeat: PrimaryHeartbeat) {
  const beats = connect(url, heartbeatPool)
  let state: ServerState | null = null
  let lastState: ServerState | null = null
  let completeAtMs = performance.now()
  async function beat(): Promise<void> {
    const [answer] = await beats.read<ServerState>(`SELECT ${serverState}`)
    state = answer ?? null
    lastState = state ?? lastState
    if (state !== null && !isStray(state)) {
      completeAtMs = heartbeat.findCompleteMs(state.position) ?? completeAtMs
    }
  }
  /** Promoted while the primary is alive: its data is no longer a copy of the primary. */
  const isStray = (found: ServerState) =>
    !found.isStandby && !heartbeat.isLost() && !heartbeat.isSameServer(found)
  /** At the position that the replica had at its last beat. A promoted one has everything. */
  function isFresh(found: ServerState, untilMs: number): boolean {
    if (heartbeat.isSameServer(found)) return true
    const completeMs = heartbeat.findCompleteMs(found.position)
    return completeMs !== null && untilMs - completeMs < lagMsMax
  }
  const running: RunningHeartbeat = startHeartbeat(beat, () => {
    state = null
  })

  return {
    replica: {
      accounts: postgresAccounts(db),
      items: postgresItems(db),
      purchases: postgresPurchases(db),
      keys: postgresApiKeys(db),
    },
    isHealthy: () => state !== null && !isStray(state) && isFresh(state, heartbeat.knownUntilMs()),
    wasHealthy: () =>
      lastState !== null && !isStray(lastState) && isFresh(lastState, heartbeat.heardAtMs()),
    isPrimary: () => lastState !== null && heartbeat.isSameServer(lastState),
    lagMs: () => Math.max(0, heartbeat.knownUntilMs() - completeAtMs),
    measure: db.measure,
    async close() {
      await running.stop()
      await Promise.all([db.close(), beats.close()])
    },
  }
}

/**
 * Reads the catalogue from replicas, and asks the primary for rows that a replica lacks. A row on a
 * replica is at most a second old; a row that it lacks may have been added since.
 */
export function readFromReplicas(
  primary: StoredCatalogue,
  replicas: Replicas,
  heartbeat: PrimaryHeartbeat,
): StoredCatalogue {
  async function ask<T>(
    question: (source: StoredCatalogue) => Awaitable<T>,
    isMiss: (answer: T) => boolean,
  ) {
    const answer = await replicas.ask<T>((replica: Replica) => question(replica))
    if (answer !== null && !isMiss(answer)) return answer
    // Fail at once: waiting for a lost primary would only delay the same answer.
    if (heartbeat.isLost() && replicas.isAnyHealthy()) {
      throw new StoreUnavailable("no replica has it, and the primary cannot be asked")
    }
    try {
      return await question(primary)
    } catch (error) {
      const mayAskAgain = answer === null && error instanceof StoreUnavailable
      const copy = mayAskAgain ? await replicas.askInstead(question) : null
      if (copy === null || isMiss(copy)) throw error
      return copy
    }
  }
  const isNull = (answer: unknown) => answer === null
  return {
    accounts: { find: (id) => ask(({ accounts }) => accounts.find(id), isNull) },
    items: {
      find: (accountId, id) => ask(({ items }) => items.find(accountId, id), isNull),
      // The pages come from the same server as the version.
      findList: (accountId) => ask(({ items }) => items.findList(accountId), isNull),
    },
    purchases: {
      listByCode: (accountId, code, site) =>
        ask(
          ({ purchases }) => purchases.listByCode(accountId, code, site),
          (found) => found.length === 0,
        ),
    },
  }
}
