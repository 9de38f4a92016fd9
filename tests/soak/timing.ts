/**
 * `npm run soak -- timing [SAMPLES [SEED]]`: whether the time of an answer tells what its bytes do not. The requests of
 * each pair are made beforehand and sent in a random order over one connection, to a server in this process:
 * no scheduler comes between the two ends. PAZAR_TEST_STORE=postgres asks PostgreSQL.
 */
import { formatSecret } from "../../src/domain/keys/api-key.ts"
import { requireAccount } from "../../src/operations/catalogue/accounts.ts"
import { owaspCost } from "../../src/secrets/sign-in/password-hasher.ts"
import { account, item, purchase } from "../contracts/records.ts"
import { createRandom } from "../harness/feed/random-feed.ts"
import { openConnection } from "../harness/http/keep-alive.ts"
import { startProgram } from "../harness/program.ts"
import { compareTimes, suspiciousT } from "../harness/welch.ts"

const [samples = 20_000, seed = 20_240_427] = process.argv.slice(2).map(Number)
/** The first ones warm the caches and the compiler. */
const warmUp = 200
const random = createRandom(seed)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T // not empty
const many = <T>(make: (at: number) => T, length = 5_000) =>
  Array.from({ length }, (_, at) => make(at))

const letters = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"]
const text = (length: number) => many(() => pick(letters), length).join("")
const code = () => [8, 4, 4, 4, 12].map((length) => text(length).toLowerCase()).join("-")

const operatorToken = text(40)
const program = await startProgram(
  {
    LOG_LEVEL: "silent",
    PAZAR_OPERATOR_TOKEN: operatorToken,
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
  },
  { passwordCost: owaspCost },
)
const unknown = many(code)
const codes = { own: many(code), outside: many(code), foreign: many(code), revoked: many(code) }
/** Ten tries each: a name has no more without waiting. */
const triesEach = 10
/** At the real cost, because that is what hides the look-ups; each takes 80 ms of a core. */
const signInSamples = Math.ceil(samples / 20)
const names = many((at) => `author-${at}`, Math.ceil((signInSamples + warmUp) / triesEach))
await program.load([
  ...[account("ada"), account("bob"), item("ada", 1), item("ada", 2), item("bob", 3)],
  ...codes.own.map((each) => purchase(each, 1)),
  ...codes.outside.map((each) => purchase(each, 2)),
  ...codes.foreign.map((each) => purchase(each, 3)),
  ...codes.revoked.map((each) => purchase(each, 3, { revoked: true })),
  ...names.map((name) => account(name)),
])
const { accounts, passwords } = program.app.store
const hash = await program.hasher.hash("three unrelated words")
for (const name of names) await passwords.put((await requireAccount(accounts, name)).id, hash)

const { secret } = await program.issue("ada")
const { secret: ofOneItem } = await program.issue("ada", "vk", [1])
const unknownKeys = many(() => formatSecret("sk", text(30)))
/** All but the last two characters are those of a key that exists. */
const almostKeys = many(() =>
  formatSecret("sk", secret.slice("pzr_sk_".length, "pzr_sk_".length + 28) + text(2)),
).filter((each) => each !== secret)

const message = (line: string, headers: readonly string[], body: string) =>
  [line, "Host: localhost", ...headers, `Content-Length: ${body.length}`, "", body].join("\r\n")
const validation = (purchaseCode: string, key: string) =>
  message(
    ...([
      "POST /api/purchases/validation HTTP/1.1",
      [`X-Api-Key: ${key}`],
      `purchase_code=${purchaseCode}`,
    ] as const),
  )
const withKey = (key: string) => (each: string) => validation(each, key)
const operator = (token: string) =>
  message("POST /operator/links HTTP/1.1", [`Authorization: Bearer ${token}`], "{}")

const page = await fetch(`${program.url}/login`)
const cookie = String(page.headers.get("set-cookie")).split(";")[0]
const formToken = /name="form_token" value="([^"]*)"/.exec(await page.text())?.[1]
/** Each from a network of its own, which has a limit of tries too. */
function signIns(name: string): readonly string[] {
  return many((at) => {
    const network = `X-Forwarded-For: 10.${at >> 8}.${at & 255}.1`
    const type = "Content-Type: application/x-www-form-urlencoded"
    const body = `form_token=${formToken}&name=${name}-${Math.floor(at / triesEach)}&password=some+wrong+words`
    return message("POST /login HTTP/1.1", [`Cookie: ${cookie}`, network, type], body)
  }, signInSamples + warmUp)
}

