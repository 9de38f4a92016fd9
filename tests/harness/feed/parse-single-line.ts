import type { TimeZone } from "../../../src/domain/values/time/timestamp.ts"
import { asOfWrite, parseLine } from "../../../src/feed/parse-line.ts"
import type { Line } from "../../contracts/records.ts"
import { noSecrets } from "./feed-secrets.ts"

export function parseSingleLine(line: Line, timeZone: TimeZone | null = null) {
  const bytes = new TextEncoder().encode(JSON.stringify(line))
  const parsed = parseLine(
    { number: 1, bytes, isOversize: false, isEnd: true },
    { secrets: noSecrets, timeZone, chooseAsOf: asOfWrite, onEnd: () => {} },
  )
  if (parsed === null) throw new Error("the line is empty")
  return parsed
}
