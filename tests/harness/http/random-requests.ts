/** Random requests as bytes: valid ones generated from the OpenAPI documents, and damaged ones. */
import { smugglingCorpus } from "./smuggling-corpus.ts"

export const requestKinds = ["described", "soup", "mutated", "smuggling"] as const
export type RequestKind = (typeof requestKinds)[number]

export type RandomRequest = Readonly<{
  kind: RequestKind
  /** One character is one byte. */
  text: string
  /** The statuses of the responses, unless the connection just ends. Null if they are not known. */
  statuses: readonly number[] | null
}>

type Parameter = Readonly<{ name: string; in: string }>
type Described = Readonly<{
  parameters?: readonly Parameter[]
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ schema: Schema }>>> }>
}>
type Schema = Readonly<{ properties?: Readonly<Record<string, unknown>> }>
export type ApiDocument = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}>

export type Ingredients = Readonly<{
  documents: readonly ApiDocument[]
  values: readonly string[]
}>

const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1")

const oddValues = [
  ...["", " ", "0", "-1", "1e3", "9007199254740993", "1.5", "true", "null", "[]", "{}", "NaN"],
  ...["'", "' OR '1'='1", '"; DROP TABLE items--', "%00", "\0", "../../etc/passwd", "{{7*7}}"],
  ...[
    "<script>alert(1)</script>",
    "ﬀ",
    "İ",
    "ı",
    "ß",
    "\u200b",
    "\ufeff",
    "\u202e",
    "😀",
    "e\u0301",
  ],
  ...["%", "%2", "%zz", "%c0%80", "%ff", "+", "&", "=", "a&b=c", "\r\nX: y", "__proto__"],
]
const oddHeaders = [
  ...[
    "Accept: */*",
    "Accept: \xff",
    "Accept-Encoding: gzip;q=0.5, br, *;q=0",
    "Accept-Encoding: gzip",
  ],
  ...[
    "Accept-Language: tr, en;q=0.1",
    "Accept-Language: ;;;,,,",
    "Accept-Language: *",
    "If-None-Match: *",
  ],
  ...['If-None-Match: W/"x", "y', "Range: bytes=0-1", "Range: bytes=-", "Expect: 100-continue"],
  ...[
    "Content-Encoding: gzip",
    "Content-Type: multipart/form-data; boundary=",
    "Content-Type: \xe9",
  ],
  ...[
    "X-Forwarded-For: 1.2.3.4, ::1, x",
    "X-Forwarded-Proto: gopher",
    "X-HTTP-Method-Override: DELETE",
  ],
  ...[
    "Cookie: pazar=x; pazar=y; =; ;",
    "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Upgrade: h2c",
  ],
  ...[
    "Authorization: Basic eDp5",
    "Authorization: Bearer",
    "Authorization: bearer \t x",
    "X-Api-Key: \xc3\xbc",
  ],
  ...[
    "TE: trailers",
    "Trailer: X",
    "Via: 1.1 x",
    'Forwarded: for="_x"',
    "Max-Forwards: 0",
    "Host2: a",
  ],
]
const methods = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"]
const contentTypes = [
  ...["application/json", "application/json; charset=utf-8", "application/x-www-form-urlencoded"],
  ...["multipart/form-data; boundary=x", "text/plain", "application/octet-stream"],
]

