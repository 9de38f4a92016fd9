import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import policy from "../../clients/policy.json"
import {
  type ScriptedPazar,
  type ScriptedResponse,
  startScriptedPazar,
} from "../harness/http/scripted-pazar.ts"
import {
  openBundledClient,
  openInstalledClient,
  type PhpClient,
  type Step,
} from "../harness/php/php-client.ts"
import { temporaryFolder } from "../harness/program.ts"

type Defaults = Readonly<{
  code?: string
  site?: string | null
  key?: string
  pinned?: boolean
  urls?: number
  graceDays?: number
  canStore?: boolean
}>
type PolicyStep = Defaults &
  Readonly<{
    after?: number
    clock?: number
    call: string
    releaseSite?: string
    response?: ScriptedResponse | readonly ScriptedResponse[]
    release?: ScriptedResponse
    download?: ScriptedResponse
    keySet?: readonly Readonly<{ key: string; endorsedBy: readonly string[] }>[]
    expect: Readonly<Record<string, unknown>>
  }>
type Row = Defaults & Readonly<{ name: string; canVerify?: boolean; steps: readonly PolicyStep[] }>

const { noVerdict } = policy
const rows: readonly Row[] = [
  ...(policy.rows as readonly Row[]),
  ...noVerdict.responses.map(({ name, response, reason }) => ({
    name: `no verdict: ${name}`,
    steps: (noVerdict.steps as readonly PolicyStep[]).map((step) => ({
      ...step,
      ...(step.response === "$response" && { response: response as ScriptedResponse }),
      expect: { ...step.expect, ...(step.expect.reason === "$reason" && { reason }) },
    })),
  })),
]

const start = 1_800_000_000
let pazar: ScriptedPazar
beforeAll(async () => {
  pazar = await startScriptedPazar()
})
afterAll(() => pazar.close())

/** The steps of a row as calls of the client, each with the id of its requests and the expected result. */
function planRow(row: Row) {
  let [at, clock] = [start, 0]
  return row.steps.map((step) => {
    at += step.after ?? 0
    clock = step.clock ?? clock
    const options = { code: "GOOD-CODE-1", site: "shop.example.com", pinned: true, ...row, ...step }
    const { key = "pzr_vk_KeyOfTheProduct", site, pinned, code, graceDays, canStore } = options
    const id = crypto.randomUUID()
    const responses = [step.response ?? {}].flat()
    const { release = {}, download = {}, keySet = [] } = step
    const script = { id, at, signed: pinned && ("a" as const), release, download, keySet }
    const base_url = responses.map((response) => pazar.url({ ...script, response }))
    const call: Step = {
      call: step.call === "force" ? "check" : step.call,
      arguments: [
        code,
        ...(step.call === "force" ? [true] : []),
        ...(step.releaseSite === undefined ? [] : [step.releaseSite]),
      ],
      now: at + clock,
      options: {
        base_url,
        key,
        items: [7],
        site: site ?? "",
        timeout: 60,
        keys: pinned ? [pazar.pin("a"), pazar.pin("b")] : [],
        ...(graceDays !== undefined && { grace_days: graceDays }),
        read_only: canStore === false,
      },
    }
    return { call, id, at, expected: step.expect }
  })
}

async function runRow(client: PhpClient, row: Row): Promise<void> {
  const plan = planRow(row)
  const results = await client.run({ steps: plan.map(({ call }) => call) })
  const seen = plan.map(({ call, id, at, expected }, index) => {
    const result = results[index] as Readonly<Record<string, unknown>>
    const { supportedUntil: until } = result
    const formTo = (operation: string) => {
      const [{ purchase_code: _, ...form } = {}] = pazar.forms(id, `api/purchases/${operation}`)
      return form
    }
    // `as`: the fields of Pazar\Result and Pazar\Verdict.
    const { item, url } = result as { item?: { id: number }; url?: string }
    const all: Readonly<Record<string, unknown>> = {
      ...result,
      reason: result.reason || undefined,
      requests: call.call === "import" ? 0 : pazar.forms(id).length,
      supportedFor: typeof until === "number" ? until - at : null,
      releaseForm: formTo("release"),
      downloadForm: formTo("download"),
      item: item?.id ?? null,
      url: url && new URL(url).pathname.replace(/^\/[^/]+/, ""),
    }
    if ("isValid" in result) expect(result.isValid).toBe(result.state === "valid")
    const names = new Set(["reason", ...Object.keys(expected)])
    return Object.fromEntries([...names].map((name) => [name, all[name]]))
  })
  expect(seen).toEqual(plan.map(({ expected }) => ({ ...expected })))
}

const without = ["-d", "disable_functions=sodium_crypto_sign_verify_detached"]

describe.each([
  { version: "the installed PHP", open: async () => openInstalledClient() },
  { version: "PHP 7.4", open: () => openBundledClient("7.4") },
  { version: "PHP 8.4", open: () => openBundledClient("8.4") },
])("$version", ({ open }) => {
  let client: PhpClient
  beforeAll(async () => {
    client = await open()
  })
  afterAll(() => client.close())

  test.each(rows.filter(({ canVerify = true }) => canVerify))("$name", (row) => runRow(client, row))

  test("test sites", async () => {
    const { test: testSites, other } = policy.testSites
    const isTest = (sites: readonly string[]) => ({ call: "isTestSite", arguments: sites })
    expect(await client.run({ steps: [isTest(testSites), isTest(other)] })).toEqual([
      testSites.map(() => true),
      other.map(() => false),
    ])
  })
})

const wordpress = "/usr/share/wordpress/"

describe.if(existsSync(wordpress))("PHP without sodium, with WordPress's implementation", () => {
  const isAttack = ({ name, steps }: Row) =>
    /clock/.test(name) ||
    steps.some(({ expect: { reason } }) =>
      ["unsigned", "unknown_signer", "forged", "replayed"].includes(String(reason)),
    )
  const folder = temporaryFolder()
  let client: PhpClient
  beforeAll(() => {
    const prepended = join(folder, "wordpress.php")
    writeFileSync(prepended, `<?php define('ABSPATH', '${wordpress}');`)
    client = openInstalledClient([...without, "-d", `auto_prepend_file=${prepended}`])
  })
  afterAll(async () => {
    await client.close()
    rmSync(folder, { recursive: true })
  })

  test.each(rows.filter(isAttack))("$name", (row) => runRow(client, row))
})

describe("PHP without sodium", () => {
  test.each(rows.filter(({ canVerify = true }) => !canVerify))("$name", async (row) => {
    const client = openInstalledClient(without)
    await runRow(client, row)
    await client.close()
  })
})
