import { expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { safeRedirectPath } from "./page-app.tsx"

const home = "/workspace"
const piece = fc.constantFrom(
  ...[
    home,
    "/",
    "//",
    "\\",
    ";",
    "%3b",
    "..",
    "%2e",
    "?",
    "#",
    "a",
    "@",
    ":",
    "\t",
    "\r\n",
    "\0",
    "ü",
  ],
  ...["evil.example", "https:"],
)

test("a redirect stays under the home, without characters that browsers, proxies or cookies read differently", () => {
  const starts = fc.constantFrom("", home, `${home}/`)
  const anyNext = fc
    .tuple(starts, fc.array(fc.oneof(piece, fc.string())))
    .map(([start, pieces]) => start + pieces.join(""))
  fc.assert(
    fc.property(anyNext, (next) => {
      const path = safeRedirectPath(next, [home])
      const url = new URL(path, "https://api.example.com")
      expect(url.origin).toBe("https://api.example.com")
      expect(url.pathname === home || url.pathname.startsWith(`${home}/`)).toBe(true)
      expect(path).not.toMatch(/[;\\\s\0]/)
      if (next.includes(";")) expect(path).toBe(home)
    }),
    { numRuns: propertyRuns(500) },
  )
})