type Pair = Readonly<{
  what: string
  status: number
  /** Taken in turn, from the first on. */
  one: readonly string[]
  other: readonly string[]
  samplesEach: number
}>
const samplesEach = samples
const unknownCodes = unknown.map(withKey(secret))
const unknownKeyed = unknownKeys.map((key) => validation("x", key))

const alike: readonly Pair[] = [
  {
    what: "unknown codes, twice",
    status: 404,
    samplesEach,
    one: unknownCodes,
    other: many(code).map(withKey(secret)),
  },
  {
    what: "unknown key and one almost like a real key",
    status: 401,
    samplesEach,
    one: unknownKeyed,
    other: almostKeys.map((key) => validation("x", key)),
  },
  {
    what: "wrong operator token and one almost like the real one",
    status: 401,
    samplesEach,
    one: many(() => operator(text(40))),
    other: many(() => operator(`${operatorToken.slice(0, -2)}--`)),
  },
  {
    what: "unknown name and wrong password",
    status: 401,
    samplesEach: signInSamples,
    one: signIns("nobody"),
    other: signIns("author"),
  },
]
const differing: readonly Pair[] = [
  // SECURITY.md says by how much.
  {
    what: "unknown and another author's code",
    status: 404,
    samplesEach,
    one: unknownCodes,
    other: codes.foreign.map(withKey(secret)),
  },
  {
    what: "unknown and another author's revoked code",
    status: 404,
    samplesEach,
    one: unknownCodes,
    other: codes.revoked.map(withKey(secret)),
  },
  // A sender can check a key's form without asking.
  {
    what: "unknown and malformed key",
    status: 401,
    samplesEach,
    one: unknownKeyed,
    other: unknownKeys.map((key) => validation("x", `${key.slice(0, -1)}!`)),
  },
  // A sender can ask with a key of the other item, which is as public.
  {
    what: "unknown code and one outside the key's items",
    status: 404,
    samplesEach,
    one: unknown.map(withKey(ofOneItem)),
    other: codes.outside.map(withKey(ofOneItem)),
  },
]

const connection = await openConnection(program.url)

type Side = { requests: readonly string[]; times: Float64Array; sent: number }

async function measure({ one, other, status, samplesEach }: Pair) {
  const start = (requests: readonly string[]): Side => {
    return { requests, times: new Float64Array(samplesEach), sent: 0 }
  }
  const [left, right] = [start(one), start(other)]
  const toDo = ({ sent }: Side) => samplesEach + warmUp - sent
  while (toDo(left) + toDo(right) > 0) {
    const side = random() * (toDo(left) + toDo(right)) < toDo(left) ? left : right
    const request = side.requests[side.sent % side.requests.length] ?? ""
    const startedAt = performance.now()
    const given = await connection.ask(request)
    const ms = performance.now() - startedAt
    // A busy machine makes the server refuse work, which says nothing about the pair.
    if (given === 503) continue
    if (given !== status) throw new Error(`${given} in place of ${status}: ${request}`)
    if (side.sent >= warmUp) side.times[side.sent - warmUp] = ms
    side.sent += 1
  }
  return compareTimes(left.times, right.times)
}

async function report(pair: Pair, judge: (t: number) => string): Promise<number> {
  const { t, differenceUs } = await measure(pair)
  const figures = `t ${t.toFixed(1)}, ${differenceUs.toFixed(2)} µs, ${pair.samplesEach} samples each`
  console.log(`${pair.what}: ${figures}, ${judge(t)}`)
  return t
}

console.log(`seed ${seed}`)
let differences = 0
for (const pair of alike) {
  const t = await report(pair, (t) => (t < suspiciousT ? "alike" : "DIFFERENT"))
  if (t >= suspiciousT) differences += 1
}
for (const pair of differing) await report(pair, () => "may differ")
connection.close()
await program.close()
process.exit(differences > 0 ? 1 : 0)
