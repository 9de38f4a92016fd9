/** axe-core on a page that was opened with `bypassCSP`: the content policy refuses to inject it. */
import { readFileSync } from "node:fs"
import type { AxeResults, Check } from "axe-core"
import type { Page } from "playwright-core"

const axeSource = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8")

/**
 * All default rules of axe, with the thresholds of its stricter contrast rule in the ordinary one.
 * Running both rules measures every text twice. The other values are axe's own.
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

export async function runAxe(page: Page): Promise<AxeResults["violations"]> {
  await page.evaluate(`${axeSource}; axe.configure(${JSON.stringify({ checks: [contrast] })})`)
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then((found) => found.violations)`)
}

/** The rule and the element of each violation. */
export const describeViolations = (violations: AxeResults["violations"]) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  )
