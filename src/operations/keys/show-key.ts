import type { StoredKey } from "../../domain/keys/api-key.ts"
import type { NoteIdentity, Session } from "../../domain/sign-in/session.ts"
import { secondsBefore } from "../../domain/values/time/timestamp.ts"
import {
  findNote,
  keepNote,
  listNotes,
  type NoteKeeping,
  type UnsealedNote,
} from "../sign-in/keep-note.ts"

/** How long a page shows a key that its session made or revealed. */
export const secretShownSeconds = 5 * 60

/** A key whose secret one page of one session shows for a few minutes. */
type ShownKey = Readonly<{
  keyId: string
  /** The page that shows it: the list of keys, or the key's own. */
  shownOn: "list" | "key"
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

/** Null for a key that this session does not show, or shows no longer. */
export async function findShownKey(
  services: NoteKeeping,
  session: Session,
  keyId: string,
): Promise<ShownKey | null> {
  const note = await findShownNote(services, noteOf(session, keyId))
  return note && shownKeyOf(note)
}

/** A note that is shown for as long as a secret; null after that. */
export async function findShownNote(
  services: NoteKeeping,
  identity: NoteIdentity,
): Promise<UnsealedNote | null> {
  const note = await findNote(services, identity)
  return note !== null && isShown(note, services.now()) ? note : null
}

/** Newest first. */
export async function listShownKeys(
  services: NoteKeeping,
  session: Session,
): Promise<readonly ShownKey[]> {
  const notes = await listNotes(services, session.id, "shown_key")
  return notes.filter((note) => isShown(note, services.now())).map(shownKeyOf)
}

const isShown = ({ at }: UnsealedNote, now: Date) => at >= secondsBefore(now, secretShownSeconds)

const shownKeyOf = ({ id, text }: UnsealedNote): ShownKey => ({ keyId: id, ...JSON.parse(text) })

const noteOf = ({ id: sessionId }: Session, keyId: string) =>
  ({ sessionId, kind: "shown_key", id: keyId }) as const
