import { Database } from "bun:sqlite"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { runPhp } from "../harness/php/php.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { account, item, type Line, purchase } from "../harness/records.ts"

const example = join(import.meta.dir, "../../examples/outbox")
const token = "outbox-token-of-the-tests-0123456789"

/** The response in place of Pazar's: a status, silence, or null to forward the push. */
type Fault =
  | Readonly<{ status: number; headers?: Record<string, string>; body?: string }>
  | "silence"
  | null

let program: Program
let front: Bun.Server<undefined>
let faults: Fault[] = []
let pushes: string[] = []
const folder = temporaryFolder()
const file = join(folder, "shop.db")
let shop: Database

beforeAll(async () => {
  program = await startProgram({ PAZAR_OPERATOR_TOKEN: token })
  await program.load([account("elif"), item("elif", 1)])
  front = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      pushes.push(body)
      const fault = faults.shift() ?? null
      if (fault === "silence") return new Promise(() => {})
      if (fault !== null) return new Response(fault.body ?? "", fault)
      return fetch(`${program.url}/operator/feed`, {
        method: "POST",
        headers: { Authorization: request.headers.get("Authorization") ?? "" },
        body,
      })
    },
  })
  shop = new Database(file)
  shop.run(readFileSync(join(example, "schema.sqlite.sql"), "utf8"))
})
afterEach(() => {
  faults = []
  pushes = []
  shop.run("DELETE FROM pazar_outbox")
})
afterAll(async () => {
  shop.close()
  await front.stop(true)
  await program.close()
  rmSync(folder, { recursive: true })
})

async function send(
  records: readonly Line[],
  url = `${front.url.origin}/operator/feed`,
  timeoutSeconds = 60,
) {
  const code = `require '${join(example, "PazarOutbox.php")}';
    $pauses = [];
    $db = new PDO('sqlite:${file}');
    $outbox = new PazarOutbox($db, '${url}', '${token}', ${timeoutSeconds},
      function (float $seconds) use (&$pauses) {
        $pauses[] = $seconds;
        if (count($pauses) >= 12) throw new Exception('enough');
      });
    $db->beginTransaction();
    foreach (json_decode(file_get_contents('php://stdin'), true) as $record) $outbox->add($record);
    $db->commit();
    try { $refused = $outbox->send(); } catch (Exception $stopped) { $refused = get_class($stopped); }
    echo json_encode(['refused' => $refused, 'pauses' => $pauses]);`
  const { stdout, stderr } = await runPhp(["-r", code], { input: JSON.stringify(records) })
  expect(stderr).toBe("")
  return JSON.parse(stdout)
}

const pending = () =>
  shop
    .query<{ record: string; refused: string | null }, []>(
      "SELECT record, refused FROM pazar_outbox ORDER BY id",
    )
    .all()

async function validate(code: string): Promise<number> {
  const { secret } = await program.issue("elif")
  const response = await fetch(`${program.url}/api/purchases/validation`, {
    method: "POST",
    body: new URLSearchParams({ api_key: secret, purchase_code: code }),
  })
  return response.status
}

test("a sale is valid after it was sent, and invalid after its refund", async () => {
  expect(await send([purchase("out-1", 1)])).toEqual({ refused: 0, pauses: [] })
  expect([await validate("out-1"), pending()]).toEqual([200, []])
  const refund = { type: "purchase", purchase_code: "out-1", patch: true, revoked: true }
  expect(await send([refund])).toEqual({ refused: 0, pauses: [] })
  expect(await validate("out-1")).toBe(404)
})

test("a record is stored as ASCII, whatever the connection's character set, and an invalid byte blocks no sale", async () => {
  const code = `require '${join(example, "PazarOutbox.php")}';
    $outbox = new PazarOutbox(new PDO('sqlite:${file}'), 'http://127.0.0.1:1/', '');
    $outbox->add(['buyer' => "\u{15E}eyma \u{1F600}"]);
    $outbox->add(['buyer' => "M\\xFCller"]);`
  expect(await runPhp(["-r", code])).toMatchObject({ stdout: "", stderr: "" })
  const records = pending().map(({ record }) => record)
  expect(records.join("")).toMatch(/^[ -~]+$/)
  expect(records.map((record) => JSON.parse(record).buyer)).toEqual([
    "\u015Eeyma \u{1F600}",
    "M\uFFFDller",
  ])
})

