/** The sign-in suites run for authors and operators. */
import type { SignInStores, Store } from "../../src/domain/store.ts"
import { accountId, accountRecord, put } from "./store-records.ts"

export type SignInOwners = Readonly<{
  name: string
  storesOf(store: Store): SignInStores
  add(store: Store, name: string): Promise<number>
  remove(store: Store, name: string): Promise<unknown>
}>

const authors: SignInOwners = {
  name: "authors",
  storesOf: (store) => store,
  async add(store, username) {
    await put(store, accountRecord(username))
    return accountId(store, username)
  },
  remove: (store, username) => put(store, { type: "deleted account", username }),
}

const operators: SignInOwners = {
  name: "operators",
  storesOf: ({ operatorSignIn }) => operatorSignIn,
  async add({ operators }, name) {
    const id = await operators.insert({
      name,
      createdAt: "2026-06-01T08:00:00Z",
      email: null,
      role: "viewer",
    })
    if (id === null) throw new Error(`${name} is taken`)
    return id
  },
  async remove({ operators }, name) {
    const operator = await operators.findByName(name)
    await operators.remove(operator?.id ?? 0)
  },
}

export const signInOwners = { authors, operators }
