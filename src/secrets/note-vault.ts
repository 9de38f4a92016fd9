import { randomBytes } from "node:crypto"
import type { NoteIdentity, NoteVault } from "../domain/session-note.ts"
import type { MasterKey } from "./key-vault.ts"
import { nonceBytes, seal, subKey, unseal } from "./sealing.ts"

/** Notes of a session: another session's or kind's note does not open in their place. */
export function createNoteVault(master: MasterKey): NoteVault {
  const sealKey = subKey(master, "session note seal")
  const ownerOf = ({ sessionId, kind, id }: NoteIdentity) => [sessionId, kind, id]
  return {
    seal: (text, identity) => seal(sealKey, randomBytes(nonceBytes), text, ownerOf(identity)),
    unseal: (sealed, identity) => unseal(sealKey, sealed, ownerOf(identity)),
  }
}
