/** Every path that is not for programs: the workspace of authors and the console of operators. */
import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import { checkClock } from "../doctor/check-clock.ts"
import { checkMachine, readDisk } from "../doctor/check-machine.ts"
import { listDoubts } from "../doctor/check-settings.ts"
import { checkWaiting } from "../doctor/check-store.ts"
import { isOverdue } from "../domain/feed/pull.ts"
import { nodeGoneSeconds } from "../domain/running/node.ts"
import { lastBackupMark, type Store } from "../domain/store.ts"
import { secondsBefore } from "../domain/values/time/date-arithmetic.ts"
import { createConsole } from "../http/console/console.tsx"
import type { ConsoleServices, ConsoleStatus } from "../http/console/frame/services.ts"
import type { Pages } from "../http/pages/app/page-app.ts"
import { pathOf } from "../http/request/request-target.ts"
import type { WorkspaceServices } from "../http/workspace/frame/services.ts"
import { createWorkspace } from "../http/workspace/workspace.tsx"
import type { Log } from "../log/log.ts"
import type { MasterKey } from "../secrets/keys/key-vault.ts"
import { createNoteVault } from "../secrets/sign-in/note-vault.ts"
import { createPasswordHasher } from "../secrets/sign-in/password-hasher.ts"
import { createSecondFactorVault } from "../secrets/sign-in/second-factor-vault.ts"
import { tokens } from "../secrets/sign-in/tokens.ts"
import { createCodeThrottle } from "../sign-in-throttles/code-throttle.ts"
import { createSignInThrottle } from "../sign-in-throttles/sign-in-throttle.ts"
import { describeStore } from "../store/open.ts"
import type { Counter } from "../usage/counter.ts"
import type { App } from "./app.ts"

type PageParts = Readonly<{
  config: Config
  app: App
  master: MasterKey
  /** Where the server listens; links begin with it where no public address is set. */
  url: string
  wallClock: () => Date
  log: Log
  countSignIn: Counter["countSignIn"]
}>

export function createPages(parts: PageParts): Pages {
  const workspace = createWorkspace(workspaceServices(parts))
  const console = createConsole(consoleServices(parts), workspace)
  return {
    fetch(request, visit) {
      const isConsole = /^\/console(?:\/|$)/.test(pathOf(request.url))
      return (isConsole ? console : workspace).fetch(request, visit)
    },
  }
}

function workspaceServices(parts: PageParts): WorkspaceServices {
  const { config, app, log, countSignIn } = parts
  const failures = app.store.signInFailures
  return {
    ...sharedServices(parts),
    onSignIn(outcome, username, network) {
      countSignIn(outcome, username)
      log.info("sign-in", { outcome, network, ...(username !== null && { username }) })
    },
    throttle: createSignInThrottle({ failures, digest: tokens.digest, now: app.now }),
    pictures: config.pictures,
  }
}

function consoleServices(parts: PageParts): ConsoleServices {
  const { config, app, master, wallClock, log } = parts
  const counting = {
    failures: app.store.signInFailures,
    now: app.now,
    digest: (text: string) => tokens.digest(`operator ${text}`),
  }
  return {
    ...sharedServices(parts),
    onSignIn: (outcome, operator, network) =>
      log.info("operator sign-in", { outcome, network, ...(operator !== null && { operator }) }),
    throttle: createSignInThrottle(counting),
    codeThrottle: createCodeThrottle(counting),
    wallClock,
    secondFactorVault: createSecondFactorVault(master),
    isSecondFactorRequired: config.isOperatorTotpRequired,
    readStatus: () => readConsoleStatus(config, app.store, wallClock),
    settings: config.settings,
  }
}

function sharedServices({ config, app, master, url }: PageParts) {
  const { siteLocale, siteName, supportUrl, signInUrl, publicUrl } = config
  const { store, vault, now, keyServices } = app
  return {
    store,
    vault,
    tokens,
    now,
    keyServices,
    siteLocale,
    site: { name: siteName, supportUrl, signInUrl },
    noteVault: createNoteVault(master),
    // Each has a queue of its own: however many authors sign in, operators need not wait for them.
    hasher: createPasswordHasher(config.passwordCost),
    publicUrl: publicUrl ?? url,
    publicHost: publicUrl === null ? null : new URL(publicUrl).hostname,
  }
}

/** The facts of the console's status page. All of it is quick enough for a page. `wallClock`, because the heartbeats of nodes have its time. */
export async function readConsoleStatus(
  config: Config,
  store: Store,
  wallClock: () => Date,
): Promise<ConsoleStatus> {
  const now = wallClock()
  const [lastImport = null] = await store.feed.listRuns(1)
  const pulls = await store.pulls.list()
  const findings = [
    ...listDoubts(config),
    ...checkMachine(config),
    ...(await checkClock(store.checks, now)),
    ...(await checkWaiting(store.feed, now)),
  ]
  return {
    version,
    store: {
      kind: config.store.kind,
      place: describeStore(config.store),
      schema: store.schemaVersion,
    },
    isReady: await store.probe().then(
      () => true,
      () => false,
    ),
    nodes: await store.nodes.list(secondsBefore(now, nodeGoneSeconds)),
    replicaLagSeconds: store.measure().replicaLagSeconds,
    disk: readDisk(config),
    lastImport,
    pulls: pulls.map((pull) => ({ ...pull, isOverdue: isOverdue(pull, now.getTime()) })),
    waiting: await store.feed.readWaiting(0),
    lastBackupAt: await store.metadata.find(lastBackupMark),
    warnings: findings.flatMap(({ check, level, detail, hint }) =>
      level === "ok" ? [] : [{ check, level, detail, hint }],
    ),
  }
}
