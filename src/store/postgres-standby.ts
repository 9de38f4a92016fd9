/**
 * API reads with several hosts in DATABASE_URL. While no host is writable, rows are read from a hot standby. A standby
 * may lack the latest rows, so a missing row is an error instead of "not found".
 */
import type { ApiKeyStore } from "../keys/key.ts"
import { type Database, isContention } from "../platform/database/postgres.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { withTimeout } from "../platform/timers.ts"
import type { StoredCatalog } from "../purchases/test-catalog.ts"
import type { SigningKeyStore } from "../signing/signing-key.ts"

type ApiReads = StoredCatalog &
  Readonly<{
    keys: Pick<ApiKeyStore, "findByLookup">
    signingKeys: Pick<SigningKeyStore, "list">
    /** Throws StoreUnavailable if the database cannot be read. */
    probe(): Promise<void>
  }>

export type Reading = Readonly<{
  reads: ApiReads
  /** True from a failed read until a writable host is found. */
  isLost(): boolean
  close(): Promise<void>
}>

const findEveryMs = 250
/** Leaves time to ask the standby before the request ends. */
const primaryMsMax = 1_000

type Source = Readonly<{ db: Database; reads: ApiReads }>

export function readFromStandby(primary: Source, standby: Source): Reading {
  let isLost = false
  let isClosed = false
  let isStandbyFound: Promise<boolean>

  async function findPrimary(): Promise<void> {
    isLost = true
    isStandbyFound = standby.db.hosts.find()
    while (!isClosed && !(await primary.db.hosts.find())) await Bun.sleep(findEveryMs)
    isLost = false
  }
  async function read<T>(
    query: (reads: ApiReads) => Promise<T>,
    isMissing: (found: T) => boolean = (found) => found === null,
  ): Promise<T> {
    if (!isLost) {
      try {
        return await withTimeout(query(primary.reads), primaryMsMax, () => {
          throw new StoreUnavailable("the primary does not respond")
        })
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || isContention(error.cause)) throw error
        if (!isLost) void findPrimary()
      }
    }
    await isStandbyFound
    const found = await query(standby.reads)
    if (isMissing(found)) {
      throw new StoreUnavailable("no host is writable, and the standby does not have this row")
    }
    return found
  }
  const reads: ApiReads = {
    accounts: { find: (id) => read(({ accounts }) => accounts.find(id)) },
    items: {
      find: (accountId, id) => read(({ items }) => items.find(accountId, id)),
      // `findList` returns pages of the host that its version was read from.
      findList: (accountId) => read(({ items }) => items.findList(accountId)),
    },
    purchases: {
      listByCode: (...lookup) =>
        read(
          ({ purchases }) => purchases.listByCode(...lookup),
          (found) => found.length === 0,
        ),
      hasMovedFrom: (key, code) => read(({ purchases }) => purchases.hasMovedFrom(key, code)),
    },
    keys: { findByLookup: (...lookups) => read(({ keys }) => keys.findByLookup(...lookups)) },
    signingKeys: { list: () => read(({ signingKeys }) => signingKeys.list()) },
    probe: () => read(({ probe }) => probe()),
  }
  return {
    reads,
    isLost: () => isLost,
    close() {
      isClosed = true
      return standby.db.close()
    },
  }
}
