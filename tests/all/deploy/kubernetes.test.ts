/** Checks the manifests in deploy/kubernetes against Kubernetes' types, each other and the program. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Deployment } from "kubernetes-types/apps/v1"
import type { HorizontalPodAutoscaler } from "kubernetes-types/autoscaling/v2"
import type { Job } from "kubernetes-types/batch/v1"
import type { Container, Secret, Service } from "kubernetes-types/core/v1"
import type { Ingress, NetworkPolicy } from "kubernetes-types/networking/v1"
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1"
import manifest from "../../../package.json"
import { drainMs } from "../../../src/cli/running/serve.ts"
import { inFlightMsMax } from "../../../src/http/listener/server.ts"
import {
  keysPath,
  linkPath,
  logCsvPath,
  salesCsvPath,
  searchPath,
  webhooksPath,
} from "../../../src/http/pages/paths.ts"
import { decodeMasterKey } from "../../../src/secrets/master-key.ts"
import { docsPaths } from "../../harness/browser/docs-paths.ts"
import {
  deployFolder,
  knownSettings,
  problemsOf,
  readDeployFile,
  readYaml,
  root,
} from "../../harness/deploy-files.ts"
import { type Program, startProgram, temporaryFolder } from "../../harness/program.ts"

const folder = join(deployFolder, "kubernetes")
const read = <T>(name: string) => readYaml<T>(`kubernetes/${name}`)

type Kustomization = Readonly<{
  namespace: string
  resources: readonly string[]
  images: readonly Readonly<{ name: string; newName: string; newTag: string }>[]
  configMapGenerator: readonly Readonly<{ name: string; envs: readonly string[] }>[]
}>

const kustomization = read<Kustomization>("kustomization.yaml")
const deployment = read<Deployment>("deployment.yaml")
const service = read<Service>("service.yaml")
const ingress = read<Ingress>("ingress.yaml")
const networkPolicy = read<NetworkPolicy>("network-policy.yaml")
const budget = read<PodDisruptionBudget>("disruption-budget.yaml")
const autoscaler = read<HorizontalPodAutoscaler>("autoscaler.yaml")
const secret = read<Secret>("secret.example.yaml")
const migration = read<Kustomization>("migrate/kustomization.yaml")
const job = read<Job>("migrate/job.yaml")
const template = deployment.spec?.template
const pod = template?.spec
const container: Container = pod?.containers[0] ?? { name: "missing" }

/** Where the package that describes Kubernetes keeps each kind. */
const homes: Readonly<Record<string, string>> = {
  Namespace: "core/v1",
  Deployment: "apps/v1",
  Job: "batch/v1",
  Service: "core/v1",
  Ingress: "networking/v1",
  NetworkPolicy: "networking/v1",
  PodDisruptionBudget: "policy/v1",
  HorizontalPodAutoscaler: "autoscaling/v2",
  Secret: "core/v1",
}

