import { expect, test } from "bun:test"
import { renderIn, viewAt } from "../../tests/harness/http/page-views.ts"
import { daysOf } from "../platform/time.ts"
import { RequestsChart } from "./request-chart.tsx"

test("bars and numbers link to their failed requests, and errors have a scale of their own", () => {
  const range = { from: "2026-06-16", to: "2026-06-22", choice: 7, today: "2026-06-22" } as const
  const calls = { ok: 5_000, invalidCodes: 200, clientErrors: 1, serverErrors: 1 }
  const shown = {
    range,
    days: daysOf(range).map((day) => ({ day, ...calls })),
    logPath: "/workspace/ada/log",
    keyId: "key_1",
  }
  const chart = renderIn(viewAt("/workspace/ada", "en"), () => RequestsChart(shown))
  const links = [...chart.matchAll(/href="([^"]*)"/g)].map(([, path = ""]) =>
    path.replaceAll("&amp;", "&"),
  )
  const path = "/workspace/ada/log?key=key_1"
  expect(links.filter((each) => !each.includes("kind"))).toEqual(
    [0, 1].flatMap(() => daysOf(range).map((day) => `${path}&from=${day}&to=${day}`)),
  )
  expect(links).toContain("/workspace/ada/log?kind=codes&key=key_1&days=7")
  expect(links).toContain("/workspace/ada/log?kind=errors&key=key_1&from=2026-06-16&to=2026-06-16")
  const scales = [...chart.matchAll(/<div class="scale"[^>]*><span>([^<]*)</g)]
  expect(scales.map(([, top]) => top)).toEqual(["6,000", "2"])
})
