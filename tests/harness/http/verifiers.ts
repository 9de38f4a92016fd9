/**
 * Verifies signed responses in other runtimes, with scripts that share no code with the program. Each script gets all
 * cases together, because starting a runtime costs more than a verification.
 */
import { createHash, createPublicKey } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createVerifier, httpbis } from "http-message-signatures"
import { openPage } from "../browser/browser.ts"
import { isFullTestRun } from "../full-test-run.ts"
import { plainEnvironment } from "../run-pazar.ts"

/** A signed response, and the values that the verifier expects in it. */
export type SignedCase = Readonly<{
  status: number
  reason: string
  body: string
  signature_input: string
  signature: string
  /** Public keys by their ids. */
  keys: Readonly<Record<string, string>>
  /** The key, the code and, if sent, the site, joined by line feeds. */
  question: string
  nonce: string
  tag: string
  now: number
}>

type Verifier = Readonly<{
  name: string
  verify(cases: readonly SignedCase[]): Promise<readonly boolean[]>
}>

const scripts = join(import.meta.dir, "verifiers")

async function run(command: readonly string[], input: string): Promise<readonly boolean[]> {
  const child = Bun.spawn([...command], {
    env: plainEnvironment,
    stdin: new Blob([input]),
    stderr: "pipe",
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed: ${stderr}`)
  return JSON.parse(stdout)
}

const inScript = (...command: readonly string[]) => ({
  name: command[0] ?? "",
  verify: (cases: readonly SignedCase[]) => run(command, JSON.stringify(cases)),
})

const sha256 = (text: string) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`

/** An implementation of RFC 9421 that knows nothing of Pazar. */
const library: Verifier = {
  name: "http-message-signatures",
  verify: (cases) =>
    Promise.all(
      cases.map(async ({ status, reason, body, question, nonce, tag, keys, now, ...signed }) => {
        const headers = {
          "Unencoded-Digest": sha256(body),
          "Pazar-Reason": reason,
          "Pazar-Question": sha256(question),
          "Signature-Input": signed.signature_input,
          Signature: signed.signature,
        }
        const verified = await httpbis
          .verifyMessage(
            {
              requiredFields: ["@status", "unencoded-digest", "pazar-reason", "pazar-question"],
              async keyLookup(parameters) {
                const x = keys[parameters.keyid ?? ""]
                const isExpected = parameters.nonce === nonce && parameters.tag === tag
                if (x === undefined || !isExpected || Number(parameters.expires) < now) return null
                const jwk = { kty: "OKP", crv: "Ed25519", x }
                const key = createPublicKey({ format: "jwk", key: jwk })
                return { algs: ["ed25519"], verify: createVerifier(key, "ed25519") }
              },
            },
            { status, headers },
          )
          .catch(() => false)
        return verified === true
      }),
    ),
}

const java: Verifier = {
  name: "java",
  verify(cases) {
    const lines = cases.map((one) => {
      const [[keyId = "", publicKey = ""] = []] = Object.entries(one.keys)
      const { status, reason, body, signature_input, signature, question, nonce, tag } = one
      return [
        ...[status, reason, body, signature_input, signature],
        ...[keyId, publicKey, question, nonce, tag, one.now],
      ]
        .map((field) => Buffer.from(String(field)).toString("base64"))
        .join(" ")
    })
    return run(["java", join(scripts, "Verify.java")], lines.join("\n"))
  },
}

const browser: Verifier = {
  name: "browser",
  async verify(cases) {
    const page = await openPage()
    // WebCrypto exists only on pages from a trustworthy origin, such as this machine.
    const site = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") })
    try {
      await page.goto(site.url.href)
      await page.evaluate(readFileSync(join(scripts, "verify-in-browser.js"), "utf8"))
      return await page.evaluate(`verifyAll(${JSON.stringify(cases)})`)
    } finally {
      await page.context().close()
      await site.stop(true)
    }
  },
}

/** Runtimes other than Node and Bun run only in `npm test -- --all`. */
export const verifiers: readonly Verifier[] = [
  library,
  inScript("node", join(scripts, "verify.mjs")),
  { ...inScript(process.execPath, join(scripts, "verify.mjs")), name: "bun" },
  ...(isFullTestRun
    ? [
        browser,
        inScript("php", join(scripts, "verify.php")),
        inScript("python3", join(scripts, "verify.py")),
        java,
      ]
    : []),
]
