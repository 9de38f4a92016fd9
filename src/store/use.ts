/** What a store is opened for: a server looks up at random for weeks, a command runs and ends. */
export type StoreUse = "serve" | "command"
