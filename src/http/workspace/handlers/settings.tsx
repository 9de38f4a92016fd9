import { accountBodyOf } from "../../../domain/catalogue/account.ts"
import { findLocale } from "../../api/answer/locale.ts"
import { type AuthorApp, viewOf, visitorOf } from "../../pages/author-context.ts"
import { createCookies } from "../../pages/cookies.ts"
import { maskOf } from "../../pages/key-facts.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { ActivityPage } from "../pages/keys/activity-page.tsx"
import { LanguagePage } from "../pages/language-page.tsx"
import { ProfilePage } from "../pages/profile-page.tsx"

const settingsPath = "/workspace/settings"
const eventsShown = 100

export function addSettingsRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { store, vault, publicUrl } = services
  const cookies = createCookies(publicUrl, "workspace")

  app.get(settingsPath, (c) => c.redirect(`${settingsPath}/keys`, 303))

  app.get(`${settingsPath}/profile`, (c) =>
    c.html(<ProfilePage view={viewOf(c)} account={accountBodyOf(visitorOf(c).account)} />),
  )

  app.get(`${settingsPath}/language`, (c) => {
    const isDone = c.req.query("done") === "language"
    const notice = isDone ? viewOf(c).words.languagePage.saved : null
    return c.html(<LanguagePage view={viewOf(c, notice)} />)
  })

  app.post(`${settingsPath}/language`, async (c) => {
    const locale = findLocale(c.get("form").text("locale"))
    if (locale !== null) {
      await store.preferences.putLocale(visitorOf(c).account.id, locale)
      cookies.writeLanguage(c, locale)
    }
    return c.redirect(`${settingsPath}/language?done=language`, 303)
  })

  app.get(`${settingsPath}/activity`, async (c) => {
    const accountId = visitorOf(c).account.id
    const [events, keys] = await Promise.all([
      store.audit.list({ accountId, kind: "key" }, null, eventsShown),
      store.keys.list(accountId),
    ])
    const named = new Set(events.map(({ subjectId }) => subjectId))
    const masks = new Map(
      keys.filter(({ id }) => named.has(id)).map((key) => [key.id, maskOf(vault, key)]),
    )
    return c.html(<ActivityPage view={viewOf(c)} events={events} masks={masks} />)
  })
}
