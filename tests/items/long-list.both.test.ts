import { afterAll, beforeAll, expect, test } from "bun:test"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item } from "../harness/records.ts"

const count = 450
let program: Program
let key: string
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent" })
  const items = Array.from({ length: count }, (_, index) => item("ada", index + 1))
  await program.load([account("ada"), ...items])
  key = (await program.issue("ada")).secret
})
afterAll(() => program.close())

async function list(headers: Record<string, string>) {
  const response = await openapiFetch(`${program.url}/api/items/all?api_key=${key}`, { headers })
  return { status: response.status, tag: response.headers.get("etag"), text: await response.text() }
}

test.each(["gzip", "identity"])("%s: an unchanged list has the same ETag", async (coding) => {
  const headers = { "Accept-Encoding": coding, "Accept-Language": "tr" }
  const first = await list(headers)
  expect(first.text).toStartWith('{"status":"başarılı","items":[')
  expect(JSON.parse(first.text).items).toHaveLength(count)
  expect(await list(headers)).toEqual(first)
  const { tag } = first
  expect(await list({ ...headers, "If-None-Match": `${tag}` })).toEqual({
    status: 304,
    tag,
    text: "",
  })

  await program.load([item("ada", 7, { name: `Renamed for ${coding}` })])
  const after = await list({ ...headers, "If-None-Match": `${tag}` })
  expect(after.status).toBe(200)
  expect(after.tag).not.toBe(tag)
  expect(after.text).toContain(`Renamed for ${coding}`)
})
