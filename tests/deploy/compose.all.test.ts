import { describe, expect, test } from "bun:test"
import { existsSync, rmSync } from "node:fs"
import { isIP } from "node:net"
import { join } from "node:path"
import { $ } from "bun"
import manifest from "../../package.json"
import { inFlightMsMax } from "../../src/server/listener.ts"
import { drainMs } from "../../src/server/serve-commands.ts"
import {
  deployFolder,
  installBlocks,
  problemsOf,
  readDeployFile,
  readYaml,
} from "../harness/deploy-files.ts"
import { temporaryFolder } from "../harness/program.ts"

type Service = Readonly<{
  image: string
  ports?: readonly string[]
  environment: Readonly<Record<string, string>>
  volumes?: readonly string[]
  networks?: Readonly<{ default: Readonly<{ ipv4_address: string }> }>
  depends_on?: Readonly<Record<string, unknown>>
  restart: string
  stop_grace_period?: string
  read_only?: boolean
  cap_drop?: readonly string[]
}>

type Compose = Readonly<{
  services: Readonly<Record<string, Service>>
  networks: Readonly<{ default: { ipam: { config: readonly { subnet: string }[] } } }>
  volumes: Readonly<Record<string, null>>
}>

const seconds = (duration = "") => Number(/^(\d+)s$/.exec(duration)?.[1])
const directive = (name: string) =>
  new RegExp(`^\\s*${name} (\\S*)`, "m").exec(readDeployFile("Caddyfile"))?.[1]

async function documentedSettings(file: string): Promise<Readonly<Record<string, string>>> {
  const folder = temporaryFolder()
  const commands = installBlocks
    .filter((block) => block.startsWith("cd deploy\n"))
    .find((block) => block.includes("postgres") === file.includes("postgres"))
    ?.replace("cd deploy\n", "")
    .replace(/^docker .*/ms, "")
  await $`sh -ec ${commands}`.cwd(folder)
  const lines = (await Bun.file(join(folder, ".env")).text()).trim().split("\n")
  rmSync(folder, { recursive: true })
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)))
}

describe.each(["compose.yaml", "compose.postgres.yaml"])("%s", (file) => {
  const compose = readYaml<Compose>(file)
  const services = Object.entries(compose.services)
  const nodes = services.filter(([name]) => name.startsWith("pazar"))

  test("its nodes have equal settings, this version, no capabilities, and enough time to stop", () => {
    for (const [, node] of nodes) {
      expect(node).toEqual(nodes[0]?.[1] ?? node)
      expect(node.image).toBe(`pazar:${manifest.version}`)
      expect([node.read_only, node.cap_drop]).toEqual([true, ["ALL"]])
      const stopSeconds = (drainMs + inFlightMsMax) / 1000
      expect(seconds(node.stop_grace_period)).toBeGreaterThanOrEqual(stopSeconds + 5)
    }
  })

  test.each(services)(
    "%s is pinned, is restarted, and refers only to existing services",
    (_, service) => {
      expect(service.image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$/)
      expect(service.restart).toBe("unless-stopped")
      const sources = (service.volumes ?? []).map((volume) => volume.split(":")[0] ?? "")
      const missing = sources.filter((source) =>
        source.startsWith("./")
          ? !existsSync(join(deployFolder, source))
          : !(source in compose.volumes),
      )
      expect(missing).toEqual([])
      expect(Object.keys(compose.services)).toEqual(
        expect.arrayContaining(Object.keys(service.depends_on ?? {})),
      )
    },
  )

  test("the settings of docs/install.md are sufficient, and the program accepts them", async () => {
    const settings = await documentedSettings(file)
    for (const [, { environment }] of nodes) {
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        // A missing setting leaves the reference, which the program rejects.
        value.replace(/\$\{(\w+)[^}]*\}/g, (reference, key) => settings[key] ?? reference),
      ])
      const env: Record<string, string> = Object.fromEntries(filled)
      if (env.PAZAR_BACKUP_DIR !== undefined) env.PAZAR_BACKUP_DIR = deployFolder
      expect(problemsOf(env)).toEqual([])
      const { hostname } = new URL(env.DATABASE_URL ?? "sqlite:x")
      expect(["", ...Object.keys(compose.services)]).toContain(hostname)
    }
  })

  test("nodes trust only the IP address of Caddy, and only Caddy is exposed", () => {
    const [address = ""] = nodes.map(([, { environment }]) => environment.PAZAR_TRUSTED_PROXIES)
    expect(isIP(address)).toBe(4)
    const { caddy } = compose.services
    expect(caddy?.networks?.default.ipv4_address).toBe(address)
    const [network] = compose.networks.default.ipam.config
    expect(network?.subnet.replace(/\.0\/24$/, "")).toBe(address.replace(/\.\d+$/, ""))
    expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual([
      "caddy",
    ])
    const upstreams = caddy?.environment.UPSTREAMS?.split(" ")
    expect(upstreams).toEqual(nodes.map(([name]) => `${name}:8080`))
  })
})

test("Caddy detects a stopping node while it still responds", () => {
  const noticedSeconds =
    seconds(directive("health_interval")) + seconds(directive("health_timeout"))
  expect(noticedSeconds).toBeLessThan(drainMs / 1000)
  expect(directive("health_uri")).toBe("/readyz")
})
