/**
 * A server that signs as Pazar does, and one that fails or lies, for tests of clients. The first part of a path
 * says how it behaves, the second what its clock says: `/signed/1800000000/api/purchases/validation`.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { type AddressInfo, createServer, type Socket } from "node:net"

export type SigningKey = Readonly<{ privateKey: KeyObject; x: string; kid: string }>

export type Answer = Readonly<{ status: number; reason: string; body: string }>

type Signed = Readonly<{
  key: string
  code: string
  /** Null if none was sent. */
  site: string | null
  nonce: string
  createdAt: number
  tag: string
}>

export type FakePazar = Readonly<{
  url: string
  /** The address of a server whose answers end in the middle. */
  truncatingUrl: string
  /** The address of a server whose headers do not end. */
  headersUrl: string
  /** The public key to pin. */
  pinned: string
  /** The code and the site of every release so far. */
  releases: readonly string[]
  /** How many requests came whose path starts so. */
  count(path: string): number
  close(): Promise<void>
}>

export const item = { id: 7, name: "Sample theme" }

const purchaseOf = (code: string) => ({ purchase_code: code, license_type: "Regular", item })

function answerTo(code: string): Answer {
  if (code === "good") {
    const body = JSON.stringify({ status: "success", data: { purchase: purchaseOf(code) } })
    return { status: 200, reason: "ok", body }
  }
  const reasons: Readonly<Record<string, string>> = { refunded: "revoked_code", full: "site_limit" }
  const reason = reasons[code] ?? "unknown_code"
  return { status: 404, reason, body: '{"status":"error","msg":"Invalid purchase code"}' }
}

export function createSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  return { privateKey, x, kid: thumbprint(x) }
}

/** RFC 7638 */
const thumbprint = (x: string) =>
  createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url")

