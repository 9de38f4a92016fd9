import { randomBytes } from "node:crypto"
import type { NoteIdentity, NoteVault } from "../../domain/sign-in/session-note.ts"
import type { MasterKey } from "../keys/key-vault.ts"
import { nonceBytes, seal, subKey, unseal } from "../keys/sealing.ts"

/** A sealed note is bound to its session, kind and id: moved to another row, it no longer opens. */
export function createNoteVault(master: MasterKey): NoteVault {
  const sealKey = subKey(master, "session note seal")
  const ownerOf = ({ sessionId, kind, id }: NoteIdentity) => [sessionId, kind, id]
  return {
    seal: (text, identity) => seal(sealKey, randomBytes(nonceBytes), text, ownerOf(identity)),
    unseal: (sealed, identity) => unseal(sealKey, sealed, ownerOf(identity)),
  }
}
