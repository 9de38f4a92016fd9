import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../tests/harness/full-test-run.ts"
import { trimWhitespace } from "../text.ts"
import {
  bodyBytesMax,
  filePart,
  InvalidContentLength,
  parseMultipart,
  queryParameters,
  readBody,
} from "./parameters.ts"

const piece = fc.constantFrom("a", "lang", "api_key", "", "=", "&", "&&", "?", "%41", "%", "+", "ü")
const pair = fc.tuple(piece, fc.constantFrom("", "="), piece).map((parts) => parts.join(""))
const form = fc.array(fc.oneof(piece, pair), { maxLength: 8 }).map((pieces) => pieces.join("&"))

test("a form is parsed as URLSearchParams does; the last of several values counts", () => {
  fc.assert(
    fc.property(form, fc.constantFrom("a", "A", "lang", "api_key", ""), (text, name) => {
      const standard = new URLSearchParams(text).getAll(name).at(-1) ?? ""
      expect(queryParameters(text)(name)).toBe(trimWhitespace(standard) === "" ? null : standard)
    }),
    { numRuns: propertyRuns(5_000) },
  )
})

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

const part = (head: string, value: string, lineBreak = "\r\n") =>
  ["--x", ...head.split("\n"), "", value, ""].join(lineBreak)
const fieldsOf = (text: string) => [...parseMultipart(text, "x")]

describe("a part is found by its name", () => {
  const heads = [
    'Content-Disposition: form-data; name="a"',
    'Content-Disposition: attachment; name="a"',
    "Content-Disposition: form-data; name=a",
    'content-disposition:form-data;NAME = "a" ',
    'Content-Type: text/plain\nContent-Disposition: form-data; name="a"\nContent-Length: 1',
    'Content-Disposition: form-data; size=1; name="a"',
  ]
  test.each(heads)("%j", (head) => {
    expect(fieldsOf(`${part(head, "v")}--x--\r\n`)).toEqual([["a", "v"]])
    expect(fieldsOf(`${part(head, "v", "\n")}--x--\n`)).toEqual([["a", "v"]])
  })

  test("a quote in the name may be written as %22 or with a backslash", () => {
    const head = "Content-Disposition: form-data; name="
    expect(fieldsOf(`${part(`${head}"a%22b"`, "v")}--x--`)).toEqual([['a"b', "v"]])
    expect(fieldsOf(`${part(`${head}"a\\"b"`, "v")}--x--`)).toEqual([['a"b', "v"]])
  })

  test("a file has no value", () => {
    for (const name of ['filename="b.txt"', 'filename=""', "filename=b"]) {
      const head = `Content-Disposition: form-data; name="a"; ${name}`
      expect(fieldsOf(`${part(head, "v")}--x--`)).toEqual([["a", filePart]])
    }
  })
})

describe("what is not a part", () => {
  const named = part('Content-Disposition: form-data; name="a"', "v")
  const cases: [string, string, [string, string][]][] = [
    ["an empty text", "", []],
    ["no delimiter", "hello", []],
    ["a part without a name", `${part("Content-Disposition: form-data", "v")}--x--`, []],
    ["a part without headers", "--x\r\n\r\nv\r\n--x--", []],
    ["a head without an end", '--x\r\nContent-Disposition: form-data; name="a"\r\n--x--', []],
    ["a head that is too long", `${part(`X: ${"y".repeat(2_000)}`, "v")}--x--`, []],
    [
      "a part that was cut off",
      `${named}${part('Content-Disposition: a; name="b"', "v")}`,
      [["a", "v"]],
    ],
    ["text before and after the parts", `hi\r\n${named}--x--\r\n${named}--x\r\n`, [["a", "v"]]],
    ["whitespace after the delimiter", `${named.replace("--x", "--x \t")}--x--`, [["a", "v"]]],
    [
      "several parts of one name: the last counts",
      `${named}${part('Content-Disposition: a; name="a"', "w")}--x--`,
      [["a", "w"]],
    ],
    ["an empty value", `${part('Content-Disposition: a; name="a"', "")}--x--`, [["a", ""]]],
  ]
  test.each(cases)("%s", (_, text, fields) => {
    expect(fieldsOf(text)).toEqual(fields)
  })
})

describe("any form", () => {
  const name = fc.stringMatching(/^[a-z_]{1,10}$/)
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("\r", "\n", "-", "--", "x", " ", '"', "ü", "="))
      .map((all) => all.join("")),
  )
  const form = fc.dictionary(name, value, { noNullPrototype: true })

  test("is parsed to the values that were written, whatever the disposition", () => {
    fc.assert(
      fc.property(form, fc.constantFrom("form-data", "attachment"), (fields, disposition) => {
        const boundary = "----a-boundary-in-no-value"
        const parts = Object.entries(fields).map(
          ([key, text]) =>
            `--${boundary}\r\nContent-Disposition: ${disposition}; name="${key}"\r\n\r\n${text}\r\n`,
        )
        const found = parseMultipart(`${parts.join("")}--${boundary}--\r\n`, boundary)
        expect(Object.fromEntries(found)).toEqual(fields)
      }),
      { numRuns: propertyRuns(1_000) },
    )
  })

  test("is parsed as the runtime parses its own output", async () => {
    await fc.assert(
      fc.asyncProperty(form, async (fields) => {
        const written = new FormData()
        for (const [key, text] of Object.entries(fields)) written.append(key, text)
        const response = new Response(written)
        const boundary = response.headers.get("content-type")?.split("boundary=")[1] ?? ""
        const copy = response.clone()
        const found = parseMultipart(await response.text(), boundary.replaceAll('"', ""))
        expect([...found]).toEqual([...(await copy.formData())])
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  test("never throws, however malformed the text", () => {
    const soup = fc.array(
      fc.constantFrom(
        "--x",
        "--x--",
        "\r\n",
        "\n",
        "\r",
        "Content-Disposition: ",
        "a; name=",
        '"',
        "\\",
        ";",
        "a",
      ),
    )
    fc.assert(
      fc.property(soup, (pieces) => {
        expect(parseMultipart(pieces.join(""), "x")).toBeInstanceOf(Map)
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })
})
