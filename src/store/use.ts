/** Why a store is opened: a server makes random look-ups for weeks, a command runs and ends. */
export type StoreUse = "serve" | "command"
