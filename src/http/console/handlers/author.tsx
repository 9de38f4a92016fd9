import { stateOf } from "../../../domain/api-key.ts"
import { secondsBefore } from "../../../domain/date-arithmetic.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { findNote } from "../../../operations/keep-note.ts"
import { secretShownSeconds } from "../../../operations/show-key.ts"
import { authorsPath } from "../author-paths.ts"
import { type ConsoleApp, type ConsoleContext, viewAfter, visitorOf } from "../console-context.ts"
import { AuthorPage, type MadeLink } from "../pages/author-page.tsx"
import type { ConsoleServices } from "../services.ts"

const eventsShown = 10

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
    const keys = await store.keys.list(author.id)
    const uses = await store.usage.listLastUses(keys.map((key) => key.id))
    const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
    const at = formatTimestamp(now())
    return c.html(
      <AuthorPage
        view={viewAfter(c)}
        author={author}
        link={await findLink(c, author.id)}
        keys={keys.map((key) => ({
          ...{ key, state: stateOf(key, at), lastUsedAt: lastUses.get(key.id) ?? null },
        }))}
        events={await store.audit.list({ accountId: author.id, kind: null }, null, eventsShown)}
      />,
    )
  })
}
