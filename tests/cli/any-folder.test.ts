import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../package.json"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { temporaryFolder } from "../harness/program.ts"
import { runPazar, startServer } from "../harness/run-pazar.ts"

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const traces = JSON.stringify(`${folder}/run-by-`)
  const trace = (name: string) => `require("node:fs").writeFileSync(${traces} + "${name}", "")\n`
  write("preload.cjs", trace("preload"))
  write("replacement.cjs", trace("replacement"))
  write("bunfig.toml", 'preload = ["./preload.cjs"]\n[run]\npreload = ["./preload.cjs"]\n')
  const settings = "LOG_LEVEL=loud\nPAZAR_LOCALE=xx\nHOST=no host\n"
  for (const name of [".env", ".env.local", ".env.development", ".env.production"]) {
    write(name, settings)
  }
  const paths = { "*": ["./replacement.cjs"], hono: ["./replacement.cjs"] }
  write("tsconfig.json", JSON.stringify({ compilerOptions: { baseUrl: ".", jsx: "react", paths } }))
  write("package.json", JSON.stringify({ name: "other", browser: { hono: "./replacement.cjs" } }))
  for (const name of ["hono", "pg", "bun"]) {
    mkdirSync(join(folder, "node_modules", name), { recursive: true })
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "99.0.0" }))
    write(`node_modules/${name}/index.js`, trace(name))
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

const traces = () => readdirSync(folder).filter((name) => name.startsWith("run-by-"))

test("a command executes no file of the current folder and reads no settings from it", async () => {
  const outcome = await runPazar(folder, ["version"], { launcher: "npx" })
  expect(outcome).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" })
  expect(traces()).toEqual([])
})

test("a server executes and reads none either, on any of its threads", async () => {
  const server = await startServer(folder, { PAZAR_THREADS: "2" }, "demo", "npx")
  expect((await retryingFetch(`${server.url}/login`)).status).toBe(200)
  expect((await server.stop()).status).toBe(0)
  expect(traces()).toEqual([])
})
