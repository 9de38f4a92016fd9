/**
 * PHP for the tests: the installed one, with cURL and sodium, and from npm the oldest and newest that the PHP client
 * supports. The latter run inside this process, without sodium and network.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { type CommandResult, plainEnvironment } from "../run-pazar.ts"

type PhpOptions = Readonly<{ input?: string; env?: Record<string, string>; cwd?: string }>

export function runPhp(args: readonly string[], options: PhpOptions = {}): Promise<CommandResult> {
  const child = spawn("php", args, {
    cwd: options.cwd,
    env: { ...plainEnvironment, ...options.env },
  })
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text
  })
  // A script that does not read its input closes it.
  child.stdin.on("error", () => {})
  child.stdin.end(options.input)
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (status) => resolve({ status, stdout, stderr }))
  })
}

type Loader = Readonly<{ getPHPLoaderModule(): Promise<unknown> }>
/** What is used of the package. Its types are missing until `npm test` needs it and installs it. */
type Universal = Readonly<{
  loadPHPRuntime(module: unknown, options: object): Promise<number>
  PHP: new (
    runtime: number,
  ) => {
    mkdir(path: string): void
    writeFile(path: string, content: Uint8Array): void
    onMessage(listener: (text: string) => Promise<string>): void
    run(request: { code: string }): Promise<{ exitCode: number; text: string; errors: string }>
    exit(): void
  }
}>
const universal: string = "@php-wasm/universal"
const loaders = { "7.4": "@php-wasm/node-7-4", "8.4": "@php-wasm/node-8-4" }

export type BundledPhp = Readonly<{
  addFile(path: string, source: string): void
  /** Runs code that starts with `<?php` in a new request. Throws on a fatal error. */
  run(code: string): Promise<CommandResult>
  close(): void
}>

/** `onMessage` responds to PHP's `post_message_to_js`. Opening takes one to two seconds. */
export async function openBundledPhp(
  version: keyof typeof loaders,
  onMessage: (text: string) => Promise<string>,
): Promise<BundledPhp> {
  const { loadPHPRuntime, PHP }: Universal = await import(universal)
  const { getPHPLoaderModule }: Loader = await import(loaders[version])
  const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule(), {}))
  php.onMessage(onMessage)
  return {
    addFile(path, source) {
      php.mkdir(path.slice(0, path.lastIndexOf("/")))
      php.writeFile(path, readFileSync(source))
    },
    async run(code) {
      const { exitCode, text, errors } = await php.run({ code })
      return { status: exitCode, stdout: text, stderr: errors }
    },
    close: () => php.exit(),
  }
}