const digest = (text: string) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`

/** The header fields of a signed answer. */
export function signAnswer(key: SigningKey, answer: Answer, signed: Signed) {
  const { key: apiKey, code, site, nonce, createdAt, tag } = signed
  const question = digest([apiKey, code, ...(site === null ? [] : [site])].join("\n"))
  const expiresAt = createdAt + (answer.status === 200 ? 14 * 86_400 : 300)
  const parameters = `("@status" "unencoded-digest" "pazar-reason" "pazar-question");created=${createdAt};expires=${expiresAt};nonce="${nonce}";keyid="${key.kid}";alg="ed25519";tag="${tag}"`
  const base = [
    `"@status": ${answer.status}`,
    `"unencoded-digest": ${digest(answer.body)}`,
    `"pazar-reason": ${answer.reason}`,
    `"pazar-question": ${question}`,
    `"@signature-params": ${parameters}`,
  ].join("\n")
  const signature = sign(null, Buffer.from(base), key.privateKey).toString("base64")
  return {
    "Unencoded-Digest": digest(answer.body),
    "Pazar-Question": question,
    "Signature-Input": `pazar=${parameters}`,
    Signature: `pazar=:${signature}:`,
  }
}

export const endorse = (by: SigningKey, key: SigningKey) => ({
  by: by.kid,
  sig: sign(null, Buffer.from(`pazar-key:${key.kid}`), by.privateKey).toString("base64url"),
})

const jwk = ({ x, kid }: SigningKey, endorsed: readonly unknown[]) => ({
  kty: "OKP",
  crv: "Ed25519",
  x,
  kid,
  endorsed,
})

/** 64 KB that are 64 MB when they are decoded. */
const bomb = () => Bun.gzipSync(new Uint8Array(64 << 20))

const coded = (body: Uint8Array<ArrayBuffer>) =>
  new Response(body, { headers: { "Content-Encoding": "gzip" } })

const endless = () =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)),
    }),
  )

const html = () =>
  new Response("<!doctype html><title>Sign in to the network</title>", {
    headers: { "Content-Type": "text/html" },
  })

export async function startFakePazar(): Promise<FakePazar> {
  const [pinned, second, third, stranger] = [
    createSigningKey(),
    createSigningKey(),
    createSigningKey(),
    createSigningKey(),
  ]
  const keySet = {
    keys: [
      jwk(third, [endorse(second, third)]),
      jwk(second, [endorse(pinned, second)]),
      jwk(pinned, []),
      jwk(stranger, [endorse(stranger, stranger), { by: pinned.kid, sig: "AAAA" }]),
    ],
  }
  /** Before and after a rotation: the key that endorsed the new one has left the set. */
  const keySets: Readonly<Record<string, typeof keySet>> = {
    "second-alone": { keys: [jwk(second, [endorse(pinned, second)])] },
    "third-alone": { keys: [jwk(third, [endorse(second, third)])] },
  }
  const paths: string[] = []
  const releases: string[] = []
  const unsigned = { key: "", code: "", site: null, nonce: "", createdAt: 0, tag: "" }
  const truncating = await listen((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"status":"succ')
  })
  const headers = await listen((socket) => {
    const lines = "X-More: x\r\n".repeat(1_000)
    const write = () => {
      while (socket.writable && socket.write(lines)) {}
    }
    socket.write("HTTP/1.1 200 OK\r\n")
    socket.on("drain", write)
    write()
  })

  const respond = (answer: Answer, headers: Record<string, string> = {}) =>
    new Response(answer.body, {
      status: answer.status,
      headers: { "Pazar-Reason": answer.reason, "Request-Id": "request-1", ...headers },
    })

  function validate(mode: string, signed: Signed): Response {
    const { code, createdAt } = signed
    const answer = answerTo(code)
    const signedBy = (key: SigningKey, changes: Partial<Signed> = {}) =>
      respond(answer, signAnswer(key, answer, { ...signed, ...changes }))
    switch (mode) {
      case "signed":
        return signedBy(pinned)
      case "endorsed":
      case "second-alone":
        return signedBy(second)
      case "endorsed-twice":
      case "third-alone":
        return signedBy(third)
      case "stranger":
      case "stranger-with-a-bomb":
        return signedBy(stranger)
      case "other-tag":
        return signedBy(pinned, { tag: "pazar-test" })
      case "replayed":
        return signedBy(pinned, { nonce: "an-earlier-nonce-of-ours" })
      case "no-to-another-key":
        return respond(
          answerTo("no"),
          signAnswer(pinned, answerTo("no"), { ...signed, key: "pzr_vk_of-another-author" }),
        )
      case "other-site":
        return signedBy(pinned, { site: "https://elsewhere.example.com" })
      case "relay":
        return respond(
          answerTo("good"),
          signAnswer(pinned, answerTo("good"), { ...signed, code: "good" }),
        )
      case "refund-signed-for-another":
        return respond(
          answerTo("refunded"),
          signAnswer(pinned, answerTo("refunded"), { ...signed, code: "refunded" }),
        )
      case "refunded":
        return respond(answerTo("refunded"), signAnswer(pinned, answerTo("refunded"), signed))
      case "gzip":
        return new Response(Bun.gzipSync(answer.body), {
          status: answer.status,
          headers: {
            ...signAnswer(pinned, answer, signed),
            "Pazar-Reason": answer.reason,
            "Content-Encoding": "gzip",
          },
        })
      case "unsigned":
        return respond(answer)
      case "odd-members":
        return respond({
          ...answer,
          body: JSON.stringify({
            data: {
              purchase: { purchase_code: code, license_type: [], item: { id: 7, name: {} } },
            },
          }),
        })
      case "odd-header":
        return respond({ ...answer, reason: "\u00e9\u00ff" })
      case "always-yes":
        return respond(answerTo("good"))
      case "always-no":
        return respond(answerTo("no"))
      case "plain-404":
        return Response.json({ error: "no route" }, { status: 404 })
      case "bomb":
        return coded(bomb())
      case "bomb-in-a-bomb":
        return coded(Bun.gzipSync(bomb()))
      case "endless":
        return endless()
      case "html":
        return html()
      case "redirect":
        return Response.redirect(`/signed/${createdAt}/api/purchases/validation`, 307)
      case "429":
        return respond({ status: 429, reason: "rate_limited", body: '{"status":"error"}' })
      case "429-for-a-day":
        return respond(
          { status: 429, reason: "rate_limited", body: '{"status":"error"}' },
          { "Retry-After": "86400" },
        )
      case "500":
        return new Response("oops", { status: 500 })
      case "503":
        return respond(
          { status: 503, reason: "unavailable", body: '{"status":"error","msg":"…"}' },
          { "Retry-After": "7200" },
        )
      case "401":
        return respond({ status: 401, reason: "revoked_key", body: '{"status":"error","msg":"…"}' })
      default:
        throw new Error(`unknown mode ${mode}`)
    }
  }

  /** A place is free where the code is good. */
  function release(mode: string, form: URLSearchParams): Response {
    releases.push(`${form.get("purchase_code")} ${form.get("site")}`)
    if (mode !== "signed") return validate(mode, unsigned)
    const isGood = form.get("purchase_code") === "good"
    return respond(isGood ? { status: 200, reason: "ok", body: "{}" } : answerTo("no"))
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      paths.push(pathname)
      const [, mode = "", createdAt = "", ...rest] = pathname.split("/")
      if (mode === "hang") return new Promise<Response>(() => {})
      if (rest.at(-1) === "pazar-keys.json") {
        return mode === "stranger-with-a-bomb"
          ? coded(bomb())
          : Response.json(keySets[mode] ?? keySet)
      }
      const form = new URLSearchParams(await request.text())
      if (rest.at(-1) === "release") return release(mode, form)
      return validate(mode, {
        key: request.headers.get("x-api-key") ?? "",
        code: form.get("purchase_code") ?? "",
        site: form.get("site"),
        nonce: form.get("nonce") ?? "",
        createdAt: Number(createdAt),
        tag: "pazar-validation",
      })
    },
  })
  return {
    url: server.url.origin,
    truncatingUrl: truncating.url,
    headersUrl: headers.url,
    pinned: pinned.x,
    releases,
    count: (path) => paths.filter((seen) => seen.startsWith(path)).length,
    async close() {
      await server.stop(true)
      truncating.close()
      headers.close()
    },
  }
}

/** A server that answers the first bytes of each connection by hand. */
async function listen(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
