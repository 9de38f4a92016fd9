import type {
  NoteIdentity,
  NoteKind,
  NoteVault,
  Session,
  SessionNote,
  SessionNoteStore,
  TokenMaker,
} from "../../domain/sign-in/session.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"

export type NoteKeeping = Readonly<{
  sessionNotes: SessionNoteStore
  noteVault: NoteVault
  now: () => Date
}>

export type UnsealedNote = Readonly<{ id: string; at: Timestamp; text: string }>

/** Later requests of the session find the text again, on every thread and node. */
export async function keepNote(
  { sessionNotes, noteVault, now }: NoteKeeping,
  identity: NoteIdentity,
  text: string,
): Promise<void> {
  const sealed = noteVault.seal(text, identity)
  await sessionNotes.put({ ...identity, at: formatTimestamp(now()), sealed })
}

/** Longer than most messages. A longer text is cut before it is kept. */
export const keptUnitsMax = 10_000

/** Under a new id, which it returns: a text that must not be in an address, as addresses end up in logs. */
export async function keepNewNote(
  services: NoteKeeping & Readonly<{ tokens: TokenMaker }>,
  { id: sessionId }: Session,
  kind: NoteKind,
  text: string,
): Promise<string> {
  const id = services.tokens.create()
  await keepNote(services, { sessionId, kind, id }, text)
  return id
}

/** Null for an unknown note and for another session's note. */
export async function findNote(
  { sessionNotes, noteVault }: NoteKeeping,
  identity: NoteIdentity,
): Promise<UnsealedNote | null> {
  const note = await sessionNotes.find(identity)
  return note && unsealNote(noteVault, note)
}

/** Newest first. */
export async function listNotes(
  { sessionNotes, noteVault }: NoteKeeping,
  sessionId: string,
  kind: NoteKind,
): Promise<readonly UnsealedNote[]> {
  const notes = await sessionNotes.list(sessionId, kind)
  return notes.map((note) => unsealNote(noteVault, note))
}

function unsealNote(noteVault: NoteVault, note: SessionNote): UnsealedNote {
  return { id: note.id, at: note.at, text: noteVault.unseal(note.sealed, note) }
}
