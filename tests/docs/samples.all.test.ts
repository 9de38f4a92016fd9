import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { type PageSample, samplesOf } from "../harness/browser/docs-page.ts"
import { operationPaths } from "../harness/browser/docs-paths.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { plainEnvironment } from "../harness/run-pazar.ts"

let program: Program
let samples: readonly PageSample[]
let fake: Server
let fakeUrl: string
beforeAll(async () => {
  program = await startProgram()
  const pages = await Promise.all(
    operationPaths.map(async (path) => (await fetch(program.url + path)).text()),
  )
  samples = pages.flatMap(samplesOf)
  fake = createServer(({ url = "" }, response) => {
    const [, name = ""] = url.split("/")
    fakes[name]?.(response)
  })
  await new Promise<void>((resolve) => fake.listen(0, "127.0.0.1", resolve))
  // `as`: the address of a server that listens on a port has this type.
  const { port } = fake.address() as AddressInfo
  fakeUrl = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  fake.close()
  await program.close()
})

const runners: Readonly<Record<string, readonly [file: string, command: string]>> = {
  curl: ["sample.sh", "sh"],
  php: ["sample.php", "php"],
  javascript: ["sample.mjs", "node"],
  python: ["sample.py", "python3"],
  java: ["Sample.java", "java"],
  go: ["sample.go", "go"],
  csharp: ["sample.cs", "mcs"],
}
const languages = Object.keys(runners)

async function run(language: string, texts: readonly string[]): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(program.folder, "sample-"))
  if (language === "java") return runJava(cwd, texts)
  if (language === "go") return runGo(cwd, texts)
  if (language === "csharp") return runCsharp(cwd, texts)
  const [file, command] = runners[language] ?? ["", ""]
  return inTurn(texts, (text, at) => {
    writeFileSync(join(cwd, `${at}-${file}`), text)
    return readOutput(cwd, command, `${at}-${file}`)
  })
}

/** Runs them one at a time: samples have a time-out of five seconds. */
async function inTurn(
  texts: readonly string[],
  runOne: (text: string, at: number) => Promise<string>,
): Promise<readonly string[]> {
  const outputs: string[] = []
  for (const [at, text] of texts.entries()) outputs.push(await runOne(text, at))
  return outputs
}

/** Compiled together under separate names, because starting the compiler takes most of the time. */
async function runJava(cwd: string, texts: readonly string[]): Promise<readonly string[]> {
  const names = texts.map((_, at) => `Sample${at}`)
  for (const [at, text] of texts.entries()) {
    const source = text.replace(/public class \w+/, `public class Sample${at}`)
    writeFileSync(join(cwd, `Sample${at}.java`), source)
  }
  // Short programs end before optimized code would pay off.
  const quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
  const compiler = ["javac", ...quick.map((option) => `-J${option}`)]
  await readOutput(cwd, ...compiler, ...names.map((name) => `${name}.java`))
  return inTurn(names, (name) => readOutput(cwd, "java", ...quick, "-cp", ".", name))
}

/** Each program is called main and has its own folder. One build shares compiled packages. */
async function runGo(cwd: string, texts: readonly string[]): Promise<readonly string[]> {
  writeFileSync(join(cwd, "go.mod"), "module samples\n")
  for (const [at, text] of texts.entries()) {
    mkdirSync(join(cwd, `sample${at}`))
    writeFileSync(join(cwd, `sample${at}/main.go`), text)
  }
  mkdirSync(join(cwd, "bin"))
  await readOutput(cwd, "go", "build", "-o", "bin/", "./...")
  return inTurn(texts, (_, at) => readOutput(cwd, `./bin/sample${at}`))
}

/** Compiled together, as for Java. The first argument selects the program. */
async function runCsharp(cwd: string, texts: readonly string[]): Promise<readonly string[]> {
  for (const [at, text] of texts.entries()) {
    writeFileSync(join(cwd, `${at}.cs`), text.replace(/public class \w+/, `class Sample${at}`))
  }
  const cases = texts.map((_, at) => `if (args[0] == "${at}") Sample${at}.Main();`)
  const main = `class All { static void Main(string[] args) { ${cases.join(" ")} } }`
  writeFileSync(join(cwd, "All.cs"), main)
  const references = ["Net.Http", "Runtime.Serialization", "Xml", "Xml.Linq"]
  const options = ["-main:All", ...references.map((name) => `-r:System.${name}.dll`)]
  await readOutput(cwd, "mcs", ...options, "-out:all.exe", "-recurse:*.cs")
  return inTurn(texts, (_, at) => readOutput(cwd, "mono", "all.exe", String(at)))
}

function readOutput(cwd: string, ...command: readonly string[]): Promise<string> {
  return Bun.spawn([...command], { cwd, env: plainEnvironment, stderr: "ignore" }).stdout.text()
}

const find = (id: string, language: string) =>
  samples.find((sample) => sample.id === id && sample.language === language)?.text ?? ""

const responses: Readonly<Record<string, string>> = {
  validate_purchase: "test-regular",
  read_account: "Sample Author",
  list_items: "Sample video",
  read_item: "Sample theme",
  find_sale: "Regular License",
  list_purchases: "test-regular",
  list_sites: "first_day",
  list_sales: "Regular License",
}

