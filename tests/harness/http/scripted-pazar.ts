/**
 * A server that responds by script: as `clients/policy.json` describes responses, and in ways of no real server. The
 * script of a request is the first segment of its path, so one server is enough for all lists of steps.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer } from "node:net"

export type SigningKey = Readonly<{ privateKey: KeyObject; x: string; kid: string }>

export type ScriptedResponse =
  | string
  | Readonly<{
      status?: number
      reason?: string | null
      signed?: string | false
      item?: number
      for?: Readonly<{
        code?: string
        site?: string | null
        key?: string
        nonce?: string
        tag?: string
      }>
      supportedFor?: number
      expiresAfter?: number
      retryAfter?: number
    }>

export type Script = Readonly<{
  at: number
  id?: string
  response?: ScriptedResponse
  release?: ScriptedResponse
  download?: ScriptedResponse
  keySet?: readonly Readonly<{ key: string; endorsedBy: readonly string[] }>[]
  /** The default signer of responses, or false for unsigned responses. */
  signed?: string | false
}>

export type ScriptedPazar = Readonly<{
  url(script: Script): string
  headersUrl: string
  /** The public key of a signer, by its name. */
  pin(name: string): string
  /** The endorsement of a signer's key by another signer, both by name. */
  endorse(by: string, name: string): Readonly<{ by: string; sig: string }>
  /** The forms of requests so far, of scripts with this id and paths with this end. */
  forms(id: string, path?: string): readonly Readonly<Record<string, string>>[]
  close(): Promise<void>
}>

export function createSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  const kid = sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).toString("base64url")
  return { privateKey, x, kid }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest()
const digest = (text: string) => `sha-256=:${sha256(text).toString("base64")}:`

export type Signed = Readonly<{
  status: number
  reason: string
  body: string
  key: string
  code: string
  /** Null if the request has no site. */
  site: string | null
  nonce: string
  tag: string
  created: number
  expires: number
}>

export function signResponse(signer: SigningKey, signed: Signed) {
  const { key, code, site, created, expires, nonce, tag } = signed
  const question = digest([key, code, ...(site === null ? [] : [site])].join("\n"))
  const parameters = `("@status" "unencoded-digest" "pazar-reason" "pazar-question");created=${created};expires=${expires};nonce="${nonce}";keyid="${signer.kid}";alg="ed25519";tag="${tag}"`
  const base = [
    `"@status": ${signed.status}`,
    `"unencoded-digest": ${digest(signed.body)}`,
    `"pazar-reason": ${signed.reason}`,
    `"pazar-question": ${question}`,
    `"@signature-params": ${parameters}`,
  ].join("\n")
  return {
    "Unencoded-Digest": digest(signed.body),
    "Pazar-Question": question,
    "Signature-Input": `pazar=${parameters}`,
    Signature: `pazar=:${sign(null, Buffer.from(base), signer.privateKey).toString("base64")}:`,
  }
}

export const endorse = (by: SigningKey, key: SigningKey) => ({
  by: by.kid,
  sig: sign(null, Buffer.from(`pazar-key:${key.kid}`), by.privateKey).toString("base64url"),
})

const day = 86_400
const errorBody = '{"status":"error","msg":"Invalid purchase code"}'
const isoTime = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

export function validBody(code: string, script: Script, itemId: number, supportedFor?: number) {
  const supported =
    supportedFor === undefined ? {} : { supported_until: isoTime(script.at + supportedFor) }
  const item = { id: itemId, name: "Sample theme" }
  const purchase = { purchase_code: code, license_type: "Regular", item, ...supported }
  return JSON.stringify({ status: "success", data: { purchase } })
}

/** 64 KB that are 64 MB when decoded. */
const bomb = () => Bun.gzipSync(new Uint8Array(64 << 20))
const gzipped = (body: Uint8Array<ArrayBuffer>) =>
  new Response(body, { headers: { "Content-Encoding": "gzip" } })

const others: Readonly<Record<string, () => Response | Promise<Response>>> = {
  html: () => new Response("<!doctype html><title>Sign in to the network</title>"),
  redirect: () => new Response(null, { status: 307, headers: { Location: "/elsewhere" } }),
  plain_404: () => Response.json({ error: "no route" }, { status: 404 }),
  download: () =>
    Response.json(
      { status: "success", data: { url: "/downloads/TOKEN" } },
      { headers: { "Pazar-Reason": "ok" } },
    ),
  hang: () => new Promise(() => {}),
  bomb: () => gzipped(bomb()),
  bomb_in_a_bomb: () => gzipped(Bun.gzipSync(bomb())),
  endless: () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)),
      }),
    ),
  // Simulated by the test clients, which abort the request or discard the response.
  ...Object.fromEntries(
    ["refused", "timeout", "cut_off"].map((name) => [
      name,
      () =>
        new Response("", { headers: { "X-Failure": name === "timeout" ? name : "unreachable" } }),
    ]),
  ),
}