test("every member of every manifest is one that Kubernetes has", async () => {
  const names = [...kustomization.resources, "secret.example.yaml", "migrate/job.yaml"]
  const constants = names.map((name, index) => {
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

describe("kustomization.yaml", () => {
  test("applies every manifest but the example", () => {
    const others = ["kustomization.yaml", "secret.example.yaml"]
    const manifests = readdirSync(folder).filter((name) => name.endsWith(".yaml"))
    expect([...kustomization.resources, ...others].sort()).toEqual(manifests.sort())
  })

  test("names the image of this version, the settings and the namespace that are there", () => {
    expect(kustomization.images).toEqual([
      {
        name: container.image ?? "",
        newName: "registry.example.com/pazar",
        newTag: manifest.version,
      },
    ])
    const [settings] = kustomization.configMapGenerator
    expect(container.envFrom).toEqual([{ configMapRef: { name: settings?.name ?? "" } }])
    expect(settings?.envs.map((name) => existsSync(join(folder, name)))).toEqual([true])
    expect(read<{ metadata: unknown }>("namespace.yaml").metadata).toMatchObject({
      name: kustomization.namespace,
    })
  })
})

describe("what refers to what", () => {
  const labels = template?.metadata?.labels
  const selectors = [
    ["the Deployment", deployment.spec?.selector.matchLabels],
    ["the Service", service.spec?.selector],
    ["the NetworkPolicy", networkPolicy.spec?.podSelector?.matchLabels],
    ["the PodDisruptionBudget", budget.spec?.selector?.matchLabels],
    ...(pod?.topologySpreadConstraints ?? []).map(
      ({ topologyKey, labelSelector }) => [topologyKey, labelSelector?.matchLabels] as const,
    ),
  ] as const
  test.each(selectors)("%s selects the pods", (_, selector) => {
    expect(Object.keys(selector ?? {})).not.toEqual([])
    expect(labels).toMatchObject(selector ?? {})
  })

  test("the Ingress leads to the port the program listens on", () => {
    const [rule] = ingress.spec?.rules ?? []
    const paths = rule?.http?.paths ?? []
    const [port] = service.spec?.ports ?? []
    const [open] = container.ports ?? []
    const backend = {
      service: { name: service.metadata?.name ?? "", port: { name: port?.name ?? "" } },
    }
    expect(paths.map((path) => path.backend)).toEqual(paths.map(() => backend))
    expect(port?.targetPort).toBe(open?.name)
    expect(String(open?.containerPort)).toBe(environment().PORT ?? "")
    expect(environment().HOST).toBe("0.0.0.0")
    expect(`https://${rule?.host}`).toBe(environment().PAZAR_PUBLIC_URL ?? "")
    expect(ingress.spec?.tls?.flatMap(({ hosts }) => hosts)).toEqual([rule?.host])
  })

  test("the HorizontalPodAutoscaler scales the Deployment, and leaves the budget some room", () => {
    const { apiVersion, kind, metadata } = deployment
    expect(autoscaler.spec?.scaleTargetRef).toEqual({
      apiVersion: apiVersion ?? "",
      kind: kind ?? "",
      name: metadata?.name ?? "",
    })
    expect(deployment.spec).not.toHaveProperty("replicas")
    const { minReplicas = 0, maxReplicas = 0 } = autoscaler.spec ?? {}
    expect(Number(budget.spec?.minAvailable)).toBeGreaterThanOrEqual(1)
    expect(minReplicas).toBeGreaterThan(Number(budget.spec?.minAvailable))
    expect(maxReplicas).toBeGreaterThan(minReplicas)
    expect(container.resources?.requests).toHaveProperty("cpu")
  })
})

describe("the edge", () => {
  const paths = ingress.spec?.rules?.[0]?.http?.paths ?? []
  /** As Kubernetes reads it: a prefix counts in whole steps of a path. */
  const isOpen = (asked: string) =>
    paths.some(({ path = "", pathType }) =>
      pathType === "Exact" ? asked === path : asked === path || asked.startsWith(`${path}/`),
    )

  test.each(["/operator", "/operator/feed", "/operator/links", "/metrics", "/readyz", "/healthz"])(
    "blocks %s from outside",
    (path) => expect(isOpen(path)).toBe(false),
  )

  const pages = [
    ...["/", "/activate", "/login", linkPath, "/logout", "/invite/1", "/favicon.ico"],
    ...[
      "/workspace",
      "/workspace/check",
      keysPath,
      webhooksPath,
      searchPath,
      logCsvPath,
      salesCsvPath,
    ],
    ...["/llms.txt", "/docs.md", "/docs/search.json", "/docs/clients/1", ...docsPaths],
  ]
  const design = [
    "/api/account/details",
    ...["/v3/market/author/sale", "/v3/market/buyer/purchase", "/whoami"],
    ...["/v1/market/total-items.json", "/v2/market/catalog/item"],
    "/openapi.json",
    "/console/login",
  ]
  const wellKnown = "/.well-known/pazar-keys.json"
  test.each([...new Set([...pages, ...design, wellKnown, "/assets/base.css"])])(
    "makes %s public",
    (path) => expect(isOpen(path)).toBe(true),
  )

  test("allows only the ingress controller to reach the pods, on their port", () => {
    const { policyTypes, ingress: rules = [] } = networkPolicy.spec ?? {}
    expect(policyTypes).toEqual(["Ingress"])
    const [rule] = rules
    expect([rules.length, rule?.from?.length]).toEqual([1, 1])
    // Both in one entry: these pods, and of that namespace.
    expect(Object.keys(rule?.from?.[0] ?? {}).sort()).toEqual(["namespaceSelector", "podSelector"])
    expect(rule?.ports).toEqual([{ protocol: "TCP", port: container.ports?.[0]?.name ?? "" }])
  })

  test("trusts no proxy by default", () => {
    expect(environment().PAZAR_TRUSTED_PROXIES).toBeUndefined()
  })
})

/** The environment of the program, with the Secret as in the example. */
function environment(): Record<string, string> {
  const settings = readDeployFile("kubernetes/settings.env")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(/=(.*)/s, 2))
  const own = (container.env ?? []).map(({ name, value, valueFrom }) => [
    name,
    value ?? secret.stringData?.[valueFrom?.secretKeyRef?.key ?? ""],
  ])
  return Object.fromEntries([...settings, ...own])
}

describe("the settings", () => {
  const real = {
    DATABASE_URL: "postgres://pazar@postgres/pazar",
    PAZAR_OPERATOR_TOKEN: randomBytes(32).toString("hex"),
    PAZAR_METRICS_TOKEN: randomBytes(32).toString("hex"),
  }

  test("are known to the program, and accepted once the secrets are real", () => {
    const names = Object.keys(environment())
    expect(names.filter((name) => !knownSettings().has(name))).toEqual([])
    expect(problemsOf({ ...environment(), ...real })).toEqual([])
  })

  test("name secrets that are in the example, of the same name and namespace", () => {
    const refs = (container.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
    expect(refs.map(({ name }) => name)).toEqual(refs.map(() => secret.metadata?.name ?? ""))
    expect(secret.metadata?.namespace).toBe(kustomization.namespace)
    const keys = [...refs.map(({ key }) => key), "master-key"]
    expect(Object.keys(secret.stringData ?? {}).sort()).toEqual(keys.sort())
  })

  test("lead to the master key where it is mounted", () => {
    const [volume] = pod?.volumes ?? []
    const [mount] = container.volumeMounts ?? []
    expect(mount?.name).toBe(volume?.name ?? "")
    expect(volume?.secret?.secretName).toBe(secret.metadata?.name ?? "")
    const [item] = volume?.secret?.items ?? []
    expect(`${mount?.mountPath}/${item?.path}`).toBe(environment().PAZAR_MASTER_KEY_FILE ?? "")
    expect(item?.key).toBe("master-key")
    // Only the pod's group can read it.
    expect(volume?.secret?.defaultMode).toBe(0o440)
  })

  test("with the example's own values the program refuses to start", () => {
    const isRefused = Object.keys(real).map((name) => [
      name,
      problemsOf({ ...environment(), ...real, [name]: environment()[name] }).length > 0,
    ])
    expect(isRefused).toEqual(Object.keys(real).map((name) => [name, true]))
    expect(decodeMasterKey(secret.stringData?.["master-key"] ?? "")).toBeNull()
  })
})

describe("the Job that migrates", () => {
  const [migrating] = job.spec?.template.spec?.containers ?? []

  test("is of the same version, in the same namespace, and a new one each time", () => {
    expect(migration.resources).toEqual(["job.yaml"])
    expect([migration.namespace, migration.images]).toEqual([
      kustomization.namespace,
      kustomization.images,
    ])
    expect(job.metadata?.name).toBeUndefined()
    expect(job.metadata?.generateName).toEndWith("-")
    expect(migrating?.args).toEqual(["migrate"])
  })

  test("has the secrets and the rights of a node, and no other settings", () => {
    const needed = ["PAZAR_MASTER_KEY_FILE", "DATABASE_URL"]
    expect(migrating?.env).toEqual(container.env?.filter(({ name }) => needed.includes(name)))
    expect(migrating?.volumeMounts).toEqual(container.volumeMounts)
    expect(migrating?.securityContext).toEqual(container.securityContext)
    expect(migrating?.image).toBe(container.image)
    const { volumes, securityContext } = job.spec?.template.spec ?? {}
    expect({ volumes, securityContext }).toEqual({
      volumes: pod?.volumes,
      securityContext: pod?.securityContext,
    })
  })
})

describe("probes", () => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(() => program.close())

  const probes = { startup: "/healthz", liveness: "/healthz", readiness: "/readyz" } as const
  test.each(Object.entries(probes))("%s asks what the program answers", async (name, path) => {
    const probe = container[`${name as keyof typeof probes}Probe`] // keys of the record above
    expect(probe?.httpGet).toEqual({ path, port: container.ports?.[0]?.name ?? "" })
    expect((await fetch(`${program.url}${path}`)).status).toBe(200)
  })

  test("a node may wait some minutes for its database before it listens", () => {
    const { periodSeconds = 10, failureThreshold = 3 } = container.startupProbe ?? {}
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(600)
  })

  test("readiness waits longer than the program takes to say no", () => {
    expect(container.readinessProbe?.timeoutSeconds ?? 1).toBeGreaterThan(2)
  })

  test("a pod has enough time to stop", () => {
    const stopSeconds = (drainMs + inFlightMsMax) / 1000
    expect(pod?.terminationGracePeriodSeconds ?? 0).toBeGreaterThanOrEqual(stopSeconds + 5)
    expect(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable).toBe(0)
  })
})

test("a pod has no rights that it does not need", () => {
  expect(pod?.securityContext).toEqual({
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    fsGroup: 1000,
    seccompProfile: { type: "RuntimeDefault" },
  })
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  })
  expect(pod?.automountServiceAccountToken).toBe(false)
})
