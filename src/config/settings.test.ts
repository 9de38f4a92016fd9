import { expect, test } from "bun:test"
import { knownSettings } from "../../tests/harness/deploy-files.ts"
import { readConfig } from "./config.ts"
import { settings } from "./settings.ts"

const secrets = {
  PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  PAZAR_MASTER_KEY_PREVIOUS: Buffer.alloc(32, 6).toString("base64"),
  PAZAR_OPERATOR_TOKEN: "0123456789abcdefghijklmnopqrstuv",
  PAZAR_METRICS_TOKEN: "vutsrqponmlkjihgfedcba9876543210",
}

const factsOf = (env: Readonly<Record<string, string>>) =>
  new Map(readConfig(env).settings.map(({ name, ...fact }) => [name, fact]))

test("every setting is listed once, without its _FILE variant", () => {
  const names = settings.flatMap(({ names: [name] }) => name ?? [])
  expect(readConfig({}).settings.map(({ name }) => name)).toEqual(names)
  expect(new Set(names).size).toBe(names.length)
})

test("the list has exactly the variables that the program reads", () => {
  const listed = settings.flatMap(({ names }) => names)
  expect([...knownSettings()].toSorted()).toEqual(listed.toSorted())
})

test("a value has its origin: environment, file or default", () => {
  const facts = factsOf({ PORT: "9000", PAZAR_LOCALE: " ", PAZAR_SUPPORT_URL: "https://a.example" })
  const plain = { isSecret: false, path: null }
  expect([facts.get("PORT"), facts.get("HOST"), facts.get("PAZAR_LOCALE")]).toEqual([
    { ...plain, value: "9000", origin: "environment" },
    { ...plain, value: "127.0.0.1", origin: "default" },
    { ...plain, value: "en", origin: "default" },
  ])
  expect(facts.get("PAZAR_SUPPORT_URL")?.value).toBe("https://a.example")
  expect(facts.get("PAZAR_SIGN_IN_URL")?.value).toBeNull()
})

test("the list contains no secrets and no database password", () => {
  const postgres = "postgres://pazar:hunter2@db.example.com/pazar"
  const env = {
    ...secrets,
    DATABASE_URL: postgres,
  }
  const facts = factsOf(env)
  const text = JSON.stringify([...facts])
  expect([...Object.values(secrets), "hunter2"].filter((each) => text.includes(each))).toEqual([])
  expect(facts.get("DATABASE_URL")?.value).toContain("db.example.com")
  expect(facts.get("PAZAR_METRICS_TOKEN")).toEqual({
    value: null,
    isSecret: true,
    origin: "environment",
    path: null,
  })
})

test("the file of a generated master key is listed", () => {
  const fact = factsOf({ DATABASE_URL: "sqlite:/srv/pazar.db" }).get("PAZAR_MASTER_KEY")
  expect(fact).toEqual({
    value: null,
    isSecret: true,
    origin: "file",
    path: "/srv/pazar.db.master-key",
  })
})
