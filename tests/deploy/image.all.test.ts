/** Follows deploy/Dockerfile step by step, without a container engine. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { validate } from "dockerfile-utils"
import { installGuide, readDeployFile, root } from "../harness/deploy-files.ts"
import { copyProductionPackages } from "../harness/production-packages.ts"
import { temporaryFolder } from "../harness/program.ts"
import { until, workMsMax } from "../harness/until.ts"

type Step = Readonly<{ instruction: string; rest: string }>

const steps: readonly Step[] = readDeployFile("Dockerfile")
  .replaceAll("\\\n", "")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(/ (.*)/s, 2))
  .map(([instruction = "", rest = ""]) => ({ instruction, rest }))
const stage = steps.slice(steps.findLastIndex(({ instruction }) => instruction === "FROM"))
const last = (instruction: string) =>
  stage.findLast((step) => step.instruction === instruction)?.rest ?? ""
const listIn = (text: string): readonly string[] => JSON.parse(text.slice(text.indexOf("[")))
const environment = Object.fromEntries(
  last("ENV")
    .split(" ")
    .map((pair) => pair.split("=", 2)),
)
const copiesOf = (of: readonly Step[]) =>
  of
    .filter(({ instruction, rest }) => instruction === "COPY" && !rest.startsWith("--from"))
    .map(({ rest }) => rest.split(/\s+/))
    .map((parts) => ({ sources: parts.slice(0, -1), target: parts.at(-1) ?? "" }))

test("a linter reports nothing", () => {
  expect(validate("FROM x\nCOPPY a b\n").map(({ message }) => message)).toEqual([
    "Unknown instruction: COPPY",
  ])
  expect(validate(readDeployFile("Dockerfile"))).toEqual([])
})

test("every base image is a variable that can be pinned by digest, of a supported Node version", () => {
  const bases = steps
    .filter(({ instruction }) => instruction === "FROM")
    .map(({ rest }) => rest.split(" ")[0])
  // Biome mistakes Docker's variable for one of TypeScript.
  expect(bases).toEqual(["$", "$"].map((dollar) => `${dollar}{NODE_IMAGE}`))
  // Version 24 is supported until April 2028. Odd versions have no long-term support.
  expect(steps[0]).toEqual({
    instruction: "ARG",
    rest: expect.stringMatching(/^NODE_IMAGE=node:24\.\d+\.\d+-[a-z]+-slim$/),
  })
})

test("it installs exactly the versions of the lock file", async () => {
  const scratch = temporaryFolder()
  for (const name of copiesOf(steps)[0]?.sources ?? [])
    cpSync(join(root, name), join(scratch, name))
  const [install] = steps.filter(({ instruction }) => instruction === "RUN")
  expect(install?.rest).toStartWith("npm ci ")
  const child = Bun.spawn(["sh", "-c", `${install?.rest} --dry-run --offline`], {
    cwd: scratch,
    stdout: "ignore",
    stderr: "pipe",
  })
  const stderr = await child.stderr.text()
  expect({ status: await child.exited, isRefused: stderr.includes("EUSAGE") }).toEqual({
    status: 0,
    isRefused: false,
  })
  rmSync(scratch, { recursive: true })
})

test("everything it copies exists and is not ignored", () => {
  const patterns = readDeployFile("Dockerfile.dockerignore").split("\n")
  expect(patterns[0]).toBe("*")
  const sources = copiesOf(steps).flatMap(({ sources }) => sources)
  expect(sources.length).toBeGreaterThan(5)
  expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(sources.filter((path) => !patterns.includes(`!${path}`))).toEqual([])
})

test("it runs as a numeric user other than root, and on its exposed port", () => {
  expect(last("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(environment).toEqual({ HOST: "0.0.0.0", PORT: last("EXPOSE") })
  expect(listIn(last("ENTRYPOINT"))).toEqual(["pazar"])
  expect(last("RUN")).toContain("ln -s /app/bin/pazar.mjs /usr/local/bin/pazar")
})

test("docs/install.md runs it with a read-only file system and without capabilities", () => {
  const runs = installGuide.match(/^docker run .*$/gm) ?? []
  expect(runs.length).toBeGreaterThan(1)
  for (const options of ["--read-only", "--cap-drop ALL", "--security-opt no-new-privileges"]) {
    expect(runs.filter((line) => !line.includes(options))).toEqual([])
  }
})

let image: string
beforeAll(() => {
  image = temporaryFolder()
  for (const { sources, target } of copiesOf(stage)) {
    for (const source of sources) {
      cpSync(join(root, source), target === "./" ? join(image, source) : join(image, target), {
        recursive: true,
      })
    }
  }
  copyProductionPackages(image)
  mkdirSync(join(image, "data"))
})
afterAll(() => rmSync(image, { recursive: true }))

const check = (PORT: string) =>
  Bun.spawn([...listIn(last("HEALTHCHECK"))], {
    env: { PATH: process.env.PATH, PORT },
    stderr: "ignore",
  }).exited

test("the command starts the server with only the copied files, and the health check succeeds", async () => {
  const options = {
    cwd: image,
    env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0" },
    stderr: "ignore",
  } as const
  expect(await Bun.spawn(["node", "bin/pazar.mjs", "migrate"], options).exited).toBe(0)
  const server = Bun.spawn(["node", "bin/pazar.mjs", ...listIn(last("CMD"))], options)
  let output = ""
  server.stdout.pipeTo(
    new WritableStream({
      write(bytes) {
        output += new TextDecoder().decode(bytes)
      },
    }),
  )
  try {
    const port = await until(() => /:(\d+)\n$/.exec(output)?.[1], workMsMax)
    expect(await check(port)).toBe(0)
    expect(last("HEALTHCHECK")).toContain("/healthz")
    server.kill("SIGTERM")
    expect(await server.exited).toBe(0)
    expect(await check(port)).toBe(1)
  } finally {
    server.kill("SIGKILL")
  }
})
