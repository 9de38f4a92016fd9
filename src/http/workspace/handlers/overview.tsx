import { accountBodyOf } from "../../../domain/catalogue/account.ts"
import type { KeyDates } from "../../../domain/keys/api-key.ts"
import { callsOf, type UsageDay } from "../../../domain/usage/usage.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { readAccountEndpoint } from "../../api/read-account.ts"
import { type AuthorApp, viewOf, visitorOf } from "../../pages/author-context.ts"
import { listKeyFacts, listKeys } from "../../pages/key-facts.ts"
import { apiText } from "../frame/api-text.ts"
import { listAttention } from "../frame/attention.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { OverviewPage } from "../pages/overview-page.tsx"
import type { FirstSteps } from "../parts/first-steps.tsx"

export function addOverviewRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { store, now } = services

  /** A step stays done when its key has ended. Calls and networks are written apart: either counts. */
  async function firstStepsOf(
    keys: readonly KeyDates[],
    days: readonly UsageDay[],
  ): Promise<FirstSteps> {
    const isCalled =
      days.some((day) => callsOf(day) > 0) ||
      (await store.usage.listLastUses(keys.map(({ id }) => id))).length > 0
    return { create: keys.length > 0, call: isCalled, ship: keys.some(({ kind }) => kind === "vk") }
  }

  app.get("/workspace", async (c) => {
    const { account } = visitorOf(c)
    const view = viewOf(c)
    const at = formatTimestamp(now())
    const [items, keys, days, codesChecked] = await Promise.all([
      store.itemSearch.count(account.id),
      listKeys(services, account.id),
      store.usage.listByDay(account.id, at),
      store.usage.countCheckedCodes(account.id, at),
    ])
    const live = await listKeyFacts(services, keys.live)
    return c.html(
      <OverviewPage
        view={view}
        account={accountBodyOf(account)}
        accountJson={await apiText(readAccountEndpoint, account, view.locale)}
        items={items}
        days={days}
        codesChecked={codesChecked}
        workingKeys={live.length}
        shippableKeys={live.filter(({ key }) => key.kind === "vk").length}
        testKeys={live.filter(({ key }) => key.kind === "tk").length}
        steps={await firstStepsOf([...keys.live, ...keys.ended], days)}
        attention={listAttention(view.words.overview, live, now())}
      />,
    )
  })
}
