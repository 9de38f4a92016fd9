/** Checks deploy/compose.yaml and the Caddyfile against each other and against the program. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { isIP } from "node:net"
import { join } from "node:path"
import { $ } from "bun"
import manifest from "../../../package.json"
import { drainMs } from "../../../src/cli/running/serve.ts"
import { renderErrorBody } from "../../../src/http/api/answer/messages.ts"
import { inFlightMsMax } from "../../../src/http/listener/server.ts"
import { masterKeyBytes, readMasterKeyFile } from "../../../src/secrets/master-key.ts"
import {
  deployFolder,
  knownSettings,
  problemsOf,
  readDeployFile,
  readYaml,
  root,
} from "../../harness/deploy-files.ts"
import { startProgram, temporaryFolder } from "../../harness/program.ts"
import { type PostgresServer, startPostgres, superuser } from "../../harness/stores/postgres.ts"

type Service = Readonly<{
  image: string
  ports?: readonly string[]
  build?: Readonly<{ args: Readonly<Record<string, string>> }>
  entrypoint?: readonly string[]
  command?: readonly string[]
  environment?: Readonly<Record<string, string>>
  secrets?: readonly string[]
  volumes?: readonly string[]
  networks: readonly string[] | Readonly<Record<string, { ipv4_address: string }>>
  depends_on?: unknown
  healthcheck: Readonly<{ test: readonly string[]; interval: string; timeout: string }>
  restart: string
  stop_grace_period?: string
  mem_limit: string
  read_only?: boolean
  cap_drop?: readonly string[]
}>

type Compose = Readonly<{
  services: Readonly<Record<string, Service>>
  networks: Readonly<Record<string, { ipam?: { config: { subnet: string }[] } }>>
  volumes: Readonly<Record<string, null>>
  secrets: Readonly<Record<string, { file: string }>>
}>

const compose = readYaml<Compose>("compose.yaml")
const caddyfile = readDeployFile("Caddyfile")
const services = Object.entries(compose.services)
const nodes = services.filter(([name]) => name.startsWith("pazar-"))
const [, node] = nodes[0] ?? []
if (node === undefined) throw new Error("there is no node")

const seconds = (duration = "") =>
  Number.parseInt(duration, 10) * (duration.endsWith("m") ? 60 : duration.endsWith("s") ? 1 : NaN)
const directive = (name: string) => new RegExp(`^\\s*${name} (.*)$`, "m").exec(caddyfile)?.[1] ?? ""

/** As Compose does it where .env says the domain and nothing else; a doubled dollar is one. */
const interpolate = (text: string) =>
  text
    .replace(/\$\{SITE_DOMAIN[^}]*\}/g, "api.example.com")
    .replace(/\$\{[A-Z_]+:-([^}]*)\}/g, "$1")
    .replaceAll("$$", "$")

const bytes = (size: string) =>
  Number.parseInt(size, 10) *
  1024 ** (["k", "m", "g"].indexOf(size.toLowerCase().replace(/[^a-z]|b$/g, "")) + 1)
const namesOf = (networks: Service["networks"]) =>
  Array.isArray(networks) ? networks : Object.keys(networks)

test("there are two nodes, alike, of this version", () => {
  expect(nodes.length).toBeGreaterThanOrEqual(2)
  for (const [, other] of nodes) expect(other).toEqual(node)
  expect(node.image).toBe(`pazar:${manifest.version}`)
  const [, base] = /^ARG NODE_IMAGE=(.*)$/m.exec(readDeployFile("Dockerfile")) ?? []
  expect(interpolate(node.build?.args.NODE_IMAGE ?? "")).toBe(base ?? "no base image")
})

