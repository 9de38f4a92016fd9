import type { Hono } from "hono"
import { accountBodyOf } from "../../../domain/account.ts"
import { isLive } from "../../../domain/api-key.ts"
import { daySeconds, secondsAfter } from "../../../domain/date-arithmetic.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { readAccountEndpoint } from "../../api/read-account.ts"
import { apiText } from "../api-text.ts"
import { isShipped, type KeyFacts, listKeyFacts } from "../key-facts.ts"
import { newKeyPath, newValidationKeyPath, pathOfKey } from "../key-paths.ts"
import { type Attention, OverviewPage } from "../pages/overview-page.tsx"
import { formatDay } from "../parts/values.tsx"
import type { WorkspaceServices } from "../services.ts"
import type { View } from "../view.ts"
import { viewOf, visitorOf, type WorkspaceEnv } from "../workspace-context.ts"

/** An earlier expiry is mentioned. */
const soonSeconds = 14 * daySeconds

export function addOverviewRoutes(app: Hono<WorkspaceEnv>, services: WorkspaceServices): void {
  const { store, now } = services
  app.get("/workspace", async (c) => {
    const { account } = visitorOf(c)
    const view = viewOf(c)
    const [items, keys, days] = await Promise.all([
      store.itemSearch.count(account.id),
      listKeyFacts(services, account.id),
      store.usage.listByDay(account.id, formatTimestamp(now())),
    ])
    const live = keys.filter(({ state }) => isLive(state))
    return c.html(
      <OverviewPage
        view={view}
        account={accountBodyOf(account)}
        accountJson={await apiText(readAccountEndpoint, account, view.locale)}
        items={items}
        activeKeys={live.length}
        days={days}
        attention={listAttention(view, live, now())}
      />,
    )
  })
}

function listAttention(
  { words, locale }: View,
  keys: readonly KeyFacts[],
  now: Date,
): readonly Attention[] {
  const { overview } = words
  if (keys.length === 0) {
    return [{ text: overview.noKeys, action: overview.createKey, path: newKeyPath }]
  }
  const soon = secondsAfter(now, soonSeconds)
  return keys.flatMap((facts): Attention[] => {
    const { key, state, usage } = facts
    const see = { action: overview.seeKey, path: pathOfKey(key.id) }
    // First: a replaced key may also look shipped, and this is the more urgent notice.
    if (state === "ending" && (usage?.callsLastDay ?? 0) > 0) {
      return [{ text: overview.stillUsed(key.name, usage?.callsLastDay ?? 0), ...see }]
    }
    if (isShipped(facts)) {
      const make = { action: overview.makeValidation, path: newValidationKeyPath }
      return [{ text: overview.shipped(key.name), ...make }]
    }
    if (state === "active" && key.expiresAt !== null && key.expiresAt < soon) {
      return [{ text: overview.expires(key.name, formatDay(key.expiresAt, locale)), ...see }]
    }
    return []
  })
}
