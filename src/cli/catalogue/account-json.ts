import type { Account } from "../../domain/catalogue/account.ts"
import type { Suspension } from "../../domain/usage/operator-reads.ts"

/** The account as the API answers it, and whether it is suspended. */
export function renderAccountJson({ body, isSuspended }: Account, words?: Suspension): string {
  const by =
    words === undefined
      ? ""
      : `,"suspended_by_feed":${words.isByFeed},"suspended_by_operator":${words.isByOperator}`
  return `${body.slice(0, -1)},"suspended":${isSuspended}${by}}`
}
