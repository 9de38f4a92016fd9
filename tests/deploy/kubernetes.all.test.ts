import { expect, test } from "bun:test"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Deployment } from "kubernetes-types/apps/v1"
import type { Job } from "kubernetes-types/batch/v1"
import type { Container, Service } from "kubernetes-types/core/v1"
import manifest from "../../package.json"
import { inFlightMsMax } from "../../src/server/listener.ts"
import { drainMs } from "../../src/server/serve-commands.ts"
import { deployFolder, problemsOf, readYaml, root } from "../harness/deploy-files.ts"
import { startProgram, temporaryFolder } from "../harness/program.ts"

const read = <T>(name: string) => readYaml<T>(`kubernetes/${name}`)
const deployment = read<Deployment>("deployment.yaml")
const service = read<Service>("service.yaml")
const job = read<Job>("migrate-job.yaml")
const template = deployment.spec?.template
const pod = template?.spec
const container: Container = pod?.containers[0] ?? { name: "missing" }

const homes: Readonly<Record<string, string>> = {
  Deployment: "apps/v1",
  Job: "batch/v1",
  Service: "core/v1",
}

test("every field of every manifest exists in Kubernetes", async () => {
  const constants = readdirSync(join(deployFolder, "kubernetes")).map((name, index) => {
    const value = read<{ kind: string }>(name)
    const type = `import("${root}/node_modules/kubernetes-types/${homes[value.kind]}").${value.kind}`
    return `export const manifest${index}: Required<Pick<${type}, "apiVersion" | "kind">> & ${type} = ${JSON.stringify(value)}\n`
  })
  const scratch = temporaryFolder()
  writeFileSync(join(scratch, "manifests.ts"), constants.join(""))
  const tsc = Bun.spawn(
    [join(root, "node_modules/.bin/tsc"), "--noEmit", "--strict", "manifests.ts"],
    { cwd: scratch },
  )
  expect(await tsc.stdout.text()).toBe("")
  expect(await tsc.exited).toBe(0)
  rmSync(scratch, { recursive: true })
})

test("the Deployment and the Service select the pods and their port", () => {
  const labels = template?.metadata?.labels ?? {}
  expect(Object.keys(labels)).not.toEqual([])
  expect([deployment.spec?.selector.matchLabels, service.spec?.selector]).toEqual([labels, labels])
  expect(service.spec?.ports?.[0]?.targetPort).toBe(container.ports?.[0]?.name)
})

test("the program accepts the settings of the Deployment and the Secret", () => {
  const settings = (container.env ?? []).map(({ name, value }) => [name, value])
  const secret = {
    DATABASE_URL: "postgres://pazar@postgres/pazar",
    PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  }
  expect(problemsOf({ ...Object.fromEntries(settings), ...secret })).toEqual([])
})

test("the Job has the image, the secrets and the security context of a node, and a new name each time", () => {
  const [migrating] = job.spec?.template.spec?.containers ?? []
  expect(container.image).toBe(`registry.example.com/pazar:${manifest.version}`)
  const { image, envFrom, securityContext } = container
  expect(migrating).toMatchObject({ image, envFrom, securityContext, args: ["migrate"] })
  expect(job.spec?.template.spec?.securityContext).toEqual(pod?.securityContext)
  expect(job.metadata?.name).toBeUndefined()
  expect(job.metadata?.generateName).toEndWith("-")
})

test("the probes are paths that the program serves, and a pod has enough time to start and to stop", async () => {
  const program = await startProgram()
  for (const [probe, path] of [
    [container.startupProbe, "/healthz"],
    [container.livenessProbe, "/healthz"],
    [container.readinessProbe, "/readyz"],
  ] as const) {
    expect(probe?.httpGet).toEqual({ path, port: container.ports?.[0]?.name ?? "" })
    expect((await fetch(`${program.url}${path}`)).status).toBe(200)
  }
  await program.close()
  const { periodSeconds = 10, failureThreshold = 3 } = container.startupProbe ?? {}
  expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(600)
  const stopSeconds = (drainMs + inFlightMsMax) / 1000
  expect(pod?.terminationGracePeriodSeconds ?? 0).toBeGreaterThanOrEqual(stopSeconds + 5)
  expect(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable).toBe(0)
})

test("a pod has only the capabilities it needs", () => {
  expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  })
  expect(pod?.automountServiceAccountToken).toBe(false)
})
