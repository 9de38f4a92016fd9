import { judgeLine, whenWritten } from "../../../src/feed/judge-line.ts"
import type { Line } from "../../contracts/records.ts"
import { noSecrets } from "./feed-secrets.ts"

/** Judges one line as an import does. */
export function judgeAlone(line: Line, adjust: Parameters<typeof judgeLine>[1]["adjust"]) {
  const bytes = new TextEncoder().encode(JSON.stringify(line))
  const judged = judgeLine(
    { number: 1, bytes, isOversize: false, isEnd: true },
    { secrets: noSecrets, adjust, momentOf: whenWritten, onEnd: () => {} },
  )
  if (judged === null) throw new Error("the line is blank")
  return judged
}
