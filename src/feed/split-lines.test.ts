import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { createLineSplitter, type Line, lineBytesMax } from "./parse-line.ts"

type Whole = Readonly<{ number: number; text: string; isOversize: boolean }>

const toBytes = (text: string) => Buffer.from(text, "latin1")

function cut(chunks: readonly Uint8Array[], bytesMax?: number): Line[] {
  const cutter = createLineSplitter(bytesMax)
  return [...chunks.flatMap((chunk) => [...cutter.push(chunk)]), ...cutter.end()]
}

/** Joins the pieces of each line. Omits a line whose last piece is missing. */
function join(lines: readonly Line[]): Whole[] {
  const whole: Whole[] = []
  let text = ""
  for (const { number, bytes, isOversize, isEnd } of lines) {
    text += Buffer.from(bytes).toString("latin1")
    if (!isEnd) continue
    whole.push({ number, text, isOversize })
    text = ""
  }
  return whole
}

const plain = (...texts: string[]): Whole[] =>
  texts.map((text, at) => ({ number: at + 1, text, isOversize: false }))

const feeds: readonly (readonly [what: string, feed: string, lines: Whole[]])[] = [
  ["an empty text", "", []],
  ["lines with breaks", "a\nb\n", plain("a", "b")],
  ["a last line without a break", "a\nb", plain("a", "b")],
  ["empty lines, which count", "\n\na\n", plain("", "", "a")],
  ["CRLF, which is the reader's matter", "a\r\nb\r\n", plain("a\r", "b\r")],
  ["a lone carriage return, which is not a line break", "a\rb", plain("a\rb")],
]

test.each(feeds)("splits %s", (_, feed, lines) => {
  expect(join(cut([toBytes(feed)]))).toEqual(lines)
})

test("a line of exactly the limit is whole, one byte more is oversize", () => {
  const [fits, tooLong] = ["a".repeat(8), "b".repeat(9)]
  expect(join(cut([toBytes(`${fits}\n${tooLong}\n${fits}`)], 8))).toEqual([
    { number: 1, text: fits, isOversize: false },
    { number: 2, text: tooLong, isOversize: true },
    { number: 3, text: fits, isOversize: false },
  ])
})

test("an oversize line is returned in pieces and never buffered", () => {
  const chunk = toBytes("a".repeat(lineBytesMax / 4))
  const cutter = createLineSplitter()
  const pieces = Array.from({ length: 12 }, () => [...cutter.push(chunk)])
  expect(pieces.map((lines) => lines.map(({ bytes }) => bytes.length))).toEqual([
    ...Array.from({ length: 4 }, () => []),
    [5 * chunk.length],
    ...Array.from({ length: 7 }, () => [chunk.length]),
  ])
  expect(cutter.end()).toEqual([
    { number: 1, bytes: Buffer.alloc(0), isOversize: true, isEnd: true },
  ])
})

describe("for any bytes in any chunks", () => {
  const bytesMax = 6
  const bytes = fc.string({ unit: fc.constantFrom("a", "b", "\r", "\n", "\xff"), maxLength: 60 })
  const positions = fc.array(fc.nat({ max: 60 }), { maxLength: 20 })

  function chunksOf(feed: string, at: readonly number[]): Uint8Array[] {
    const ends = [...at, feed.length]
      .map((position) => Math.min(position, feed.length))
      .sort(ascending)
    return ends.map((end, index) => toBytes(feed.slice(ends[index - 1] ?? 0, end)))
  }
  const ascending = (one: number, other: number) => one - other

  test("the lines are the same, numbered from 1, and no byte is lost", () => {
    fc.assert(
      fc.property(bytes, positions, (feed, at) => {
        const expected = feed
          .split("\n")
          .map((text, index) => ({ number: index + 1, text, isOversize: text.length > bytesMax }))
        // An empty rest after the last line break is not a line.
        if (expected.at(-1)?.text === "") expected.pop()
        expect(join(cut(chunksOf(feed, at), bytesMax))).toEqual(expected)
      }),
      { numRuns: propertyRuns(3_000) },
    )
  })

  test("no piece is longer than the limit plus one chunk", () => {
    fc.assert(
      fc.property(bytes, positions, (feed, at) => {
        const chunks = chunksOf(feed, at)
        const longest = Math.max(...chunks.map(({ length }) => length))
        const tooLong = cut(chunks, bytesMax).filter(
          ({ bytes: piece }) => piece.length > bytesMax + longest,
        )
        expect(tooLong).toEqual([])
      }),
    )
  })
})