export async function startScriptedPazar(): Promise<ScriptedPazar> {
  const signers = new Map<string, SigningKey>()
  const signerOf = (name: string) => {
    const signer = signers.get(name) ?? createSigningKey()
    signers.set(name, signer)
    return signer
  }
  const seen: Readonly<{ id: string; path: string; form: Readonly<Record<string, string>> }>[] = []

  function respond(
    script: Script,
    scripted: ScriptedResponse,
    form: Readonly<Record<string, string>>,
    key: string,
  ): Response | Promise<Response> {
    const other = typeof scripted === "string" ? others[scripted] : undefined
    if (other !== undefined) return other()
    const response = typeof scripted === "string" ? {} : scripted
    const reason = response.reason === undefined ? "ok" : response.reason
    const status = response.status ?? (reason === "ok" ? 200 : 404)
    const code = form.purchase_code ?? ""
    const purchaseBody = validBody(code, script, response.item ?? 7, response.supportedFor)
    const body =
      scripted === "other_json" ? '{"status":"success"}' : status === 200 ? purchaseBody : errorBody
    const created = script.at
    const signed = {
      status,
      reason: reason ?? "",
      body,
      key,
      code,
      site: form.site ?? null,
      nonce: form.nonce ?? "",
      tag: key.startsWith("pzr_tk_") ? "pazar-test" : "pazar-validation",
      created,
      expires: created + (response.expiresAfter ?? (status === 200 ? 14 * day : 300)),
      ...response.for,
    }
    const signer = response.signed ?? script.signed ?? "a"
    const isSigned = signer !== false && form.nonce !== undefined && [200, 404].includes(status)
    const { retryAfter } = response
    return new Response(scripted === "gzip" ? Bun.gzipSync(body) : body, {
      status,
      headers: {
        ...(reason !== null && { "Pazar-Reason": reason }),
        ...(isSigned && signResponse(signerOf(signer), signed)),
        ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
        ...(scripted === "gzip" && { "Content-Encoding": "gzip" }),
      },
    })
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const [, encoded = "", ...rest] = new URL(request.url).pathname.split("/")
      const script: Script = JSON.parse(Buffer.from(encoded, "base64url").toString())
      const path = rest.join("/")
      const form = Object.fromEntries(new URLSearchParams(await request.text()))
      seen.push({ id: script.id ?? "", path, form })
      if (path === ".well-known/pazar-keys.json") {
        if (script.response === "stranger_with_a_bomb") return gzipped(bomb())
        const keys = (script.keySet ?? []).map(({ key, endorsedBy }) => ({
          kty: "OKP",
          crv: "Ed25519",
          x: signerOf(key).x,
          kid: signerOf(key).kid,
          endorsed: endorsedBy.map((by) => endorse(signerOf(by), signerOf(key))),
        }))
        return Response.json({ keys })
      }
      const unsigned: Readonly<Record<string, ScriptedResponse | undefined>> = {
        "api/purchases/release": script.release ?? {},
        "api/purchases/download": script.download ?? {},
      }
      const scripted = unsigned[path] ?? script.response
      const key = request.headers.get("x-api-key") ?? ""
      if (path in unsigned) return respond({ ...script, signed: false }, scripted ?? {}, form, key)
      const isBomb = scripted === "stranger_with_a_bomb"
      return respond(script, isBomb ? { signed: "stranger" } : (scripted ?? {}), form, key)
    },
  })
  const headers = await listenWithEndlessHeaders()
  return {
    url: (script) =>
      `${server.url.origin}/${Buffer.from(JSON.stringify(script)).toString("base64url")}`,
    headersUrl: headers.url,
    pin: (name) => signerOf(name).x,
    endorse: (by, name) => endorse(signerOf(by), signerOf(name)),
    forms: (id, path = "api/purchases/validation") =>
      seen.filter((one) => one.id === id && one.path === path).map(({ form }) => form),
    async close() {
      await server.stop(true)
      headers.close()
    },
  }
}

async function listenWithEndlessHeaders() {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    const write = () => {
      while (socket.writable && socket.write("X-More: x\r\n".repeat(1_000))) {}
    }
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\n")
      socket.on("drain", write)
      write()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
