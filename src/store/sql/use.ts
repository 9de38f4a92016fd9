/** The purpose of an open store: a server runs for weeks and makes random look-ups, a command ends soon. */
export type StoreUse = "serve" | "command"
