import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type FakeServer,
  item,
  openProduct,
  plain,
  respondInvalid,
  respondValid,
  serverMs,
  signedResponse,
  startFakeServer,
} from "../../sdk/test/fake-server.ts"
import { createSigner } from "../../sdk/test/signer.ts"
import { openPage } from "../harness/browser/browser.ts"
import { temporaryFolder } from "../harness/program.ts"
import { plainEnvironment } from "../harness/run-pazar.ts"

const sdk = join(import.meta.dir, "../../sdk")
const bin = join(sdk, "../node_modules/.bin")
const project = temporaryFolder()
let server: FakeServer
let packed: readonly string[]
let archive: string

beforeAll(async () => {
  server = startFakeServer()
  const [pack] = JSON.parse(
    await run(["npm", "pack", "--json", "--pack-destination", project], sdk),
  )
  packed = pack.files.map(({ path }: { path: string }) => path)
  writeFileSync(join(project, "package.json"), '{"type":"module"}')
  archive = join(project, pack.filename)
  await run(["npm", "install", "--offline", "--no-audit", "--no-fund", `./${pack.filename}`])
})
afterAll(async () => {
  await server.close()
  rmSync(project, { recursive: true })
})

async function run(command: readonly string[], cwd = project): Promise<string> {
  const env = { ...plainEnvironment, PATH: `${bin}:${plainEnvironment.PATH}` }
  const child = Bun.spawn([...command], { cwd, env, stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${stdout}${stderr}`)
  return stdout
}

const installed = join(project, "node_modules/@pazar/client")

describe("the package", () => {
  test("contains the module, its types, the README and the license, and nothing else", () => {
    const others = packed.filter((path) => !/^dist\/[\w-]+\.d\.ts$/.test(path))
    const modules = ["author.cjs", "author.mjs", "index.cjs", "index.mjs"]
    const files = modules.map((name) => `dist/${name}`)
    expect(others).toEqual(["LICENSE", "README.md", ...files, "package.json"])
    expect(packed).toContain("dist/index.d.ts")
    expect(readFileSync(join(installed, "LICENSE"), "utf8")).toBe(
      readFileSync(join(sdk, "../LICENSE"), "utf8"),
    )
  })

  test("is the one that every server offers", async () => {
    const offered = join(sdk, "../src/docs/clients/pazar-client.tgz")
    const contentsOf = async (file: string) =>
      Promise.all([run(["tar", "-tzf", file]), run(["tar", "-xzOf", file])])
    // `bun scripts/typescript-client.ts` packs it again.
    expect(await contentsOf(offered)).toEqual(await contentsOf(archive))
  })

  test("has types that TypeScript 4.9 can import too", () => {
    const types = packed.filter((path) => path.endsWith(".d.ts"))
    const found = types.filter((path) =>
      readFileSync(join(installed, path), "utf8").includes('.ts"'),
    )
    expect(found).toEqual([])
  })

  test("has no dependencies", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
    const kinds = Object.keys(manifest).filter((name) => /dependencies/i.test(name))
    expect(kinds).toEqual([])
  })

  test("is at most 7,500 bytes gzipped, without the author entry point", () => {
    const module = readFileSync(join(installed, "dist/index.mjs"))
    expect(Bun.gzipSync(module, { level: 9 }).length).toBeLessThanOrEqual(7_500)
    expect(module.includes("/api/account/details")).toBe(false)
  })
})

describe("CommonJS", () => {
  const script = `const { createPazar } = require("@pazar/client")
const { PazarError } = require("@pazar/client/author")
const pazar = createPazar({ baseUrl: process.argv[2], key: "pzr_sk_a", keys: [process.argv[3]] })
pazar.check("CODE-11").then(({ state }) => console.log(state, new PazarError("timeout").name))
`
  // Early versions of Node 20 cannot require an ES module.
  const runtimes = [["node", "--no-experimental-require-module"], ["bun"]]
  test.each(runtimes)("%s requires it", async (...runtime) => {
    respondToAll()
    const path = join(project, "required.cjs")
    writeFileSync(path, script)
    const output = await run([...runtime, path, server.url, server.signer.x])
    expect(output).toBe("valid PazarError\n")
  })

  test("a strict compiler accepts its types in CommonJS modules", async () => {
    const folder = join(project, "commonjs")
    mkdirSync(folder)
    writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}')
    writeFileSync(join(folder, "consumer.ts"), consumer)
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      target: "es2023",
      lib: ["es2023", "dom"],
      module: "node16",
      types: [],
    }
    const tsconfig = { compilerOptions, include: ["consumer.ts"] }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig))
    expect(await run(["tsc", "-p", "."], folder)).toBe("")
    const compiled = readFileSync(join(folder, "consumer.js"), "utf8")
    expect(compiled).toContain('require("@pazar/client")')
  })
})

type Sample = Readonly<{ name: string; text: string; output: string | undefined }>

const samples: readonly Sample[] = [
  ...readFileSync(join(sdk, "README.md"), "utf8").matchAll(
    /^```ts\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms,
  ),
].map(([, text = "", output], index) => ({ name: `sample-${index + 1}`, text, output }))

const next = createSigner()
const fillIn = (text: string) =>
  text
    .replaceAll("https://licenses.example.com", server.url)
    .replaceAll("CURRENT_PUBLIC_KEY", server.signer.x)
    .replaceAll("NEXT_PUBLIC_KEY", next.x)

function respondToAll() {
  const sold = respondValid(server.signer)
  server.respond((form, request) => {
    const { pathname } = new URL(request.url)
    if (pathname === "/api/account/details") return Response.json({ data: { username: "ada" } })
    if (pathname === "/api/items/all") return Response.json({ items: [item] })
    if (pathname === "/api/purchases/release") {
      const isUsed = form.site === "shop.example.com"
      return isUsed
        ? plain(200, "{}", { "Pazar-Reason": "ok" })
        : respondInvalid(server.signer)(form, request)
    }
    if (pathname === "/api/items/item") return plain(404, "{}", { "Pazar-Reason": "unknown_item" })
    return sold(form, request)
  })
}

describe("the README", () => {
  beforeAll(() => {
    respondToAll()
    mkdirSync(join(project, "samples"))
    for (const { name, text } of samples) {
      writeFileSync(join(project, "samples", `${name}.ts`), fillIn(text))
    }
  })

  const printing = samples.filter(({ output }) => output !== undefined)
  test.each(printing)("$name prints the displayed output on Bun", async ({ name, output }) => {
    const folder = join(project, `run-${name}`)
    mkdirSync(folder)
    expect(await run(["bun", join(project, "samples", `${name}.ts`)], folder)).toBe(output ?? "")
  })

  test("all of them print the same on Node", async () => {
    const folder = join(project, "node")
    mkdirSync(folder)
    for (const { name, text } of printing) {
      const script = new Bun.Transpiler({ loader: "ts" }).transformSync(fillIn(text))
      writeFileSync(join(folder, `${name}.mjs`), script)
    }
    const imports = printing.map(({ name }) => `await import("./${name}.mjs")\n`)
    writeFileSync(join(folder, "all.mjs"), imports.join(""))
    const outputs = printing.map(({ output }) => output)
    expect(await run(["node", "all.mjs"], folder)).toBe(outputs.join(""))
  })

  test("a receipt of an offline activation can be imported once", async () => {
    const [sample] = samples.filter(({ text }) => text.includes("importReceipt"))
    const path = join(project, "samples", `${sample?.name}.ts`)
    const { showLink, takeReceipt } = await import(path)
    const pazar = openProduct(server, () => serverMs, { site: "shop.example.com" })
    const { origin, hash } = new URL(await showLink(pazar))
    expect(origin).toBe(server.url)
    const {
      key = "",
      nonce = "",
      site = "",
    } = Object.fromEntries(new URLSearchParams(hash.slice(1)))
    const form = { api_key: key, purchase_code: "CODE-11", nonce, site }
    const signed = signedResponse(server.signer, form)
    const { status } = signed
    const headers = Object.fromEntries(signed.headers)
    const body = await signed.text()
    const receipt = { status, body, headers, nonce, key, code: "CODE-11", site }
    const line = `pazar1.${Buffer.from(JSON.stringify(receipt)).toString("base64url")}`
    expect([await takeReceipt(pazar, line), await takeReceipt(pazar, line)]).toEqual([
      expect.stringContaining("CODE-11"),
      expect.stringContaining("replayed"),
    ])
  })

  test("the page works in Chromium, from another origin and without a preflight", async () => {
    const [page] = samples.filter(({ text }) => text.includes("localStorage"))
    const script = new Bun.Transpiler({ loader: "ts" }).transformSync(fillIn(page?.text ?? ""))
    const html = `<script type="importmap">{"imports":{"@pazar/client":"/client.js"}}</script>
<script type="module">${script}</script>`
    const site = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      routes: {
        "/client.js": new Response(Bun.file(join(installed, "dist/index.mjs")), {
          headers: { "Content-Type": "text/javascript" },
        }),
        "/": new Response(html, { headers: { "Content-Type": "text/html" } }),
      },
    })
    const methods: string[] = []
    const exposed = "Pazar-Reason, Request-Id, Retry-After, Signature, Signature-Input"
    server.respond((form, request) => {
      methods.push(request.method)
      const response = signedResponse(server.signer, form)
      response.headers.set("Access-Control-Allow-Origin", "*")
      response.headers.set("Access-Control-Expose-Headers", exposed)
      return response
    })
    const tab = await openPage()
    await tab.goto(site.url.href)
    await tab.waitForFunction("document.title !== ''")
    expect(await tab.title()).toBe("active")
    expect(methods).toEqual(["POST"])
    await tab.context().close()
    await site.stop(true)
    respondToAll()
  })

  test("every sample passes a strict compiler, as a bundler and as Node resolve modules", async () => {
    writeFileSync(join(project, "samples/consumer.ts"), consumer)
    writeFileSync(join(project, "samples/node.d.ts"), nodeTypes)
    const compile = async (module: "preserve" | "nodenext") => {
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        skipLibCheck: false,
        target: "es2023",
        lib: ["es2023", "dom"],
        module,
        types: [],
      }
      const file = `tsconfig.${module}.json`
      writeFileSync(join(project, file), JSON.stringify({ compilerOptions, include: ["samples"] }))
      return run(["tsc", "-p", file])
    }
    expect(await Promise.all([compile("preserve"), compile("nodenext")])).toEqual(["", ""])
  })
})

const consumer = `import { createPazar, type Result } from "@pazar/client"
import { listItems, PazarError } from "@pazar/client/author"
export const show = ({ purchase, supportedUntil, retryAfter }: Result): string =>
  purchase?.item.media.preview_image ?? supportedUntil?.toISOString() ?? String(retryAfter)
export const findReason = (error: unknown) => (error instanceof PazarError ? error.reason : "")
// @ts-expect-error: there is no such state
export const isTypo = (result: Result) => result.state === "typo"
// @ts-expect-error: a key is needed
createPazar({ baseUrl: "https://licenses.example.com" })
// @ts-expect-error: a key is needed
listItems({ baseUrl: "https://licenses.example.com" })
`

/** One sample uses files and needs only these of Node's types. */
const nodeTypes = `declare module "node:fs/promises" {
  export function readFile(path: string, encoding: string): Promise<string>
  export function writeFile(path: string, text: string, options: object): Promise<void>
  export function rename(from: string, to: string): Promise<void>
}
`
