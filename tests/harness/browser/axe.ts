/**
 * Runs axe-core on a page opened with `bypassCSP`, because the Content Security Policy blocks the injected script.
 */
import { readFileSync } from "node:fs"
import type { AxeResults, Check } from "axe-core"
import type { Page } from "playwright-core"

const axeSource = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8")

/**
 * Default rules of axe, with the stricter contrast thresholds in the ordinary contrast rule: running both rules would
 * measure every text twice. The other values are axe's defaults.
 */
const contrast: Check = {
  id: "color-contrast",
  options: {
    ignoreUnicode: true,
    ignoreLength: false,
    ignorePseudo: false,
    pseudoSizeThreshold: 0.25,
    boldValue: 700,
    boldTextPt: 14,
    largeTextPt: 18,
    shadowOutlineEmMax: 0.2,
    textStrokeEmMin: 0.03,
    contrastRatio: { normal: { expected: 7 }, large: { expected: 4.5 } },
  },
}

/**
 * Keeps two of many equal siblings, such as table rows, because axe spends most of its time on measuring texts. Equal
 * siblings have the same elements, attributes and styles.
 */
const thinOut = `(() => {
  const styleOf = (element) =>
    ["class", "style", "role", "type"].map((name) => element.getAttribute(name)).join("|")
  const describe = (element) =>
    [element.localName, element.getAttributeNames().sort(), styleOf(element)].join(" ") +
    "(" + [...element.children].map(describe) + ")"
  const visit = (element) => {
    const seen = new Map()
    for (const child of [...element.children]) {
      const kind = describe(child)
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      if (seen.get(kind) > 2) child.remove()
      else visit(child)
    }
  }
  visit(document.body)
})()`

/** Removes repeated elements from the page. */
export async function runAxe(page: Page): Promise<AxeResults["violations"]> {
  await page.evaluate(thinOut)
  await page.evaluate(`${axeSource}; axe.configure(${JSON.stringify({ checks: [contrast] })})`)
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then((found) => found.violations)`)
}

export const describeViolations = (violations: AxeResults["violations"]) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  )
