/** Every sample of the reference is run as it stands in the page. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type PageSample, samplesOf } from "../../harness/browser/docs-page.ts"
import { operationPaths } from "../../harness/browser/docs-paths.ts"
import { plainEnvironment } from "../../harness/command.ts"
import { type Program, startProgram } from "../../harness/program.ts"

let program: Program
let samples: readonly PageSample[]
let portal: Bun.Server<undefined>
beforeAll(async () => {
  program = await startProgram()
  const pages = await Promise.all(
    operationPaths.map(async (path) => (await fetch(program.url + path)).text()),
  )
  samples = pages.flatMap(samplesOf)
  portal = Bun.serve({ port: 0, fetch: () => new Response("<h1>Hotel network</h1>") })
})
afterAll(async () => {
  await portal.stop(true)
  await program.close()
})

/** The file a sample is saved as, and what runs it. */
const runners: Readonly<Record<string, readonly [file: string, command: string]>> = {
  curl: ["sample.sh", "sh"],
  php: ["sample.php", "php"],
  javascript: ["sample.mjs", "node"],
  python: ["sample.py", "python3"],
  java: ["Sample.java", "java"],
}
const languages = Object.keys(runners)

/** The output of each of these programs. */
async function run(language: string, texts: readonly string[]): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(program.folder, "sample-"))
  if (language === "java") return runJava(cwd, texts)
  const [file, command] = runners[language] ?? ["", ""]
  return Promise.all(
    texts.map((text, at) => {
      writeFileSync(join(cwd, `${at}-${file}`), text)
      return readOutput(cwd, command, `${at}-${file}`)
    }),
  )
}

/** Compiled together, under names of their own: starting the compiler takes longer than all the rest. */
async function runJava(cwd: string, texts: readonly string[]): Promise<readonly string[]> {
  const names = texts.map((_, at) => `Sample${at}`)
  for (const [at, text] of texts.entries()) {
    const source = text.replace(/public class \w+/, `public class Sample${at}`)
    writeFileSync(join(cwd, `Sample${at}.java`), source)
  }
  // Short programs end before optimised code would pay.
  const quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
  const compiler = ["javac", ...quick.map((option) => `-J${option}`)]
  await readOutput(cwd, ...compiler, ...names.map((name) => `${name}.java`))
  return Promise.all(names.map((name) => readOutput(cwd, "java", ...quick, "-cp", ".", name)))
}

function readOutput(cwd: string, ...command: readonly string[]): Promise<string> {
  return Bun.spawn([...command], { cwd, env: plainEnvironment, stderr: "ignore" }).stdout.text()
}

const find = (id: string, language: string) =>
  samples.find((sample) => sample.id === id && sample.language === language)?.text ?? ""

/** A part of each answer. */
const answers: Readonly<Record<string, string>> = {
  validate_purchase: "test-regular",
  read_account: "Sample Author",
  list_items: "Sample video",
  read_item: "Sample theme",
  find_sale: "Regular License",
}

describe.each(languages)("%s", (language) => {
  test("200: every sample, as it is", async () => {
    const ids = Object.keys(answers)
    const outputs = await run(
      language,
      ids.map((id) => find(id, language)),
    )
    const found = ids.map((id, at) => {
      const [first = ""] = outputs[at]?.split("\n") ?? []
      return [id, /\b200\b/.test(first), outputs[at]?.includes(answers[id] ?? "")]
    })
    expect(found).toEqual(ids.map((id) => [id, true, true]))
  })
})

describe.each(languages.filter((language) => language !== "curl"))("%s decides", (language) => {
  test("valid, invalid, or keep the last state", async () => {
    const cases: readonly (readonly [code: string, url: string, answer: RegExp])[] = [
      ["test-extended", program.url, /^200 ok$/],
      ["test-revoked", program.url, /^404 revoked_code$/],
      ["test-site-limit", program.url, /^404 site_limit$/],
      ["test-unknown", program.url, /^404 unknown_code$/],
      ["test-rate-limited", program.url, /^429 rate_limited$/],
      ["test-unavailable", program.url, /^503 unavailable$/],
      ["test-regular", "http://127.0.0.1:1", /^0/],
      ["test-regular", portal.url.origin, /^200/],
    ]
    const path = "/api/purchases/validation"
    const sample = find("validate_purchase", language).replace(path, `${path}?site=example.com`)
    const outputs = await run(
      language,
      cases.map(([code, url]) => sample.replace("test-regular", code).replaceAll(program.url, url)),
    )
    const lines = outputs.map((output) => output.split("\n"))
    const [[, valid] = [], [, invalid] = [], , , [, keep] = []] = lines
    expect(lines).toEqual(
      cases.map(([, , answer], at) => [
        expect.stringMatching(answer),
        (at === 0 ? valid : at < 4 ? invalid : keep) ?? "",
        "",
      ]),
    )
    expect(valid).toContain("test-extended")
    expect(new Set([valid, invalid, keep]).size).toBe(3)
  })
})

describe.each(["en", "tr"])("the guide to signatures in %s", (lang) => {
  const read = async () =>
    (await fetch(`${program.url}/docs/verify-a-signature.md?lang=${lang}`)).text()

  test("its code takes the answer of the vector, and no other", async () => {
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

test("a newcomer's first validation in PHP takes one paste", async () => {
  const page = await (await fetch(`${program.url}/docs`)).text()
  const pasted = samplesOf(page).find(({ language }) => language === "php")?.text ?? ""
  expect(await run("php", [pasted])).toEqual([
    expect.stringMatching(/^200 ok\n.*test-regular, Sample theme\n$/),
  ])
})
