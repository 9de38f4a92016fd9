import { afterAll, beforeAll, expect, test } from "bun:test"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { commandLine } from "../../src/access/actor.ts"
import { type IssuedKey, revokeKey } from "../../src/keys/key-operations.ts"
import { allItems } from "../harness/http/contract-messages.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, type Line } from "../harness/records.ts"

/** 44 MB that gzip cannot reduce to a quarter: several times the size of the socket buffers. */
const count = 1_100
const descriptionLetters = 40_000
const pagesMin = (count * descriptionLetters) / 1_000_000
const firstIds = { ada: 1, bob: 10_001 }

let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  for (const author of ["ada", "bob"] as const) {
    await program.load([account(author), ...idsOf(author).map((id) => largeItem(author, id))])
  }
})
afterAll(() => program.close())

const idsOf = (author: keyof typeof firstIds) =>
  Array.from({ length: count }, (_, index) => firstIds[author] + index)

function largeItem(author: string, id: number): Line {
  const random = crypto.getRandomValues(new Uint8Array(descriptionLetters / 2))
  return item(author, id, { description: random.toHex() })
}

async function openList({ secret }: IssuedKey, coding: string): Promise<Socket> {
  const { hostname, port } = new URL(program.url)
  const socket = connect(Number(port), hostname)
  const headers = `Host: a\r\nConnection: close\r\nX-Api-Key: ${secret}\r\nAccept-Encoding: ${coding}`
  socket.write(`GET ${allItems.path} HTTP/1.1\r\n${headers}\r\n\r\n`)
  await once(socket, "readable")
  return socket
}

/** Requests the list, runs `duringResponse` once the response starts, then reads to the end. */
async function readSlowly(
  key: IssuedKey,
  coding: string,
  duringResponse: () => Promise<unknown>,
): Promise<string> {
  const socket = await openList(key, coding)
  await duringResponse()
  const chunks: Buffer[] = []
  try {
    for await (const chunk of socket) chunks.push(Buffer.from(chunk))
  } catch {}
  return Buffer.concat(chunks).toString("latin1")
}

const isWhole = (response: string) => response.endsWith("\r\n0\r\n\r\n")

const codings = ["identity", "gzip"]

const name = "200: a slow reader gets the whole list, even if its key is revoked meanwhile (%s)"
test.each(codings)(name, async (coding) => {
  const issued = await program.issue("ada")
  const response = await readSlowly(issued, coding, () =>
    revokeKey(program.app.keyServices(commandLine), issued.key),
  )
  expect(response).toStartWith("HTTP/1.1 200")
  expect(isWhole(response)).toBe(true)
})

test.each(codings)(
  "the list is not read further for a client that is gone (%s)",
  async (coding) => {
    const { items } = program.app.store
    const { findList } = items
    let reads = 0
    Object.assign(items, {
      async findList(accountId: number) {
        const list = await findList(accountId)
        if (list === null) return null
        const read: typeof list.read = (...page) => {
          reads += 1
          return list.read(...page)
        }
        return { ...list, read }
      },
    })
    const socket = await openList(await program.issue("ada"), coding)
    socket.destroy()
    for (let still = 0, before = 0; still < 100; still += 1) {
      await (await fetch(`${program.url}/healthz`)).text()
      if (reads !== before) still = 0
      before = reads
    }
    Object.assign(items, { findList })
    // A page ends after a megabyte.
    expect(reads).toBeLessThan(pagesMin)
  },
)

test("the connection is closed after the account is deleted", async () => {
  const issued = await program.issue("bob")
  const deletions = [
    ...idsOf("bob").map((id) => ({ type: "item", id, deleted: true })),
    { type: "account", username: "bob", deleted: true },
  ]
  const response = await readSlowly(issued, "identity", async () => {
    expect((await program.load(deletions)).rejected).toBe(0)
  })
  expect(response).toStartWith("HTTP/1.1 200")
  expect(isWhole(response)).toBe(false)
})