test("names that differ in a byte that is not UTF-8 are rejected, not merged", async () => {
  const names = String.raw`["M\xFCller", "M\xF6ller"]`
  const code = `require '${join(example, "PazarOutbox.php")}';
    $outbox = new PazarOutbox(new PDO('sqlite:${file}'), '${front.url.origin}/operator/feed', '${token}');
    $account = json_decode(file_get_contents('php://stdin'), true);
    foreach (${names} as $name) $outbox->add(['username' => $name] + $account);
    echo $outbox->send();`
  const input = JSON.stringify(account("x"))
  expect(await runPhp(["-r", code], { input })).toMatchObject({ stdout: "2", stderr: "" })
  expect(pending().map(({ refused }) => refused)).toEqual(Array(2).fill(expect.any(String)))
})

test("422: too many refunds are set aside, and the sales beside them are accepted", async () => {
  const codes = Array.from({ length: 25 }, (_, at) => `many-${at}`)
  await program.load(codes.map((code) => purchase(code, 1)))
  const refunds = codes.map((purchase_code) => ({
    type: "purchase",
    purchase_code,
    patch: true,
    revoked: true,
  }))
  expect(await send([...refunds, purchase("sold-beside", 1)])).toEqual({ refused: 25, pauses: [] })
  expect(pending().every(({ refused }) => refused !== null)).toBe(true)
  expect(pending()).toHaveLength(25)
  expect([await validate("sold-beside"), await validate("many-0")]).toEqual([200, 200])
})

test("422: the rejected record is set aside with its problems, and the others are accepted", async () => {
  const records = [
    purchase("out-2", 1),
    purchase("out-3", 1, { price: "free" }),
    purchase("out-4", 1),
  ]
  expect(await send(records)).toEqual({ refused: 1, pauses: [] })
  expect(pending()).toEqual([
    {
      record: expect.stringContaining('"purchase_code":"out-3"'),
      refused: expect.stringContaining('"member":"price"'),
    },
  ])
  expect([await validate("out-2"), await validate("out-3"), await validate("out-4")]).toEqual([
    ...[200, 404, 200],
  ])
})

describe("retries with longer pauses until the same records are accepted", () => {
  test.each<[string, Fault]>([
    ["503", { status: 503 }],
    ["500", { status: 500 }],
    ["429", { status: 429 }],
    ["408", { status: 408 }],
  ])("%s", async (name, fault) => {
    faults = [fault, fault, fault]
    const { refused, pauses } = await send([purchase(`again-${name}`, 1)])
    expect([refused, pending(), await validate(`again-${name}`)]).toEqual([0, [], 200])
    expect(new Set(pushes).size).toBe(1)
    expect(pauses).toHaveLength(3)
    for (const [index, seconds] of pauses.entries()) {
      expect(seconds).toBeGreaterThanOrEqual(2 ** index / 2)
      expect(seconds).toBeLessThanOrEqual(2 ** index)
    }
  })

  test("a server that accepts the push and does not respond", async () => {
    faults = ["silence"]
    const { refused, pauses } = await send([purchase("slow", 1)], undefined, 1)
    expect([refused, await validate("slow")]).toEqual([0, 200])
    expect(pauses.length).toBeGreaterThan(0)
    expect(new Set(pushes).size).toBe(1)
  })

  test("Retry-After is respected", async () => {
    faults = [{ status: 503, headers: { "Retry-After": "30" } }]
    expect(await send([purchase("later", 1)])).toEqual({ refused: 0, pauses: [30] })
  })

  test("a server that is down: all records are kept, in order", async () => {
    const { refused, pauses } = await send(
      [purchase("down-1", 1), purchase("down-2", 1)],
      "http://127.0.0.1:1/operator/feed",
    )
    expect([refused, pauses.length]).toEqual(["Exception", 12])
    expect(Math.max(...pauses)).toBeLessThanOrEqual(300)
    expect(pending().map(({ record }) => JSON.parse(record).purchase_code)).toEqual([
      "down-1",
      "down-2",
    ])
    expect((await send([])).refused).toBe(0)
    expect([await validate("down-1"), await validate("down-2")]).toEqual([200, 200])
  })
})

