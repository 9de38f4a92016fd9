/** A workspace with the sample marketplace, keys in every state and weeks of calls. */
import marketplace from "../../src/demo/marketplace.ndjson" with { type: "text" }
import type { Reason } from "../../src/domain/error.ts"
import { formatTimestamp } from "../../src/domain/timestamp.ts"
import { requireAccount } from "../../src/operations/require-account.ts"
import { revokeKey } from "../../src/operations/revoke-key.ts"
import { rotateKey } from "../../src/operations/rotate-key.ts"
import { setPassword } from "../../src/operations/set-password.ts"
import { type Program, startProgram } from "./program.ts"

export const samplePassword = "nar bülbül pencere"

export async function startSampleWorkspace(
  ...[env, changes]: Parameters<typeof startProgram>
): Promise<Program> {
  const program = await startProgram({ LOG_LEVEL: "error", ...env }, changes)
  await program.load(marketplace)
  await givePassword(program, "elif")
  await useKeys(program)
  return program
}

export async function givePassword({ app, hasher }: Program, username: string): Promise<void> {
  const account = await requireAccount(app.store.accounts, username)
  const services = { passwords: app.store.passwords, hasher }
  await setPassword(services, account, samplePassword)
}

async function useKeys({ app, issue }: Program): Promise<void> {
  const old = await issue("elif", "sk")
  await app.store.keys.rename(old.key.id, "Laptop")
  await revokeKey(app.keyServices("203.0.113.0/24"), { ...old.key, name: "Laptop" })
  const replaced = await issue("elif", "sk")
  await app.store.keys.rename(replaced.key.id, "Billing")
  await rotateKey(app.keyServices("203.0.113.0/24"), { ...replaced.key, name: "Billing" }, "7d")
  const shipped = await issue("elif", "sk")
  await app.store.keys.rename(shipped.key.id, "Old theme updater")
  const updater = await issue("elif", "vk", [1001, 1002, 1006])
  await app.store.keys.rename(updater.key.id, "Theme updater")
  const server = await issue("elif", "sk")
  await app.store.keys.rename(server.key.id, "Support desk")
  await count(app, server.key.id, 40, 1)
  await count(app, shipped.key.id, 90, 30)
  await count(app, updater.key.id, 400, 60)
  await count(app, replaced.key.id, 12, 1)
}

/** A month of calls that rise and fall with the week, the same every time. */
async function count(app: Program["app"], keyId: string, calls: number, networks: number) {
  const now = app.now().getTime()
  const share: readonly (readonly [Reason, number])[] = [
    ["ok", 0.86],
    ["unknown_code", 0.13],
    ["unavailable", 0.01],
  ]
  const counts = Array.from({ length: 30 }, (_, ago) => {
    const at = new Date(now - ago * 86_400_000)
    const weekly = [0.5, 1, 1.1, 1.2, 1, 0.9, 0.6][at.getUTCDay()] ?? 1
    const hour = `${at.toISOString().slice(0, 13)}:00:00Z`
    const today = calls * weekly * (1 - ago / 60) * (1 + 0.2 * Math.sin(ago * 1.7))
    return share.map(([outcome, part]) => ({
      ...{ keyId, operation: "validate_purchase" as const, outcome, hour },
      calls: Math.round(today * part),
    }))
  }).flat()
  const sightings = Array.from({ length: networks }, (_, index) => ({
    keyId,
    network: `198.51.${index}.0/24`,
    lastUsedAt: formatTimestamp(new Date(now - index * 60_000)),
  }))
  await app.store.usage.add(
    counts.filter((each) => each.calls > 0),
    sightings,
  )
}
