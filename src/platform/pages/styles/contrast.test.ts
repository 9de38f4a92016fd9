/** The borders of controls have the contrast of WCAG 2.2, 1.4.11, and the colors of code that of 1.4.6. */
import { describe, expect, test } from "bun:test"
import base from "./base.css" with { type: "text" }
import forms from "./forms.css" with { type: "text" }

const colorOfTheme = (at: 1 | 2) =>
  base.replaceAll(/light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g, `$${at}`)
const [light, dark] = [colorOfTheme(1), colorOfTheme(2)]

function colorOf(block: string, name: string): readonly number[] {
  const [, hex] = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(block) ?? []
  if (hex === undefined) throw new Error(`no custom property --${name}`)
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
}

function luminanceOf(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(block: string, one: string, other: string): number {
  const [a, b] = [one, other].map((name) => luminanceOf(colorOf(block, name)))
  const [high = 0, low = 0] = [a, b].toSorted((x = 0, y = 0) => y - x)
  return (high + 0.05) / (low + 0.05)
}

test("contrast is computed as in WCAG", () => {
  expect(contrastOf("--a: #000000; --b: #ffffff;", "a", "b")).toBeCloseTo(21)
  expect(contrastOf("--a: #94a3b8; --b: #ffffff;", "a", "b")).toBeCloseTo(2.56)
})

test("inputs, selects and quiet buttons have a border of this color", () => {
  expect(forms).toContain("border: 1px solid var(--field)")
  expect(forms).toContain("border-color: var(--field)")
})

describe.each([
  ["light", light],
  ["dark", dark],
])("%s", (_, block) => {
  test.each(["paper", "panel"])(
    "the border of a field has at least 3:1 against --%s",
    (background) => {
      expect(contrastOf(block, "field", background)).toBeGreaterThanOrEqual(3)
    },
  )
  test.each(["keyword", "name", "good", "warning", "soft"])(
    "the color --%s of code has at least 7:1 against its background",
    (color) => {
      expect(contrastOf(block, color, "panel")).toBeGreaterThanOrEqual(7)
    },
  )
  test.each(["paper", "panel"])(
    "the border of an invalid field has at least 3:1 against --%s",
    (background) => {
      expect(contrastOf(block, "danger", background)).toBeGreaterThanOrEqual(3)
    },
  )
})
