/** Short messages to all programs on the store. They can be lost, so nothing may depend on one. */
export interface NodeMessages {
  /** At most `messageCharactersMax` of ASCII. Throws StoreUnavailable. */
  send(text: string): Promise<void>
  /** Called with every message from now on, also with those of this program. The returned function ends it. */
  watch(onMessage: (text: string) => void): () => Promise<void>
}

/** PostgreSQL refuses messages of 8,000 bytes and more. */
export const messageCharactersMax = 7_000