/** Returns the same requests for the same random numbers. */
export function createRequests({ documents, values }: Ingredients, random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T // The list is not empty.
  const chance = (share: number) => random() < share
  const operations = documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, pathParameters]) =>
      Object.entries(pathParameters).map(([method, operation]) => ({ path, method, ...operation })),
    ),
  )
  const hiddenPath = "/api/account/details?api_key=none"
  const corpus = smugglingCorpus(`GET ${hiddenPath} HTTP/1.1\r\nHost: a\r\n\r\n`)

  const value = () => {
    if (chance(0.5)) return pick(values)
    if (chance(0.02)) return "x".repeat(Math.floor(random() * 3_000))
    return chance(0.7) ? pick(oddValues) : String.fromCodePoint(...codePoints())
  }
  const codePoints = () =>
    Array.from({ length: 1 + Math.floor(random() * 12) }, () => 1 + Math.floor(random() * 0xd000))

  function bodyOf(pairs: readonly (readonly [string, string])[], type: string): string {
    if (type.includes("json")) {
      const members = pairs.map(([name, each]) => [name, chance(0.1) ? [each] : each])
      return latin1(JSON.stringify(Object.fromEntries(members)))
    }
    if (!type.includes("multipart")) return encoded(pairs)
    const parts = pairs.map(
      ([name, each]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${latin1(each)}\r\n`,
    )
    return `${parts.join("")}--x--\r\n`
  }
  const encoded = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, each]) => `${name}=${encodeURIComponent(each.toWellFormed())}`).join("&")

  /** A valid request, with parameters of its operation and others, valid and invalid. */
  function described(extra: readonly string[]): string {
    const operation = pick(operations)
    const method = chance(0.1) ? pick(methods) : operation.method.toUpperCase()
    const content = Object.values(operation.requestBody?.content ?? {})
    const known = [
      ...(operation.parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name),
      ...content.flatMap(({ schema }) => Object.keys(schema.properties ?? {})),
      ...["api_key", "lang"],
    ]
    const names = [...known.filter(() => chance(0.8)), ...(chance(0.1) ? ["unknown"] : [])]
    const pairs = names.map((name) => [name, value()] as const)
    const isInBody = method === "POST" ? chance(0.7) : chance(0.05)
    const path = chance(0.05)
      ? `${operation.path}${pick(["/", "//", "/x", "%2f", "/.", ";x"])}`
      : operation.path
    const query = isInBody ? "" : `?${encoded(pairs)}`
    const type = pick(contentTypes)
    const body = isInBody ? bodyOf(pairs, chance(0.9) ? type : pick(contentTypes)) : ""
    return [
      `${method} ${path}${query} HTTP/1.1`,
      "Host: localhost",
      ...(chance(0.3) ? [`X-Api-Key: ${pick(values)}`] : []),
      ...(chance(0.2) ? [`Authorization: Bearer ${pick(values)}`] : []),
      ...(body === "" ? [] : [`Content-Type: ${type}`]),
      ...extra,
      ...[`Content-Length: ${body.length}`, "Connection: close", "", body],
    ].join("\r\n")
  }

  function mutate(text: string): string {
    const at = Math.floor(random() * text.length)
    const end = at + Math.floor(random() * 8)
    const byte = String.fromCharCode(Math.floor(random() * 256))
    const changes = [
      () => text.slice(0, at) + byte + text.slice(at + 1),
      () => text.slice(0, at) + byte + text.slice(at),
      () => text.slice(0, at) + text.slice(end),
      () => text.slice(0, end) + text.slice(at),
      () => text.slice(0, at),
      () =>
        text.slice(0, at) +
        pick(["\r\n", "\n", "\r", "\0", " ", "\t", ":", ",", "%"]) +
        text.slice(at),
    ]
    return pick(changes)()
  }

  return function next(): RandomRequest {
    const kind = pick(requestKinds)
    if (kind === "smuggling") {
      const { text, statuses } = pick(corpus)
      // The last of several is the response to a probe, which is not sent here.
      return { kind, text, statuses: statuses.length > 1 ? statuses.slice(0, -1) : statuses }
    }
    const extra =
      kind === "soup"
        ? Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(oddHeaders))
        : []
    const text = described(extra)
    if (kind !== "mutated") return { kind, text, statuses: null }
    let mutated = mutate(text)
    while (chance(0.4)) mutated = mutate(mutated)
    return { kind, text: mutated, statuses: null }
  }
}
