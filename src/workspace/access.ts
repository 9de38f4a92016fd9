/** The right that each route of the workspace requires. A route that is not listed here requires `manage`. */

import type { Right } from "../access/actor.ts"
import { routes } from "../access/paths.ts"

const { home, sales, check, items, log, search, keys, people, settings, webhooks } = routes
const [key, webhook] = [`${keys}/:id`, `${webhooks}/:webhook`]
const message = `${webhook}/messages/:message`

/** Lists and search forms, which are sent by GET and by POST. They change nothing. */
const searched = [sales, check, search, log, keys]

const pages: Readonly<Record<string, Right>> = {
  ...Object.fromEntries(
    [home, `${home}/usage`, items, `${items}/:id{[0-9]+}`, `${check}/:id`, settings].map(
      (path) => [path, "read"] as const,
    ),
  ),
  ...Object.fromEntries(
    [key, `${key}/usage`, `${key}/first-call`, webhooks, webhook, message].map(
      (path) => [path, "read_setup"] as const,
    ),
  ),
  [people]: "read_setup",
}

const changes: Readonly<Record<string, Right>> = {
  [`${settings}/language`]: "read",
  [`${check}/:id/release`]: "release_sites",
  [`${check}/:id/restore`]: "release_sites",
  [`${message}/resend`]: "redeliver",
  [webhooks]: "secrets",
}

/** What only operators do. */
const operated = [`${check}/:id/refund`, `${check}/:id/take-back`]

/** Pages and forms that lead to a secret. */
const secrets = [
  ...[routes.newKey, `${key}/replace`, `${key}/leak`, `${key}/reveal`],
  ...["new", "reveal", "replace", "edit"].map((action) => `${webhooks}/:webhook/${action}`),
  `${webhooks}/new`,
]

export const isOwnPage = (route: string) =>
  route === routes.security || route.startsWith(`${routes.security}/`)

/** `route` is the path with its parameters. A file requires the same right as its list. */
export function rightFor(method: string, route: string): Right {
  const path = route.replace(/\.csv$/, "")
  if (searched.includes(path)) return path === keys ? "read_setup" : "read"
  if (isOwnPage(path)) return "read"
  if (secrets.includes(path)) return "secrets"
  if (operated.includes(path)) return "operate"
  if (path.startsWith(`${people}/`)) return "people"
  return (method === "GET" ? pages[path] : changes[path]) ?? "manage"
}