describe.each(services)("%s", (_, service) => {
  test("is pinned, has a health check and is restarted", () => {
    expect(interpolate(service.image)).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$/)
    expect(service.healthcheck.test[0]).toBe("CMD")
    expect(service.healthcheck.test.every((part) => typeof part === "string")).toBe(true)
    expect(seconds(service.healthcheck.interval)).toBeGreaterThan(0)
    expect(service.restart).toBe("unless-stopped")
  })

  test("has a memory limit", () => {
    expect(bytes(interpolate(service.mem_limit))).toBeGreaterThanOrEqual(256 * 1024 ** 2)
  })

  test("refers only to what exists", () => {
    const { networks, secrets = [], volumes = [], depends_on = {} } = service
    const targets = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on ?? {})
    const [files, named] = [
      volumes.filter((volume) => volume.startsWith("./")),
      volumes.filter((volume) => !volume.startsWith("./")),
    ].map((list) => list.map((volume) => volume.split(":")[0] ?? ""))
    expect({
      networks: namesOf(networks).filter((name) => !(name in compose.networks)),
      secrets: secrets.filter((name) => !(name in compose.secrets)),
      targets: targets.filter((name) => !(name in compose.services)),
      files: files?.filter((path) => !existsSync(join(deployFolder, path))),
      named: named?.filter((name) => !(name in compose.volumes)),
    }).toEqual({ networks: [], secrets: [], targets: [], files: [], named: [] })
  })
})

test("every secret comes from a file that is not in the repository", () => {
  expect(Object.keys(compose.secrets)).not.toEqual([])
  for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^secrets\/[a-z-]+$/)
  const used = services.flatMap(([, { secrets = [] }]) => secrets)
  expect(Object.keys(compose.secrets).sort()).toEqual([...new Set(used)].sort())
})

describe("a node", () => {
  const environment = Object.fromEntries(
    Object.entries(node.environment ?? {}).map(([name, value]) => [name, interpolate(value)]),
  )

  test("is given settings that the program knows and accepts", () => {
    const names = Object.keys(environment)
    expect(names.filter((name) => !knownSettings().has(name))).toEqual([])
    expect(problemsOf(environment)).toEqual([])
    expect(environment.PAZAR_PUBLIC_URL).toBe("https://api.example.com")
  })

  test("is given addresses of services, a master key that is mounted, and a trusted proxy", () => {
    const { DATABASE_URL = "", PAZAR_MASTER_KEY_FILE } = environment
    expect(Object.keys(compose.services)).toContain(new URL(DATABASE_URL).hostname)
    expect(node.secrets?.map((name) => `/run/secrets/${name}`)).toContain(
      PAZAR_MASTER_KEY_FILE ?? "",
    )
  })

  test("trusts only Caddy, at its one address, and cannot be reached from outside", () => {
    const address = environment.PAZAR_TRUSTED_PROXIES ?? ""
    expect(isIP(address)).toBe(4)
    expect(compose.services.caddy?.networks).toEqual({ front: { ipv4_address: address } })
    const [network] = compose.networks.front?.ipam?.config ?? []
    expect(network?.subnet.replace(/\.0\/24$/, "")).toBe(address.replace(/\.\d+$/, ""))
    expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual([
      "caddy",
    ])
  })

  test("has enough time to stop, and no rights", () => {
    const stopSeconds = (drainMs + inFlightMsMax) / 1000
    expect(seconds(node.stop_grace_period)).toBeGreaterThanOrEqual(stopSeconds + 5)
    expect([node.read_only, node.cap_drop]).toEqual([true, ["ALL"]])
  })

  describe("takes the database's password", () => {
    let folder: string
    let postgres: PostgresServer
    beforeAll(async () => {
      folder = temporaryFolder()
      postgres = await startPostgres()
      mkdirSync(join(folder, "secrets"))
      symlinkSync(join(root, "bin/pazar.mjs"), join(folder, "pazar"))
    })
    afterAll(async () => {
      await postgres.stop()
      rmSync(folder, { recursive: true })
    })

    async function migrate(password: string) {
      writeFileSync(join(folder, "secrets/pazar_password"), `${password}\n`)
      const entry = (node?.entrypoint ?? []).map((part) =>
        interpolate(part).replaceAll("/run/secrets", join(folder, "secrets")),
      )
      const url = new URL(await postgres.createDatabase())
      url.password = ""
      const child = Bun.spawn([...entry, "migrate"], {
        cwd: folder,
        env: {
          PATH: `${folder}:${process.env.PATH}`,
          DATABASE_URL: url.href,
          PAZAR_MASTER_KEY: Buffer.alloc(32).toString("base64"),
        },
        stdout: "ignore",
        stderr: "pipe",
      })
      const stderr = await child.stderr.text()
      return { status: await child.exited, stderr }
    }

    test("from its file, for any command", async () => {
      expect((await migrate(superuser.password)).status).toBe(0)
      const refused = await migrate("another")
      expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("DATABASE_URL")])
      expect(node.command).toEqual(["serve"])
    })
  })
})

