import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Program, startProgram } from "../program.ts"
import { lockStore, queryStore } from "./stored-rows.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram()
})
afterAll(() => program.close())

const change = (name: string) =>
  queryStore(program, "INSERT INTO metadata (name, value) VALUES (?, '')", name)
const select = "SELECT name FROM metadata WHERE name LIKE 'test %' ORDER BY name"

test("a change waits for the transaction of this process, which can end", async () => {
  const unlock = await lockStore(program)
  const changes = [change("test a"), change("test b")]
  // Both try, and find the database locked.
  await new Promise(setImmediate)
  await unlock()
  await Promise.all(changes)
  expect(await queryStore(program, select)).toEqual([{ name: "test a" }, { name: "test b" }])
})
