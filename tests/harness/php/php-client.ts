/** Runs scenarios of `php-scenarios.php` in the installed PHP, or in one of the versions from npm. */
import { spawn } from "node:child_process"
import { createPublicKey, verify } from "node:crypto"
import { cpSync, readdirSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import manifest from "../../../package.json"
import { plainEnvironment } from "../run-pazar.ts"
import { type BundledPhp, openBundledPhp } from "./php.ts"

export const clientFolder = fileURLToPath(new URL("../../../clients/php", import.meta.url))
const scenarios = fileURLToPath(new URL("php-scenarios.php", import.meta.url))

export type Step = Readonly<{
  call: string
  arguments?: readonly unknown[]
  now?: number
  options?: Readonly<Record<string, unknown>>
}>

export type Scenario = Readonly<{
  options?: Readonly<Record<string, unknown>>
  steps: readonly Step[]
}>

export type PhpClient = Readonly<{
  run(scenario: Scenario): Promise<readonly unknown[]>
  close(): Promise<void>
}>

/** One process for any number of sequential scenarios. */
export function openInstalledClient(phpArguments: readonly string[] = []): PhpClient {
  const child = spawn("php", [...phpArguments, scenarios], {
    env: { ...plainEnvironment, PAZAR_PHP: `${clientFolder}/pazar.php` },
    stdio: ["pipe", "pipe", "inherit"],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = new Promise((resolve) => child.on("close", resolve))
  return {
    async run(scenario) {
      child.stdin.write(`${JSON.stringify(scenario)}\n`)
      const { value } = await lines.next()
      return JSON.parse(value ?? "null")
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}

export async function openBundledClient(version: "7.4" | "8.4"): Promise<PhpClient> {
  const php = await openBundledPhp(version, respondToMessage)
  addClient(php)
  php.addFile("/client/php-scenarios.php", scenarios)
  return {
    async run(scenario) {
      const encoded = Buffer.from(JSON.stringify(scenario)).toString("base64")
      const { stdout } = await php.run(
        `<?php require '/client/php-scenarios.php'; echo json_encode(runScenario(json_decode(base64_decode('${encoded}'), true)));`,
      )
      return JSON.parse(stdout)
    },
    close: async () => php.close(),
  }
}

const [major] = manifest.version.split(".")
/** Versions of newer copies. As text, 100 would be less than 2. */
export const newerVersion = `${major}.100.0`
export const newestVersion = `${major}.200.0`

/** Copies the client as an author does who ships it in a product. */
export function copyClient(to: string): void {
  cpSync(`${clientFolder}/pazar.php`, `${to}/pazar.php`)
  cpSync(`${clientFolder}/src`, `${to}/src`, { recursive: true })
}

export function addClient(php: BundledPhp): void {
  for (const file of [
    "pazar.php",
    ...readdirSync(`${clientFolder}/src`).map((name) => `src/${name}`),
  ]) {
    php.addFile(`/client/${file}`, `${clientFolder}/${file}`)
  }
}

/** Replaces sodium and the network. */
async function respondToMessage(text: string): Promise<string> {
  const message = JSON.parse(text)
  return message.verify === undefined
    ? JSON.stringify(await send(message.send))
    : String(isSignature(message.verify))
}

type Encoded = Readonly<{ signature: string; message: string; key: string }>

function isSignature({ signature, message, key }: Encoded): boolean {
  const x = Buffer.from(key, "base64").toString("base64url")
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
  return verify(null, Buffer.from(message, "base64"), publicKey, Buffer.from(signature, "base64"))
}

type Sent = Readonly<{
  url: string
  headers: Record<string, string>
  form: string | null
  timeout: number
}>

async function send({ url, headers, form, timeout }: Sent) {
  try {
    const response = await fetch(url, {
      method: form === null ? "GET" : "POST",
      headers,
      body: form,
      redirect: "manual",
      signal: AbortSignal.timeout(timeout * 1000),
    })
    const body = Buffer.from(await response.arrayBuffer()).toString("base64")
    return { status: response.status, headers: Object.fromEntries(response.headers), body }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError"
    return { failure: isTimeout ? "timeout" : "unreachable" }
  }
}
