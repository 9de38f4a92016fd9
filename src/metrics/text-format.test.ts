import { expect, test } from "bun:test"
import fc from "fast-check"
import { readPrometheusText } from "../../tests/harness/http/prometheus-text.ts"
import { type Family, renderFamilies } from "./families.ts"

test("a family is its meaning, its type and its series", () => {
  const family: Family = {
    name: "pazar_things_total",
    type: "counter",
    help: "Things.",
    samples: [
      { labels: {}, value: 1 },
      { labels: { kind: "a", result: "ok" }, value: 0.5 },
    ],
  }
  expect(renderFamilies([family])).toBe(
    '# HELP pazar_things_total Things.\n# TYPE pazar_things_total counter\npazar_things_total 1\npazar_things_total{kind="a",result="ok"} 0.5\n',
  )
})

test("whatever a text or a number is, Prometheus reads it back", () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom("\\", '"', "\n", "n", "{", "}", ",", " ", "ş") }),
    fc.string({ unit: "grapheme" }),
  )
  const number = fc.oneof(fc.double(), fc.maxSafeNat())
  fc.assert(
    fc.property(text, text, number, (help, value, counted) => {
      const samples = [{ labels: { label: value, other: "x" }, value: counted }]
      const rendered = renderFamilies([{ name: "a", type: "gauge", help, samples }])
      const [family] = readPrometheusText(rendered)
      const [sample] = family?.samples ?? []
      expect(family?.help).toBe(help)
      expect(sample?.labels).toEqual({ label: value, other: "x" })
      // The format does not tell -0 from 0.
      expect(sample?.value).toBe(counted + 0)
    }),
  )
})
