import { afterAll, beforeAll, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { rotateSigningKey } from "../../src/signing/signing-key-operations.ts"
import { readKeySet } from "../harness/http/key-set.ts"
import { openInstalledClient, type PhpClient } from "../harness/php/php-client.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

let program: Program
let client: PhpClient
beforeAll(async () => {
  program = await startProgram()
  const revoked = purchase("REFUNDED", 1229, { revoked: true })
  await program.load([
    ...[account("ada"), item("ada", 1229), item("ada", 1230)],
    ...[purchase("CODE-1", 1229), purchase("CODE-2", 1230), revoked],
  ])
  client = openInstalledClient()
})
afterAll(async () => {
  await client.close()
  await program.close()
})

const readPins = async () => (await readKeySet(program.url)).map(({ x }) => x)

const validate = (options: Record<string, unknown>, codes: readonly string[]) =>
  client
    .run({
      options: { base_url: program.url, timeout: 60, ...options },
      steps: codes.flatMap((code) => [
        { call: "check", arguments: [code, true] },
        { call: "forget" },
      ]),
    })
    .then((results) => results.filter((result) => result !== null))

const valid = expect.objectContaining({ state: "valid", source: "server" })
const invalid = (reason: string) => expect.objectContaining({ state: "invalid", reason })
const unknown = (reason: string) => expect.objectContaining({ state: "unknown", reason })

test("signed responses for codes as people paste them", async () => {
  const { secret: key } = await program.issue("ada", "vk", [1229, 1230])
  const keys = await readPins()
  const codes = [
    "CODE-1",
    " code–1\u200b\n",
    "\ufeffCODE-1\u00a0",
    "CODE-2",
    "REFUNDED",
    "çok%20 &+",
  ]
  expect(await validate({ key, keys, items: [1229] }, codes)).toEqual([
    ...[valid, valid, valid, invalid("other_item"), invalid("revoked_code")],
    invalid("unknown_code"),
  ])
})

test("responses to a test key are valid only for a test key", async () => {
  const { secret: key } = await program.issue("ada", "tk")
  const keys = await readPins()
  const codes = [
    "test-regular",
    "test-revoked",
    "test-unknown",
    "test-rate-limited",
    "test-unavailable",
  ]
  expect(await validate({ key, keys }, codes)).toEqual([
    ...[valid, invalid("revoked_code"), invalid("unknown_code"), unknown("rate_limited")],
    unknown("unavailable"),
  ])
})

test("a suspension of the author says nothing about a code", async () => {
  const { secret: key } = await program.issue("ada", "vk", [1229])
  const suspend = (suspended: boolean) => program.load([account("ada", { suspended })])
  await suspend(true)
  expect(await validate({ key, items: [1229] }, ["CODE-1", "nope"])).toEqual([
    ...[unknown("account_suspended"), unknown("account_suspended")],
  ])
  await suspend(false)
})

test("a stranger who takes the buyer's slot deactivates nobody, and does not come back after a release", async () => {
  await program.app.store.sites.putLimits(1229, { sites: 1, byLicense: {} })
  const { secret: key } = await program.issue("ada", "vk", [1229])
  const options = { base_url: program.url, key, items: [1229], keys: await readPins(), timeout: 60 }
  const call = (name: string, site: string, ...more: readonly unknown[]) => ({
    call: name,
    arguments: ["CODE-1", ...more],
    options: { site },
  })
  const [buyer, stranger] = ["buyer.example.com", "stranger.example.com"]
  const results = await client.run({
    options,
    steps: [
      call("check", buyer),
      ...[call("release", stranger, buyer), call("check", stranger, true)],
      ...[call("check", buyer, true), call("reclaim", buyer)],
      ...[call("release", buyer, stranger), call("check", buyer, true)],
      ...[call("reclaim", stranger), call("check", buyer, true)],
    ],
  })
  const limited = expect.objectContaining({ reason: "site_limit", isActive: true })
  expect(results.slice(3, 5)).toEqual([limited, limited])
  expect(results[6]).toEqual(valid)
  expect(results.slice(-2)).toEqual([limited, valid])
  await program.app.store.sites.putLimits(1229, { sites: null, byLicense: {} })
})

async function readSigner(key: string): Promise<string | undefined> {
  const body = new URLSearchParams({ purchase_code: "CODE-1", nonce: "0123456789abcdef" })
  const headers = { "X-Api-Key": key }
  const url = `${program.url}/api/purchases/validation`
  const response = await fetch(url, { method: "POST", headers, body })
  return /keyid="([^"]+)"/.exec(response.headers.get("signature-input") ?? "")?.[1]
}

test("a product follows three rotations from the keys it pinned", async () => {
  const { secret: key } = await program.issue("ada", "sk")
  const before = await readKeySet(program.url)
  for (let rotation = 0; rotation < 3; rotation++) {
    await rotateSigningKey(program.app.signingKeyServices(commandLine))
  }
  await until(async () => {
    const signer = await readSigner(key)
    return before.some(({ kid }) => kid === signer) ? undefined : signer
  })
  const keys = before.map(({ x }) => x)
  expect(await validate({ key, keys }, ["CODE-1", "nope"])).toEqual([
    ...[valid, invalid("unknown_code")],
  ])
  const [retired = ""] = keys
  const stranger = retired.startsWith("A") ? `B${retired.slice(1)}` : `A${retired.slice(1)}`
  expect(await validate({ key, keys: [stranger] }, ["CODE-1"])).toEqual([unknown("unknown_signer")])
})
