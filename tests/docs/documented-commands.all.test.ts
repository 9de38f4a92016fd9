import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { cpSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { plainEnvironment } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

const root = join(import.meta.dir, "../..")
const pages = [
  ...["README.md", "CONTRIBUTING.md", "deploy/README.md", "clients/php/README.md", "sdk/README.md"],
  ...new Bun.Glob("docs/**/*.md").scanSync(root),
]
const texts = [...new Bun.Glob("src/docs/text/**/*.md").scanSync(root)]
const read = (page: string) => readFileSync(join(root, page), "utf8")

const token = "operator-token-of-the-documentation"
const metricsToken = "metrics-token-of-the-documentation"
let program: Program
let env: Record<string, string | undefined>
beforeAll(async () => {
  program = await startProgram({ PAZAR_OPERATOR_TOKEN: token, PAZAR_METRICS_TOKEN: metricsToken })
  await program.load(read("examples/feed.ndjson"))
  cpSync(join(root, "examples"), join(program.folder, "examples"), { recursive: true })
  env = {
    ...plainEnvironment,
    DATABASE_URL: `sqlite:${join(program.folder, "data/pazar.db")}`,
    PAZAR_OPERATOR_TOKEN: token,
    PAZAR_METRICS_TOKEN: metricsToken,
  }
})
afterAll(() => program.close())

type Block = Readonly<{ language: string; text: string }>

const blocksOf = (page: string): readonly Block[] =>
  [...read(page).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }))

/** `npx pazar` runs the checkout; `serve` does nothing, because the server runs already. */
const prelude = `set -eu
npx() { shift; [ "$1" = serve ] || node "${root}/bin/pazar.mjs" "$@"; }
`
/** `npm test` and `npm start` have their own tests. */
const isOwnCommand = (text: string) => /^npm (start|test)\n$/.test(text)

/** A reader has one terminal for the whole page, but each test has its own shell. */
const exportsOf = (page: string) => (read(page).match(/^export \w+=.*\n/gm) ?? []).join("")

async function run(page: string, text: string) {
  const script = prelude + exportsOf(page) + text.replaceAll("http://127.0.0.1:8080", program.url)
  const shell = Bun.spawn(["sh", "-c", script], { cwd: program.folder, env, stderr: "pipe" })
  const [stdout, stderr] = await Promise.all([shell.stdout.text(), shell.stderr.text()])
  return { status: await shell.exited, stdout, stderr }
}

const hasCommands = (page: string) => blocksOf(page).some(({ language }) => language === "sh")

describe.each([...pages, ...texts].filter(hasCommands))("%s", (page) => {
  const blocks = blocksOf(page)
  const shown = blocks.map((block, index) => ({ ...block, response: blocks[index + 1] }))
  const commands = shown.filter(({ language, text }) => language === "sh" && !isOwnCommand(text))
  test.each(commands)("$text", async ({ text, response }) => {
    const { status, stdout, stderr } = await run(page, text)
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" })
    if (response?.language === "json") expect(JSON.parse(stdout)).toEqual(JSON.parse(response.text))
    else if (text.includes("/api/items/all")) expect(stdout).toMatch(/^(\{"status":"success"|304)/m)
  })
})

async function isListening(url: string): Promise<boolean> {
  try {
    await fetch(url)
    return true
  } catch {
    return false
  }
}

test("npm start prints four curl commands that work when pasted, and stops on a signal", async () => {
  // Start without the data of an earlier demo.
  const checkout = temporaryFolder()
  for (const name of ["package.json", "tsconfig.json", "scripts", "bin", "src", "node_modules"]) {
    symlinkSync(join(root, name), join(checkout, name))
  }
  const start = Bun.spawn(["npm", "start"], {
    cwd: checkout,
    env: { ...plainEnvironment, PORT: "0" },
    stderr: "ignore",
  })
  let text = ""
  for await (const chunk of start.stdout) {
    text += new TextDecoder().decode(chunk)
    if (/^curl .*\/purchases\/validation\n/m.test(text)) break
  }
  const lines = text.split("\n").filter((line) => line.startsWith("curl "))
  expect(lines.length).toBe(4)
  for (const line of lines) {
    const curl = Bun.spawn(["sh", "-c", line], { stderr: "ignore" })
    expect(JSON.parse(await curl.stdout.text()).status).toBe("success")
  }
  // npm sends the signal to a shell that does not forward it; the server must stop nevertheless.
  const [url = ""] = /http:\S+/.exec(text) ?? []
  start.kill("SIGTERM")
  await start.exited
  // It accepts requests for five more seconds.
  await until(async () => ((await isListening(url)) ? undefined : true), workMsMax)
  rmSync(checkout, { recursive: true })
})
