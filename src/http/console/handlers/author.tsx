import { isLive, liveKeysMax, stateOf } from "../../../domain/keys/api-key.ts"
import { secondsBefore } from "../../../domain/values/time/date-arithmetic.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { secretShownSeconds } from "../../../operations/keys/show-key.ts"
import { findNote } from "../../../operations/sign-in/keep-note.ts"
import {
  type ConsoleApp,
  type ConsoleContext,
  viewAfter,
  visitorOf,
} from "../frame/console-context.ts"
import { authorsPath } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { AuthorPage, type MadeLink } from "../pages/author-page.tsx"

const eventsShown = 10
/** As many as can be active. Ended ones are kept for ever. */
const keysShown = liveKeysMax

/** The note that holds the link which was last made for this author. */
export const linkNoteOf = (c: ConsoleContext, accountId: number) =>
  ({ sessionId: visitorOf(c).session.id, kind: "link", id: String(accountId) }) as const

export const idOf = (c: ConsoleContext): number | null => {
  const id = c.req.param("id") ?? ""
  return /^[1-9]\d{0,9}$/.test(id) && Number(id) <= idMax ? Number(id) : null
}

/** PostgreSQL refuses a larger number where it compares an id. */
const idMax = 2 ** 31 - 1

export function addAuthorRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { store, now } = services
  const notes = { ...services, sessionNotes: store.operatorSignIn.sessionNotes }

  async function findLink(c: ConsoleContext, accountId: number): Promise<MadeLink | null> {
    const note = await findNote(notes, linkNoteOf(c, accountId))
    const isShown = note !== null && note.at >= secondsBefore(now(), secretShownSeconds)
    return isShown ? JSON.parse(note.text) : null
  }

  app.get(`${authorsPath}/:id`, async (c) => {
    const id = idOf(c)
    const author = id === null ? null : await store.authorSearch.find(id)
    if (author === null) return c.notFound()
    const at = formatTimestamp(now())
    const all = (await store.keys.list(author.id)).map((key) => ({ key, state: stateOf(key, at) }))
    // Those that work first, and the newest first.
    const [live, ended] = [true, false].map((isWanted) =>
      all.filter(({ state }) => isLive(state) === isWanted).toReversed(),
    )
    const shown = [...(live ?? []), ...(ended ?? [])].slice(0, keysShown)
    const uses = await store.usage.listLastUses(shown.map(({ key }) => key.id))
    const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
    return c.html(
      <AuthorPage
        view={viewAfter(c)}
        author={author}
        suspension={await store.operatorReads.findSuspension(author.id)}
        link={await findLink(c, author.id)}
        keys={shown.map((each) => ({ ...each, lastUsedAt: lastUses.get(each.key.id) ?? null }))}
        otherKeys={all.length - shown.length}
        events={await store.audit.list({ accountId: author.id, kind: null }, null, eventsShown)}
      />,
    )
  })
}
