import type { Account } from "../domain/account.ts"

/** The account as the API answers it, and whether it is suspended. */
export const renderAccountJson = ({ body, isSuspended }: Account): string =>
  `${body.slice(0, -1)},"suspended":${isSuspended}}`
