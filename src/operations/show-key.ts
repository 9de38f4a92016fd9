import type { StoredKey } from "../domain/api-key.ts"
import { secondsBefore } from "../domain/date-arithmetic.ts"
import type { Session } from "../domain/session.ts"
import { keepNote, listNotes, type NoteKeeping } from "./keep-note.ts"

/** How long the pages of a session show a key that it made or revealed. */
export const secretShownSeconds = 5 * 60

/** A key whose secret the pages of one session show for a few minutes. */
export type ShownKey = Readonly<{
  keyId: string
  /** Made by this session, not revealed. */
  isNew: boolean
  /** The key that this one replaced; null when it is no replacement. */
  replacedId: string | null
}>

export async function showKey(
  services: NoteKeeping,
  session: Session,
  { keyId, ...facts }: ShownKey,
): Promise<void> {
  await keepNote(services, noteOf(session, keyId), JSON.stringify(facts))
}

export async function hideKey(
  { sessionNotes }: Pick<NoteKeeping, "sessionNotes">,
  session: Session,
  { id }: Pick<StoredKey, "id">,
): Promise<void> {
  await sessionNotes.delete(noteOf(session, id))
}

/** Newest first; a key leaves the list by itself once its time is over. */
export async function listShownKeys(
  services: NoteKeeping,
  session: Session,
): Promise<readonly ShownKey[]> {
  const since = secondsBefore(services.now(), secretShownSeconds)
  const notes = await listNotes(services, session.id, "shown_key")
  return notes
    .filter(({ at }) => at >= since)
    .map(({ id, text }) => ({ keyId: id, ...JSON.parse(text) }))
}

const noteOf = ({ id: sessionId }: Session, keyId: string) =>
  ({ sessionId, kind: "shown_key", id: keyId }) as const