test("413: half as many are sent, and a single record that is too large is set aside", async () => {
  faults = [{ status: 413 }, { status: 413 }, null]
  const records = ["a", "b", "c"].map((code) => purchase(`large-${code}`, 1))
  expect((await send(records)).refused).toBe(1)
  expect(pushes.map((push) => push.trimEnd().split("\n").length)).toEqual([3, 1, 2])
  expect(pending().map(({ refused }) => refused)).toEqual([expect.any(String)])
})

test("401: the worker stops immediately and keeps all records", async () => {
  faults = [{ status: 401 }]
  expect(await send([purchase("kept", 1)])).toEqual({ refused: "PazarOutboxStopped", pauses: [] })
  expect(pending()).toHaveLength(1)
})

test.each([
  [200, "<!doctype html><title>Back soon</title>"],
  [200, ""],
  [200, "{}"],
  [422, '{"error":"unprocessable"}'],
])(
  "%d of another server: the worker stops immediately and keeps all records",
  async (status, body) => {
    faults = [{ status, body }]
    expect(await send([purchase("kept", 1)])).toEqual({ refused: "PazarOutboxStopped", pauses: [] })
    expect(pending()).toHaveLength(1)
  },
)

test("more records than one push can contain are sent in order", async () => {
  const records = Array.from({ length: 1_001 }, (_, at) => purchase(`many-${at}`, 1))
  expect((await send(records)).refused).toBe(0)
  const sent = pushes.map((push) => push.trimEnd().split("\n"))
  expect(sent.map((lines) => lines.length)).toEqual([500, 500, 1])
  expect(sent.flat().map((line) => JSON.parse(line).purchase_code)).toEqual(
    records.map(({ purchase_code }) => purchase_code),
  )
})

describe("the worker", () => {
  const env = () => ({
    OUTBOX_DSN: `sqlite:${file}`,
    OUTBOX_LOCK: join(folder, "lock"),
    PAZAR_URL: `${front.url.origin}/`,
    PAZAR_OPERATOR_TOKEN: token,
  })
  const work = () => runPhp([join(example, "send.php")], { env: env() })
  const put = (record: Line) =>
    shop.query("INSERT INTO pazar_outbox (record) VALUES (?)").run(JSON.stringify(record))

  test("exit 0: all records were accepted", async () => {
    put(purchase("worker-1", 1))
    expect(await work()).toEqual({ status: 0, stdout: "", stderr: "" })
  })

  test("exit 1: some records were rejected", async () => {
    put(purchase("worker-2", 1, { price: "free" }))
    expect(await work()).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^1 .*pazar_outbox/),
    })
  })

  test("exit 2: the token is invalid", async () => {
    put(purchase("worker-3", 1))
    faults = [{ status: 401 }]
    const { status, stderr } = await work()
    expect([status, stderr]).toEqual([2, expect.stringMatching(/401.*PAZAR_OPERATOR_TOKEN/)])
  })

  test("a second worker exits immediately", async () => {
    const script = `$lock = fopen('${join(folder, "lock")}', 'c'); flock($lock, LOCK_EX);
      passthru('php ${join(example, "send.php")} 2>&1');`
    put(purchase("worker-4", 1))
    const { stdout } = await runPhp(["-r", script], { env: env() })
    expect([stdout.split("\n").length, pushes, pending().length]).toEqual([2, [], 1])
  })
})
