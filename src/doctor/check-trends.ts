import type { MetadataStore } from "../domain/store.ts"
import {
  findPurchaseDrop,
  findUnknownJump,
  parseTrends,
  type Trends,
  trendsMark,
} from "../domain/usage/trends.ts"
import { type Finding, warning } from "./finding.ts"

/** By the last count of a server. Finds nothing where no server has counted yet. */
export async function checkTrends({
  find,
}: Pick<MetadataStore, "find">): Promise<readonly Finding[]> {
  const trends = parseTrends(await find(trendsMark))
  return trends === null ? [] : judgeTrends(trends)
}

const dropHint =
  "Look for an import or a pull that deleted or revoked them: `pazar imports` lists the latest."
const jumpHint =
  "Check that imports and pulls are complete and the clocks are correct. Guessed codes count, too."

function judgeTrends(trends: Trends): readonly Finding[] {
  const drop = findPurchaseDrop(trends)
  const jump = findUnknownJump(trends)
  const { validations } = trends.validations.recent
  return [
    ...(drop === null
      ? []
      : [
          warning(
            "purchases",
            `${format(drop.now.valid)} are valid, ${percent(drop.share)} fewer than on ${drop.before.day} (${format(drop.before.valid)})`,
            dropHint,
          ),
        ]),
    ...(jump === null
      ? []
      : [
          warning(
            "unknown codes",
            `${percent(jump.now)} of ${format(validations)} validations since yesterday, ${percent(jump.before)} a week before`,
            jumpHint,
          ),
        ]),
  ]
}

const format = (count: number) => count.toLocaleString("en")
const percent = (share: number) => `${Math.round(share * 100)} %`
