/**
 * Workspaces with the test data: one without keys and requests, and one with keys in every state and weeks of
 * requests.
 */
import { commandLine } from "../../../src/access/actor.ts"
import { requireAccount } from "../../../src/accounts/account-operations.ts"
import marketplace from "../../../src/demo/marketplace.ndjson" with { type: "text" }
import { addSampleRequests, addSampleSites } from "../../../src/demo/seed-demo.ts"
import { revokeKey, rotateKey } from "../../../src/keys/key-operations.ts"
import { setPassword } from "../../../src/people/security-operations.ts"
import { findOrCreateOwner } from "../../../src/people/sign-in-operations.ts"
import { createEndpoint } from "../../../src/webhooks/endpoint-operations.ts"
import { type Program, startProgram } from "../program.ts"

export const samplePassword = "nar bülbül pencere"

/** A workspace with only the marketplace of the test data and an author who can sign in. */
export async function startQuietWorkspace(
  ...[env, changes]: Parameters<typeof startProgram>
): Promise<Program> {
  const program = await startProgram({ LOG_LEVEL: "error", ...env }, changes)
  await program.load(marketplace)
  await givePassword(program, "elif")
  return program
}

export async function startSampleWorkspace(
  ...[env, changes]: Parameters<typeof startProgram>
): Promise<Program> {
  const program = await startQuietWorkspace(env, changes)
  await useKeys(program)
  await addSampleSites(program.app)
  return program
}

export async function addSampleWebhooks({ app }: Program): Promise<void> {
  const { store, endpointServices } = app
  const elif = await requireAccount(store.accounts, "elif")
  const make = (url: string, events: readonly string[]) =>
    createEndpoint(endpointServices(commandLine), elif, { url, events })
  const { endpoint } = await make("https://hooks.example/support-desk/of/a/long/address", [])
  await store.messages.insertTest(endpoint.id, "2026-06-22T08:00:00Z")
  const { endpoint: gone } = await make("https://gone.example/", ["key.leaked"])
  await store.endpoints.disable(gone.id, "2026-06-22T08:00:00Z", "gone")
}

export async function givePassword(
  { app, hasher }: Program,
  username: string,
  password = samplePassword,
): Promise<void> {
  const account = await requireAccount(app.store.accounts, username)
  const owner = await findOrCreateOwner({ ...app.store, now: app.now }, account)
  await setPassword({ ...app.store, hasher }, owner, password)
}

async function useKeys({ app, issue }: Program): Promise<void> {
  const old = await issue("elif", "sk")
  await app.store.keys.rename(old.key.id, "Laptop")
  await revokeKey(app.keyServices(commandLine), { ...old.key, name: "Laptop" })
  const replaced = await issue("elif", "sk")
  await app.store.keys.rename(replaced.key.id, "Billing")
  // Its last sample request is a minute old: after the rotation.
  const earlier = () => new Date(app.now().getTime() - 5 * 60_000)
  const services = { ...app.keyServices(commandLine), now: earlier }
  await rotateKey(services, { ...replaced.key, name: "Billing" }, "7d")
  const shipped = await issue("elif", "sk")
  await app.store.keys.rename(shipped.key.id, "Old theme updater")
  const updater = await issue("elif", "vk", [1001, 1002, 1006])
  await app.store.keys.rename(updater.key.id, "Theme updater")
  const server = await issue("elif", "sk")
  await app.store.keys.rename(server.key.id, "Support desk")
  const month = {
    days: 30,
    minutesApart: 1,
    operations: { validate_purchase: 1 },
    items: [1001, 1002],
  }
  await addSampleRequests(app, server.key.id, { ...month, requestsPerDay: 40, ipRanges: 1 })
  await addSampleRequests(app, shipped.key.id, { ...month, requestsPerDay: 90, ipRanges: 30 })
  await addSampleRequests(app, updater.key.id, { ...month, requestsPerDay: 400, ipRanges: 60 })
  await addSampleRequests(app, replaced.key.id, { ...month, requestsPerDay: 12, ipRanges: 1 })
}
