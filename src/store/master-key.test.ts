import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  createMasterKeyFile,
  decodeMasterKey,
  MasterKeyError,
  masterKeyBytes,
  readMasterKeyFile,
} from "./master-key.ts"

const key = Uint8Array.from({ length: masterKeyBytes }, (_, at) => at * 8)
const base64 = Buffer.from(key).toString("base64")

let folder = ""
let path = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pazar-test-"))
  path = join(folder, "pazar.db.master-key")
})
afterEach(() => rmSync(folder, { recursive: true }))

describe("32 bytes in base64", () => {
  test.each([base64, `${base64}\n`, ` ${base64}\r\n`, base64.replace("=", "")])(
    "are read from %p",
    (text) => {
      expect(decodeMasterKey(text)).toEqual(key)
    },
  )

  const wrong: readonly (readonly [what: string, text: string])[] = [
    ["an empty text", ""],
    ["31 bytes", Buffer.alloc(31).toString("base64")],
    ["33 bytes", Buffer.alloc(33).toString("base64")],
    ["hex", Buffer.from(key).toString("hex")],
    ["a password", "correct horse battery staple"],
    ["an invalid digit", base64.replace("A", "*")],
    ["two keys", `${base64}\n${base64}`],
  ]
  test.each(wrong)("are not %s", (_, text) => {
    expect(decodeMasterKey(text)).toBeNull()
  })
})

describe("createMasterKeyFile", () => {
  test("writes a new key with mode 600 and leaves no temporary file", () => {
    const created = createMasterKeyFile(path)
    expect({
      key: readMasterKeyFile(path),
      mode: (statSync(path).mode & 0o777).toString(8),
      files: readdirSync(folder),
    }).toEqual({ key: created, mode: "600", files: ["pazar.db.master-key"] })
  })

  test("writes a different key to every file", () => {
    expect(createMasterKeyFile(path)).not.toEqual(createMasterKeyFile(`${path}2`))
  })

  test("keeps an existing key", () => {
    writeFileSync(path, base64, { mode: 0o600 })
    expect(createMasterKeyFile(path)).toEqual(key)
    expect(readFileSync(path, "utf8")).toBe(base64)
    expect(readdirSync(folder)).toEqual(["pazar.db.master-key"])
  })

  test("returns the same key to concurrent processes", async () => {
    const module = join(import.meta.dir, "master-key.ts")
    const script = `const { createMasterKeyFile } = await import(${JSON.stringify(module)})
      console.log(Buffer.from(createMasterKeyFile(${JSON.stringify(path)})).toString("hex"))`
    const processes = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" }),
    )
    const keys = await Promise.all(processes.map(({ stdout }) => new Response(stdout).text()))
    const stored = `${Buffer.from(readMasterKeyFile(path)).toString("hex")}\n`
    expect(keys).toEqual([stored, stored, stored, stored])
    expect(readdirSync(folder)).toEqual(["pazar.db.master-key"])
  })

  test("does not overwrite a damaged file", () => {
    writeFileSync(path, "damaged")
    expect(() => createMasterKeyFile(path)).toThrow(MasterKeyError)
    expect(readFileSync(path, "utf8")).toBe("damaged")
  })
})

describe("readMasterKeyFile rejects", () => {
  test("a missing file", () => {
    expect(() => readMasterKeyFile(path)).toThrow(new RegExp(`${path} .*ENOENT`))
  })

  test("a directory", () => {
    mkdirSync(path)
    expect(() => readMasterKeyFile(path)).toThrow(new RegExp(`${path} .*EISDIR`))
  })

  test.each([0o604, 0o644, 0o444, 0o601, 0o602, 0o666])("mode %p", (mode) => {
    writeFileSync(path, base64)
    chmodSync(path, mode)
    const remedy = `chmod 600 ${path}`
    expect(() => readMasterKeyFile(path)).toThrow(remedy)
    expect(() => createMasterKeyFile(path)).toThrow(remedy)
    chmodSync(path, 0o600)
    expect(readMasterKeyFile(path)).toEqual(key)
  })

  test.each([0o400, 0o600, 0o440, 0o640])("no file with mode %p", (mode) => {
    writeFileSync(path, base64)
    chmodSync(path, mode)
    expect(readMasterKeyFile(path)).toEqual(key)
  })

  test("a symbolic link to a file that everybody can read", () => {
    writeFileSync(`${path}.target`, base64)
    chmodSync(`${path}.target`, 0o644)
    symlinkSync(`${path}.target`, path)
    expect(() => readMasterKeyFile(path)).toThrow(`chmod 600 ${path}`)
  })

  test.each(["", "damaged", base64.slice(1)])("the content %p", (text) => {
    writeFileSync(path, text)
    chmodSync(path, 0o600)
    expect(() => readMasterKeyFile(path)).toThrow(new RegExp(`${path} .*\\b32\\b`))
  })
})
