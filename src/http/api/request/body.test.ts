import { describe, expect, test } from "bun:test"
import { bodyBytesMax, InvalidContentLength, readBody } from "./parameters.ts"

const chunkBytes = 16 * 1024

/** A body without an end, which counts the bytes that were taken of it. */
function endlessBody() {
  let takenBytes = 0
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        takenBytes += chunkBytes
        controller.enqueue(new Uint8Array(chunkBytes))
      },
      cancel() {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, takenBytes: () => takenBytes, isCancelled: () => isCancelled }
}

const requestOf = (headers: Record<string, string>, body: ReadableStream) =>
  new Request("http://a/", { method: "POST", headers, body })

describe("a body without an end", () => {
  test("is left at the limit when no length is declared", async () => {
    const { stream, takenBytes, isCancelled } = endlessBody()
    const reading = async () => readBody(requestOf({}, stream))
    await expect(reading()).rejects.toMatchObject({ reason: "too_large" })
    expect(takenBytes()).toBe(bodyBytesMax + chunkBytes)
    expect(isCancelled()).toBe(true)
  })

  test.each(["65537", "999999999999999"])("is not touched when %s bytes are declared", (length) => {
    const { stream, takenBytes } = endlessBody()
    const request = requestOf({ "Content-Length": length }, stream)
    const reading = () => readBody(request)
    expect(reading).toThrow(expect.objectContaining({ reason: "too_large" }))
    expect(takenBytes()).toBe(0)
  })

  test.each(["5, 5", "5,5", "+5", "-5", "0x5", "5e1", "", "9".repeat(40)])(
    "is not touched when its length is %j, which cannot be trusted",
    (length) => {
      const { stream, takenBytes } = endlessBody()
      const request = requestOf({ "Content-Length": length }, stream)
      const reading = () => readBody(request)
      expect(reading).toThrow(InvalidContentLength)
      expect(reading).toThrow(expect.objectContaining({ reason: "invalid_parameter" }))
      expect(takenBytes()).toBe(0)
    },
  )
})
