import { afterEach, beforeEach, expect, test } from "bun:test"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../tests/harness/program.ts"
import { UserError } from "../../domain/values/error.ts"
import { linkIntoPlace } from "./backup.ts"

let folder = ""
const at = (name: string) => join(folder, name)
beforeEach(() => {
  folder = temporaryFolder()
  writeFileSync(at("aside"), "copy")
})
afterEach(() => rmSync(folder, { recursive: true }))

const failWith = (code: string) => () => {
  throw Object.assign(new Error(code), { code })
}

test.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])(
  "a copy is renamed on a file system without hard links: %s",
  (code) => {
    linkIntoPlace(at("aside"), at("backup.db"), failWith(code))
    expect(readdirSync(folder)).toEqual(["backup.db"])
    expect(readFileSync(at("backup.db"), "utf8")).toBe("copy")
  },
)

test("a file that was created concurrently is not replaced, with and without hard links", () => {
  writeFileSync(at("backup.db"), "other")
  expect(() => linkIntoPlace(at("aside"), at("backup.db"))).toThrow(UserError)
  expect(() => linkIntoPlace(at("aside"), at("backup.db"), failWith("EPERM"))).toThrow(UserError)
  expect(readFileSync(at("backup.db"), "utf8")).toBe("other")
})

test("any other error is thrown", () => {
  expect(() => linkIntoPlace(at("aside"), at("backup.db"), failWith("ENOSPC"))).toThrow("ENOSPC")
})
