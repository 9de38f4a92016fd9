/**
 * The other side of MySQL's protocol, by mysql2's own server: answers prepared SELECTs with given rows. It stands in where
 * no MariaDB is installed.
 */
import type { AddressInfo } from "node:net"
import { createServer } from "mysql2"

/** Every value as a text, as a SELECT of only texts would answer. */
export type FakeResult = Readonly<{
  columns: readonly string[]
  rows: readonly (readonly (string | null)[])[]
}>

export type FakeMysql = Readonly<{ url: string; close(): void }>

/** The part of mysql2's connection that its types leave out. */
type Peer = {
  /** The number of the next packet: a command has 0, its answer begins with 1. */
  sequenceId: number
  serverHandshake(greeting: Readonly<Record<string, unknown>>): void
  on(event: "query" | "stmt_prepare", take: (sql: string) => void): void
  on(event: "stmt_execute", take: (id: number) => void): void
  on(event: "error", take: () => void): void
  writeOk(): void
  writeEof(): void
  writeColumns(columns: readonly unknown[]): void
  writeTextRow(values: readonly string[]): void
  writePacket(packet: unknown): void
}

const [utf8, varString] = [33, 253]
/** MySQL 4.1's protocol with transactions and prepared statements, without TLS. */
const capabilities = 0x0000_a200 | 0x0008_0000 | 0x0000_0009

/** `find` gives the result of a SELECT, `clock` is the time that the server tells. */
export async function startFakeMysql(
  find: (sql: string) => FakeResult,
  clock: Date,
): Promise<FakeMysql> {
  const server = createServer((connection: unknown) => serve(connection as Peer, find, clock))
  // The types leave out the server inside.
  const { _server: inner } = server as unknown as { _server: import("node:net").Server }
  await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve))
  const { port } = inner.address() as AddressInfo
  return { url: `mysql://shop@127.0.0.1:${port}/store`, close: () => inner.close() }
}

function serve(peer: Peer, find: (sql: string) => FakeResult, clock: Date): void {
  const prepared: FakeResult[] = []
  peer.on("error", () => {})
  peer.serverHandshake({
    ...{ protocolVersion: 10, serverVersion: "8.0.0", connectionId: 1, statusFlags: 2 },
    ...{ characterSet: utf8, capabilityFlags: capabilities },
    authCallback: (_: unknown, admit: (error: null) => void) => {
      admit(null)
      peer.sequenceId = 0
    },
  })
  const answer = (write: () => void) => {
    peer.sequenceId = 1
    write()
    peer.sequenceId = 0
  }
  peer.on("query", (sql) =>
    answer(() => (sql.startsWith("SELECT") ? answerClock(peer, clock) : peer.writeOk())),
  )
  peer.on("stmt_prepare", (sql) =>
    answer(() => {
      // mysql2 takes SET for a statement to be prepared.
      if (sql.startsWith("SET ")) return peer.writeOk()
      prepared.push(find(sql))
      answerPrepare(peer, prepared.length, sql.split("?").length - 1, prepared.at(-1))
    }),
  )
  peer.on("stmt_execute", (id) =>
    answer(() => {
      const { columns = [], rows = [] } = prepared[id - 1] ?? {}
      peer.writeColumns(columns.map(columnOf))
      for (const row of rows) peer.writePacket(packetOf(binaryRow(row)))
      peer.writeEof()
    }),
  )
}

function answerClock(peer: Peer, clock: Date): void {
  peer.writeColumns([columnOf("now")])
  peer.writeTextRow([clock.toISOString()])
  peer.writeEof()
}

const columnOf = (name: string) => ({
  ...{ catalog: "def", schema: "", table: "", orgTable: "", name, orgName: name },
  ...{ characterSet: utf8, columnLength: 1_000, columnType: varString, flags: 0, decimals: 0 },
})

function answerPrepare(peer: Peer, id: number, parameters: number, result?: FakeResult): void {
  const columns = result?.columns ?? []
  const reply = Buffer.alloc(12)
  reply.writeUInt32LE(id, 1)
  reply.writeUInt16LE(columns.length, 5)
  reply.writeUInt16LE(parameters, 7)
  peer.writePacket(packetOf(reply))
  for (const names of [Array.from({ length: parameters }, () => "?"), columns]) {
    for (const name of names) peer.writePacket(packetOf(definition(name)))
    if (names.length > 0) peer.writeEof()
  }
}

/** A column definition of the protocol. */
function definition(name: string): Buffer {
  const tail = Buffer.alloc(13)
  tail.writeUInt8(0x0c, 0)
  tail.writeUInt16LE(utf8, 1)
  tail.writeUInt32LE(1_000, 3)
  tail.writeUInt8(varString, 7)
  return Buffer.concat([...["def", "", "", "", name, name].map(lengthCoded), tail])
}

function binaryRow(values: readonly (string | null)[]): Buffer {
  // The first two bits are reserved.
  const nulls = Buffer.alloc(Math.floor((values.length + 9) / 8))
  for (const [at, value] of values.entries()) {
    const bit = at + 2
    const byte = Math.floor(bit / 8)
    if (value === null) nulls.writeUInt8(nulls.readUInt8(byte) | (1 << (bit % 8)), byte)
  }
  const given = values.flatMap((value) => (value === null ? [] : [lengthCoded(value)]))
  return Buffer.concat([Buffer.of(0), nulls, ...given])
}

/** Texts here are shorter than 64 KiB. */
function lengthCoded(text: string): Buffer {
  const bytes = Buffer.from(text)
  const { length } = bytes
  const head = length < 251 ? Buffer.of(length) : Buffer.of(0xfc, length & 0xff, length >> 8)
  return Buffer.concat([head, bytes])
}

/** The packets of mysql2: a buffer with room for the header. */
function packetOf(payload: Buffer) {
  const buffer = Buffer.concat([Buffer.alloc(4), payload])
  return {
    buffer,
    length: () => buffer.length,
    writeHeader(sequence: number) {
      buffer.writeUIntLE(payload.length, 0, 3)
      buffer.writeUInt8(sequence, 3)
    },
  }
}
