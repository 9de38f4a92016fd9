import { expect, test } from "bun:test"
import { until } from "../tests/harness/command.ts"
import { createLog, type LogLevel } from "./log.ts"

const line = {
  method: "GET",
  route: "list_items",
  status: 200,
  ms: 1.23456,
  keyId: "key_1",
  requestId: "r",
}
const expected = { isFault: false }

function collect(level: LogLevel) {
  let text = ""
  const log = createLog(level, (more) => {
    text += more
  })
  const read = () => {
    log.flush()
    return text
      .split("\n")
      .filter((each) => each !== "")
      .map((each) => {
        const { time, stack, ...rest } = JSON.parse(each)
        expect(time).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
        return rest
      })
  }
  return { log, read }
}

test("a request's line holds what the allow-list names, and nothing else it is handed", () => {
  const { log, read } = collect("info")
  // A careless caller: the type would not let it pass.
  log.request({ ...line, ...expected, url: "/?api_key=secret" } as typeof line & typeof expected)
  log.request({ ...line, ...expected, keyId: null, status: 401 })
  expect(read()).toEqual([
    { level: "info", ...line, ms: 1.235 },
    { level: "info", method: "GET", route: "list_items", status: 401, ms: 1.235, requestId: "r" },
  ])
})

test("levels: requests are info, failed ones error, and 503 where nothing is wrong is warn", () => {
  const { log, read } = collect("warn")
  log.info("started")
  log.request({ ...line, ...expected })
  log.request({ ...line, ...expected, status: 503 })
  log.request({ ...line, status: 503, isFault: true })
  log.error("a request failed", new Error("why"), "r")
  expect(read()).toEqual([
    { level: "warn", ...line, status: 503, ms: 1.235 },
    { level: "error", ...line, status: 503, ms: 1.235 },
    { level: "error", message: "a request failed", requestId: "r" },
  ])
  const silent = collect("silent")
  silent.log.error("x", new Error("y"))
  expect(silent.read()).toEqual([])
})

test("lines are held back a moment and come by themselves", async () => {
  let text = ""
  const log = createLog("info", (more) => {
    text += more
  })
  log.request({ ...line, ...expected })
  expect(text).toBe("")
  expect(await until(() => text || undefined)).toContain("list_items")
})

test("many lines at once are written in small pieces, each of whole lines", () => {
  const pieces: string[] = []
  const log = createLog("info", (more) => {
    pieces.push(more)
  })
  for (let turn = 0; turn < 1_000; turn += 1) log.request({ ...line, ...expected })
  log.flush()
  expect(pieces.join("").split("\n")).toHaveLength(1_001)
  for (const piece of pieces) {
    expect(piece.length).toBeLessThan(20 * 1024)
    expect(piece).toEndWith("}\n")
  }
})
