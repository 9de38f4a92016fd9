import { asOfWrite, parseLine } from "../../../src/feed/parse-line.ts"
import type { TimeZone } from "../../../src/platform/time.ts"
import type { Line } from "../records.ts"

export const prepareNoKey = () => {
  throw new Error("this line has no key")
}

export function parseSingleLine(line: Line, timeZone: TimeZone | null = null) {
  const bytes = new TextEncoder().encode(JSON.stringify(line))
  const parsed = parseLine(
    { number: 1, bytes, isOversize: false, isEnd: true },
    { prepareKey: prepareNoKey, timeZone, chooseAsOf: asOfWrite, onEnd: () => {} },
  )
  if (parsed === null) throw new Error("the line is empty")
  return parsed
}
