import { describe, expect, test } from "bun:test"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { ConfigError, type Environment, readConfig } from "./config.ts"

const master = Buffer.alloc(32, 7).toString("base64")

test("without any setting: loopback, 8080, a database and its key under data", () => {
  const path = resolve("data/pazar.db")
  expect(readConfig({})).toEqual({
    host: "127.0.0.1",
    port: 8080,
    threads: availableParallelism(),
    store: { kind: "sqlite", path, writes: new Int32Array(1) },
    masterKey: { from: "made", path: `${path}.master-key` },
    siteLocale: "en",
    operatorToken: null,
    publicUrl: null,
    trustedProxies: [],
    idleSeconds: 10,
    logLevel: "info",
  })
})

test("every setting is taken; a blank one is like none", () => {
  const config = readConfig({
    HOST: "0.0.0.0",
    PORT: "0",
    PAZAR_THREADS: "3",
    DATABASE_URL: "sqlite:///var/lib/pazar/a.db",
    PAZAR_MASTER_KEY: master,
    PAZAR_MASTER_KEY_FILE: " ",
    PAZAR_LOCALE: "tr",
    PAZAR_OPERATOR_TOKEN: "t0ken",
    PAZAR_PUBLIC_URL: "https://api.example.com/",
    PAZAR_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
    LOG_LEVEL: "warn",
  })
  expect(config).toEqual({
    host: "0.0.0.0",
    port: 0,
    threads: 3,
    store: { kind: "sqlite", path: "/var/lib/pazar/a.db", writes: new Int32Array(1) },
    masterKey: { from: "environment", key: new Uint8Array(32).fill(7) },
    siteLocale: "tr",
    operatorToken: "t0ken",
    publicUrl: "https://api.example.com",
    trustedProxies: ["10.0.0.0/8", "::1"],
    idleSeconds: 10,
    logLevel: "warn",
  })
})

test("PostgreSQL wants a master key of the operator's", () => {
  const url = "postgres://pazar:hunter2@db.example.com/pazar"
  expect(() => readConfig({ DATABASE_URL: url })).toThrow("PAZAR_MASTER_KEY")
  const { store, masterKey } = readConfig({ DATABASE_URL: url, PAZAR_MASTER_KEY_FILE: "/key" })
  expect(store).toMatchObject({ kind: "postgres", url, replicaUrls: [] })
  expect(masterKey).toEqual({ from: "file", path: "/key" })
})

describe("replicas", () => {
  const url = "postgres://pazar:hunter2@db.example.com/pazar"
  const read = (env: Environment) => readConfig({ PAZAR_MASTER_KEY_FILE: "/key", ...env }).store

  test("are addresses separated by commas", () => {
    const replicas = `${url}?a=1, ${url}?a=2,`
    const env = { DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas, PAZAR_THREADS: "3" }
    const replicaUrls = [`${url}?a=1`, `${url}?a=2`]
    expect(read(env)).toEqual({ kind: "postgres", url, replicaUrls, connectionsMax: 5 })
  })

  test.each([
    { DATABASE_URL: url, DATABASE_REPLICA_URLS: `${url},mysql://root:hunter2@db/x` },
    { DATABASE_URL: "sqlite:x.db", DATABASE_REPLICA_URLS: url },
  ])("are refused where they cannot be used, without a word of them: %p", (env) => {
    expect(() => read(env)).toThrow("DATABASE_REPLICA_URLS")
    expect(() => read(env)).not.toThrow("hunter2")
  })
})

describe("problems", () => {
  const bad = {
    PORT: "80a",
    PAZAR_THREADS: "0",
    DATABASE_URL: "mysql://root:hunter2@db/x",
    PAZAR_MASTER_KEY: "short",
    PAZAR_MASTER_KEY_FILE: "key",
    PAZAR_LOCALE: "de",
    PAZAR_OPERATOR_TOKEN: "two words",
    PAZAR_PUBLIC_URL: "api.example.com",
    PAZAR_TRUSTED_PROXIES: "10.0.0.0/33",
    LOG_LEVEL: "loud",
  }
  const messageOf = (env: Record<string, string>) => {
    try {
      readConfig(env)
    } catch (error) {
      if (error instanceof ConfigError) return error.message
      throw error
    }
    return ""
  }

  test("are reported all at once", () => {
    const lines = messageOf(bad).split("\n")
    for (const name of Object.keys(bad)) {
      expect(lines.filter((line) => line.startsWith("- ") && line.includes(name))).not.toEqual([])
    }
  })

  test("never repeat a secret", () => {
    for (const secret of ["hunter2", "short", "two words"])
      expect(messageOf(bad)).not.toContain(secret)
  })

  test.each(["-1", "65536", "8080 ", "eighty", "1e3"])("PORT=%s", (port) => {
    const isFine = port.trim() === "8080"
    expect(messageOf({ PORT: port }) === "").toBe(isFine)
  })
})