describe("the health check of a node", () => {
  let url: string
  let close: () => Promise<void>
  beforeAll(async () => {
    const program = await startProgram()
    url = program.url
    close = program.close
  })
  afterAll(() => close())

  test("is a request that the program answers", async () => {
    const ask = async (base: string) => {
      const command = node.healthcheck.test.slice(1)
      const there = command.map((part) => part.replace("http://127.0.0.1:8080", base))
      return Bun.spawn(there, { stderr: "ignore" }).exited
    }
    expect(await ask(url)).toBe(0)
    expect(await ask("http://127.0.0.1:1")).toBe(1)
    expect((await fetch(`${url}${directive("health_uri")}`)).status).toBe(200)
    expect(directive("health_uri")).toBe("/readyz")
  })
})

describe("the Caddyfile", () => {
  test("sends to every node, where it listens", () => {
    const upstreams = directive("reverse_proxy").replace(" {", "").split(" ")
    expect(upstreams).toEqual(nodes.map(([name]) => `${name}:8080`))
  })

  test.each(["/operator/feed", "/operator/links", "/metrics", "/readyz", "/healthz", "/readyz/"])(
    "blocks %s from outside",
    (path) => {
      expect(caddyfile).toMatch(/^\trespond @inside 404$/m)
      const closed = directive("@inside path").split(" ")
      const isClosed = closed.some((pattern) =>
        pattern.endsWith("/*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
      )
      expect(isClosed).toBe(true)
    },
  )

  test("notices a stopping node while it still answers", () => {
    const heardSeconds =
      seconds(directive("health_interval")) + seconds(directive("health_timeout"))
    expect(heardSeconds).toBeLessThan(drainMs / 1000)
  })

  test("gives the answer of the API when no node is left", () => {
    const [, body] = /respond `(.*)` 503/.exec(caddyfile) ?? []
    expect(body).toBe(renderErrorBody(null, "unavailable", "en"))
  })
})

test("PostgreSQL has the configured memory", () => {
  const { postgres } = compose.services
  if (postgres === undefined) throw new Error("there is no server")
  const command = (postgres.command ?? []).map((part) => interpolate(part))
  expect(command).toEqual(["postgres", "-c", "shared_buffers=1GB"])
  expect(bytes(interpolate(postgres.mem_limit))).toBeGreaterThan(2 * 1024 ** 3)
})

test("postgres/create-roles.sh is a valid shell script", () => {
  const script = join(deployFolder, "postgres/create-roles.sh")
  expect(Bun.spawnSync(["sh", "-n", script]).exitCode).toBe(0)
})

test("the commands of the README make a master key that the program takes", async () => {
  const readme = readDeployFile("README.md")
  const commands = /^mkdir -m 700 secrets\n.*?^sudo chown 1000 secrets\/master-key\n/ms.exec(readme)
  const folder = temporaryFolder()
  // Only root may change the owner of a file, and root may read every file.
  const script = `set -e; sudo() { :; }; ${commands?.[0]}`
  expect((await $`sh -c ${script}`.cwd(folder).nothrow()).exitCode).toBe(0)
  expect(readMasterKeyFile(join(folder, "secrets/master-key"))).toHaveLength(masterKeyBytes)
  rmSync(folder, { recursive: true })
})
