/** Whose key a pasted one is. The pasted text is neither kept nor shown again. */
import { secretIn, stateOf } from "../../../domain/keys/api-key.ts"
import { publicTestSecret } from "../../../domain/keys/public-test-key.ts"
import { trimBlank } from "../../../domain/values/blank.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { findPastedKeyOfAny } from "../../../operations/keys/find-pasted-key.ts"
import { maskOf } from "../../pages/key-facts.ts"
import { type ConsoleApp, viewOf } from "../frame/console-context.ts"
import { keysPath, pathOfKey } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { ConsoleKeyPage, ConsoleKeysPage } from "../pages/keys-page.tsx"

export function addKeysRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { store, vault, now } = services

  app.get(keysPath, (c) => c.html(<ConsoleKeysPage view={viewOf(c)} problem={null} />))

  app.post(keysPath, async (c) => {
    const view = viewOf(c)
    const show = (problem: string) => c.html(<ConsoleKeysPage {...{ view, problem }} />, 422)
    const pasted = c.get("form").exact("key")
    if (trimBlank(pasted) === "") return show(view.texts.keys.blank)
    if (secretIn(pasted) === publicTestSecret) return show(view.texts.keys.publicTest)
    const key = await findPastedKeyOfAny({ keys: store.keys, vault }, pasted)
    return key === null ? show(view.texts.keys.none) : c.redirect(pathOfKey(key.id), 303)
  })

  app.get(`${keysPath}/:id`, async (c) => {
    const key = await store.keys.find(c.req.param("id"))
    if (key === null) return c.notFound()
    const at = formatTimestamp(now())
    const usage = await store.usage.findByKey(key.id, at)
    const facts = { key, state: stateOf(key, at), usage }
    const author = await store.accounts.find(key.accountId)
    return c.html(
      <ConsoleKeyPage
        view={viewOf(c)}
        facts={facts}
        mask={maskOf(vault, key)}
        isAuthorSuspended={author?.isSuspended ?? false}
      />,
    )
  })
}
