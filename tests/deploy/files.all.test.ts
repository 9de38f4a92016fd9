import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../package.json"
import {
  deployFiles,
  installGuide,
  knownSettings,
  readDeployFile,
  root,
} from "../harness/deploy-files.ts"

const manifests = deployFiles.filter((path) => /\.ya?ml$/.test(path))
const hostsIn = (text: string) =>
  [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host = ""]) => host)
const proxiesIn = (text: string) => [
  ...text.matchAll(/PAZAR_TRUSTED_PROXIES\W+([\d.:a-f]+)(?:\/(\d+))?/g),
]

test("there are files, and hosts and proxies in them", () => {
  const texts = deployFiles.map(readDeployFile)
  expect(manifests.length).toBeGreaterThan(5)
  expect(texts.flatMap(hostsIn).length).toBeGreaterThan(3)
  expect(texts.flatMap(proxiesIn).length).toBeGreaterThan(1)
})

test.each(manifests)("%s can be parsed", (path) => {
  expect(Bun.YAML.parse(readDeployFile(path))).toBeObject()
})

test("the program knows every setting that is named", () => {
  const named = deployFiles.flatMap(
    (path) => readDeployFile(path).match(/\b(?:PAZAR|DATABASE)_[A-Z_]+\b|\bLOG_LEVEL\b/g) ?? [],
  )
  expect(named).toContain("PAZAR_MASTER_KEY")
  expect([...new Set(named)].filter((name) => !knownSettings().has(name))).toEqual([])
})

test.each(deployFiles)("%s contains no secret and no real address", (path) => {
  const text = readDeployFile(path)
  const secrets = [
    /\b[A-Za-z0-9+/]{43}=/,
    /\bpzr_[a-z]{2}_\w+/,
    /:\/\/[^\s/:@]+:(?!password@)[^\s/@]+@/,
    /(?:password|token)["']?[:=][ \t]*["']?(?!REPLACE ME|false)[\w+/]/i,
  ]
  expect(secrets.filter((secret) => secret.test(text))).toEqual([])
  const known = ["127.0.0.1", "api.example.com", "pazar"]
  expect(hostsIn(text).filter((host) => !known.includes(host))).toEqual([])
})

test.each(deployFiles)("%s trusts no large IP range", (path) => {
  expect(
    proxiesIn(readDeployFile(path)).filter(([, address = "", bits]) => {
      return bits !== undefined && Number(bits) < (address.includes(":") ? 112 : 28)
    }),
  ).toEqual([])
})

test("docs/install.md names this version", () => {
  const versions = /dist\/pazar-(\S+)\.tgz|\bpazar:(\d\S*)/g
  const named = [...installGuide.matchAll(versions)].map(([, ...found]) => found.join(""))
  expect([...new Set(named)]).toEqual([manifest.version])
})

test("git ignores an operator's own files there", () => {
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n")
  expect(ignored).toEqual(expect.arrayContaining(["/deploy/secrets/", "/deploy/.env"]))
})
