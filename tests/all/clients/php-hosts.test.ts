/** The PHP client on hosts whose PHP lacks something: an extension, or a function that was turned off. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type FakePazar, startFakePazar } from "../../harness/http/fake-pazar.ts"
import { openInstalledClient, type Step } from "../../harness/php/php-client.ts"
import { temporaryFolder } from "../../harness/program.ts"

const start = 1_800_000_000

let pazar: FakePazar
beforeAll(async () => {
  pazar = await startFakePazar()
})
afterAll(() => pazar.close())

test("without sodium, pinned keys are of no use, and unsigned answers count", async () => {
  const disabled = "disable_functions=sodium_crypto_sign_verify_detached"
  const client = openInstalledClient(["-d", disabled])
  const options = { key: "pzr_sk_1", keys: [pazar.pinned], timeout: 60 }
  const base_url = `${pazar.url}/unsigned/${start}`
  const results = await client.run({
    options: { ...options, base_url },
    steps: ["good", "nope"].map((code) => ({ call: "validate", arguments: [code] })),
  })
  await client.close()
  expect(results).toEqual([
    expect.objectContaining({ state: "valid" }),
    expect.objectContaining({ state: "invalid" }),
  ])
})

test("the extension ctype is not needed", async () => {
  const client = openInstalledClient(["-d", "disable_functions=ctype_digit"])
  const [outcome] = await client.run({
    options: {
      key: "pzr_sk_1",
      items: [7],
      base_url: `${pazar.url}/unsigned/${start}`,
      timeout: 60,
    },
    steps: [{ call: "validate", arguments: ["good"] }],
  })
  await client.close()
  expect(outcome).toMatchObject({ state: "valid" })
})

test("a host that turns curl_exec off lets no question out, and no page ends by it", async () => {
  const client = openInstalledClient(["-d", "disable_functions=curl_exec,curl_multi_exec"])
  const options = { base_url: pazar.url, key: "pzr_vk_1", items: [7], keys: [pazar.pinned] }
  const steps = [
    { call: "validate", arguments: ["good"] },
    { call: "check", arguments: ["good"] },
    { call: "release", arguments: ["good", "shop.example.com"] },
    { call: "activationUrl" },
  ]
  const results = await client.run({ options, steps })
  await client.close()
  const unreachable = expect.objectContaining({ state: "unknown", reason: "unreachable" })
  const url = expect.stringContaining("/activate#key=pzr_vk_1")
  expect(results).toEqual([unreachable, unreachable, unreachable, url])
})

test("where WordPress stands in for sodium and throws, a false signature is one, and no page ends by it", async () => {
  const folder = temporaryFolder()
  const standIn = join(folder, "sodium.php")
  writeFileSync(
    standIn,
    `<?php function sodium_crypto_sign_verify_detached($signature, $message, $key) {
    throw new SodiumException('S < L - Invalid signature');
}`,
  )
  const throwing = openInstalledClient([
    ...["-d", "disable_functions=sodium_crypto_sign_verify_detached"],
    ...["-d", `auto_prepend_file=${standIn}`],
  ])
  const options = { key: "pzr_vk_1", items: [7], keys: [pazar.pinned], timeout: 60 }
  const call = (name: string, mode = "signed"): Step => ({
    call: name,
    arguments: ["good"],
    options: { base_url: `${pazar.url}/${mode}/${start}` },
  })
  const client = openInstalledClient()
  const stored = await client.run({ options, steps: [call("check"), { call: "readStore" }] })
  await client.close()
  const changed = `0${String(stored[1]).slice(64)}`
  const results = await throwing.run({
    options,
    steps: [
      call("validate"),
      call("check", "endorsed"),
      { call: "writeStore", arguments: [changed] },
      call("cached"),
    ],
  })
  await throwing.close()
  rmSync(folder, { recursive: true })
  const unknown = (reason: string) => expect.objectContaining({ state: "unknown", reason })
  expect(results).toEqual([unknown("forged"), unknown("unknown_signer"), null, unknown("forged")])
})
