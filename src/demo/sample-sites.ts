import { commandLine } from "../domain/sign-in/audit-event.ts"
import { daySeconds, secondsBefore } from "../domain/values/time/timestamp.ts"
import { requireAccount } from "../operations/catalog/account-operations.ts"
import { setSiteLimits } from "../operations/catalog/site-operations.ts"
import type { App } from "../server/app.ts"

/** Reserved names, which do not belong to real sites. */
const branches = ["ankara", "izmir", "bursa", "adana", "konya", "mersin"].flatMap((city) => [
  `${city}.example.com`,
  `${city}.example.net`,
])

const siteVisits = [
  { daysAgo: 210, code: "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21", sites: ["old-shop.example.com"] },
  { daysAgo: 80, code: "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21", sites: ["shop.example.com"] },
  {
    daysAgo: 1,
    code: "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21",
    sites: ["shop.example.com", "blog.example.net", "staging.shop.example.com", "localhost"],
  },
  { daysAgo: 3, code: "c9f0f895-fb98-4b91-8a7d-2f1e5b6c4d90", sites: branches },
  { daysAgo: 2, code: "45c48cce-2e2d-4f3a-9c1b-7a8d9e0f1b2c", sites: ["studio.example.org"] },
]

export async function addSampleSites({ store, now }: Pick<App, "store" | "now">): Promise<void> {
  for (const { daysAgo, code, sites } of siteVisits) {
    const visits = sites.map((site) => ({ code, site }))
    await store.sites.recordSeen(secondsBefore(now(), daysAgo * daySeconds), visits)
  }
  const { id: accountId, username: author } = await requireAccount(store.accounts, "elif")
  const services = { sites: store.sites, audit: store.audit, now, actor: commandLine }
  const limits = { sites: 3, byLicense: { Extended: 25 } }
  await setSiteLimits(services, { id: 1001, accountId, author }, limits)
}
