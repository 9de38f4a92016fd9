import { describe, expect, test } from "bun:test"
import { bodyBytesMax, InvalidContentLength, readBody } from "./parameters.ts"

const chunkBytes = 16 * 1024

function endlessBody() {
  let readBytes = 0
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        readBytes += chunkBytes
        controller.enqueue(new Uint8Array(chunkBytes))
      },
      cancel() {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, readBytes: () => readBytes, isCancelled: () => isCancelled }
}

const createRequest = (headers: Record<string, string>, body: ReadableStream) =>
  new Request("http://a/", { method: "POST", headers, body })

describe("a body without an end", () => {
  test("is read up to the limit if no length is declared", async () => {
    const { stream, readBytes, isCancelled } = endlessBody()
    const reading = async () => readBody(createRequest({}, stream))
    await expect(reading()).rejects.toMatchObject({ reason: "too_large" })
    expect(readBytes()).toBe(bodyBytesMax + chunkBytes)
    expect(isCancelled()).toBe(true)
  })

  test.each(["65537", "999999999999999"])("is not read if %s bytes are declared", (length) => {
    const { stream, readBytes } = endlessBody()
    const request = createRequest({ "Content-Length": length }, stream)
    const reading = () => readBody(request)
    expect(reading).toThrow(expect.objectContaining({ reason: "too_large" }))
    expect(readBytes()).toBe(0)
  })

  test.each(["5, 5", "5,5", "+5", "-5", "0x5", "5e1", "", "9".repeat(40)])(
    "is not read if its declared length is %j",
    (length) => {
      const { stream, readBytes } = endlessBody()
      const request = createRequest({ "Content-Length": length }, stream)
      const reading = () => readBody(request)
      expect(reading).toThrow(InvalidContentLength)
      expect(reading).toThrow(expect.objectContaining({ reason: "invalid_parameter" }))
      expect(readBytes()).toBe(0)
    },
  )
})