describe.each(languages)("%s", (language) => {
  test("200: every sample runs unchanged", async () => {
    const ids = Object.keys(responses)
    const outputs = await run(
      language,
      ids.map((id) => find(id, language)),
    )
    const found = ids.map((id, at) => {
      const [first = ""] = outputs[at]?.split("\n") ?? []
      return [id, /\b200\b/.test(first), outputs[at]?.includes(responses[id] ?? "")]
    })
    expect(found).toEqual(ids.map((id) => [id, true, true]))
  })
})

const purchase = (id: number) =>
  JSON.stringify({
    status: "success",
    data: { purchase: { purchase_code: "test-extended", item: { id, name: "Tema" }, price: 1 } },
  }).replace('"price":1', '"price":1,"date":"2024-07-01T12:00:00Z"')
const invalid = '{"status":"error","msg":"Invalid purchase code"}'

type Reply = (response: ServerResponse) => void
const reply =
  (status: number, reason: string, body: string): Reply =>
  (response) =>
    response.writeHead(status, { "Pazar-Reason": reason }).end(body)
const breakOff =
  (status: number, reason: string, body: string): Reply =>
  (response) => {
    const headers = { "Pazar-Reason": reason, "Content-Length": Buffer.byteLength(body) }
    response.writeHead(status, headers).write(body.slice(0, -9), () => response.destroy())
  }
/** Ends like an HTTP/1.0 server, whose clients cannot detect that bytes are missing. */
const endEarly =
  (status: number, reason: string, body: string): Reply =>
  ({ socket }) =>
    socket?.end(`HTTP/1.0 ${status} X\r\nPazar-Reason: ${reason}\r\n\r\n${body}`)

const fakes: Readonly<Record<string, Reply>> = {
  portal: (response) => response.end("<h1>Hotel network</h1>"),
  "portal-of-pazar": reply(200, "ok", "<h1>Hotel network</h1>"),
  "other-json": reply(200, "ok", '{"status":"success"}'),
  "other-item": reply(200, "ok", purchase(12)),
  "cut-off": breakOff(200, "ok", purchase(1)),
  "cut-off-404": breakOff(404, "unknown_code", invalid),
  "half-a-body": endEarly(200, "ok", purchase(1).slice(0, -1)),
  "half-a-purchase": endEarly(200, "ok", purchase(1).slice(0, 120)),
  "half-a-404": endEarly(404, "unknown_code", invalid.slice(0, -1)),
  "no-404": reply(404, "unknown_code", ""),
}

describe.each(languages.filter((language) => language !== "curl"))("%s decides", (language) => {
  const decisions: readonly (readonly [verdict: string, code: string, server?: string])[] = [
    ["valid", "test-extended"],
    ["invalid", "test-revoked"],
    ["invalid", "test-site-limit"],
    ["invalid", "test-unknown"],
    ["unknown", "test-rate-limited"],
    ["unknown", "test-unavailable"],
    ["unknown", "test-regular", "nowhere"],
    ["invalid", "test-regular", "other-item"],
    ...Object.keys(fakes)
      .filter((name) => name !== "other-item")
      .map((name) => ["unknown", "test-regular", name] as const),
  ]

  test("valid, invalid, or keep the last state", async () => {
    const sample = find("validate_purchase", language)
    const outputs = await run(
      language,
      decisions.map(([, code, server]) => {
        const url = server === "nowhere" ? "http://127.0.0.1:1" : `${fakeUrl}/${server}`
        const text = sample.replace("test-regular", code)
        return server === undefined ? text : text.replaceAll(program.url, url)
      }),
    )
    const seen = outputs.map((output, at) => {
      const [, line = "nothing", ...rest] = output.split("\n")
      const verdict = line.startsWith("valid: test-extended, Sample ") ? "valid" : line
      return [
        verdict.replace(/^unknown:.*/, "unknown"),
        ...(decisions[at]?.slice(1) ?? []),
        ...rest,
      ]
    })
    expect(seen).toEqual(decisions.map((decision) => [...decision, ""]))
  })
})

describe.each(["en", "tr"])("the guide to signatures in %s", (lang) => {
  const read = async () =>
    (await fetch(`${program.url}/docs/verify-signatures.md?lang=${lang}`)).text()

  test("its code accepts the response of the test vector, and no other", async () => {
    const [, sample = ""] = /^```js\n(.*?)^```$/ms.exec(await read()) ?? []
    const changed = [
      ["status = 200", "status = 404"],
      ['"CODE-12"', '"CODE-13"'],
      ["/shop/", "/"],
      ['nonce = "0', 'nonce = "1'],
      ["pazar=:p64a", "pazar=:p64b"],
      ["11qYAYKx", "11qYAYKy"],
    ].map(([from = "", to = ""]) => sample.replace(from, to))
    const [genuine, ...others] = await run("javascript", [sample, ...changed])
    expect(genuine).toMatch(/^.+\n$/)
    expect(new Set(others).size).toBe(1)
    expect(others).not.toContain(genuine ?? "")
  })
})

test("the first validation in PHP needs one paste", async () => {
  const page = await (await fetch(`${program.url}/docs`)).text()
  const pasted = samplesOf(page).find(({ language }) => language === "php")?.text ?? ""
  expect(await run("php", [pasted])).toEqual([
    expect.stringMatching(/^200 ok\n.*test-regular, Sample theme\n$/),
  ])
})
