import { describe, expect, test } from "bun:test"
import { createHttpReader } from "./http-reader.ts"

const fixed = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello"
const chunked =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=y\r\n, chunked!\r\n0\r\n\r\n"
const notModified = 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 900\r\n\r\n'
const notFound = "HTTP/1.1 404 Not Found\r\ncontent-length:2\r\n\r\n{}"
const empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
const last = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
const emptyChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"

const responses = [
  { name: "a length", text: fixed, status: 200, body: "hello" },
  { name: "chunks", text: chunked, status: 200, body: "hello, chunked!" },
  { name: "304, which has no body whatever it says", text: notModified, status: 304, body: "" },
  { name: "lower case", text: notFound, status: 404, body: "{}" },
  { name: "a length of zero", text: empty, status: 200, body: "" },
  { name: "the end of its connection", text: last, status: 200, body: "{}" },
  { name: "no chunk but the last", text: emptyChunked, status: 200, body: "" },
]

function readPieces(reader: ReturnType<typeof createHttpReader>, text: string, size: number) {
  const bytes = Buffer.from(text)
  const found = []
  for (let at = 0; at < bytes.length; at += size) {
    const response = reader.read(bytes.subarray(at, at + size), true)
    if (response !== null) {
      const { status, isLast, bytes: length, body } = response
      const isAtEnd = at + size >= bytes.length
      found.push({ status, isLast, length, body: Buffer.from(body ?? []).toString(), isAtEnd })
    }
  }
  return found
}

describe.each(responses)("a response with $name", ({ text, status, body }) => {
  test("is parsed from pieces of any size, repeatedly", () => {
    const isLast = text === last
    const expected = [{ status, isLast, length: body.length, body, isAtEnd: true }]
    const reader = createHttpReader()
    for (let size = 1; size <= text.length; size += 1) {
      expect(readPieces(reader, text, size)).toEqual(expected)
    }
  })

  test("is counted without storing its body", () => {
    const response = createHttpReader().read(Buffer.from(text), false)
    expect(response).toEqual({ status, isLast: text === last, bytes: body.length, body: null })
  })
})

describe("an invalid response, or more than one, is an error", () => {
  test.each([
    ["bytes behind the end", `${fixed}x`],
    ["bytes behind the last chunk", `${chunked}x`],
    ["two answers at once", fixed + fixed],
    ["no length", "HTTP/1.1 200 OK\r\n\r\n"],
    ["another protocol", "SMTP ready\r\n\r\n"],
    ["a chunk without a size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
  ])("%s", (_, text) => {
    expect(() => createHttpReader().read(Buffer.from(text), false)).toThrow()
  })
})
