/** The right that each route of the console requires. A route that is not listed here is for admins only. */

import type { Right } from "../access/actor.ts"
import { paths } from "../access/paths.ts"

/** Lists and search forms, which are sent by GET and by POST. They change nothing. */
const searched: readonly string[] = [
  ...[paths.search, paths.authors, paths.purchases, paths.traffic],
]

const webhookRoute = `${paths.webhooks}/:webhook`

const pages: readonly string[] = [
  ...[paths.home, `${paths.authors}/:id`],
  ...[paths.imports, `${paths.imports}/:id`, paths.audit],
  ...[paths.settings, paths.operators, paths.webhooks],
  ...[webhookRoute, `${webhookRoute}/messages/:message`],
]

const changes: Readonly<Record<string, Right>> = {
  [`${paths.authors}/:id/invite`]: "invite",
  [`${webhookRoute}/messages/:message/resend`]: "redeliver",
}

const isOwn = (route: string) => route === paths.security || route.startsWith(`${paths.security}/`)

/** `route` is the path with its parameters. A file requires the same right as its list. */
export function rightFor(method: string, route: string): Right {
  const path = route.replace(/\.csv$/, "")
  const isReading = searched.includes(path) || (method === "GET" && pages.includes(path))
  return isReading || isOwn(path) ? "read" : (changes[path] ?? "manage")
}
