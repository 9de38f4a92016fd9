/** The actions that make, show or end a key. Each needs a recent password. */
import { isLive, type StoredKey, stateOf } from "../../../domain/keys/api-key.ts"
import { isConfirmed } from "../../../domain/sign-in/session.ts"
import { RefusedError } from "../../../domain/values/error.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { revealKey, revokeKey } from "../../../operations/keys/change-key.ts"
import { findOwnKey } from "../../../operations/keys/find-key.ts"
import {
  NoRoomForOverlap,
  type Overlap,
  overlapSeconds,
  rotateKey,
} from "../../../operations/keys/issue-key.ts"
import { hideKey, showKey } from "../../../operations/keys/show-key.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import type { Form } from "../../pages/page-context.ts"
import { keysPath, pathOfKey, pathOfNoRoom } from "../../pages/paths.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { askPassword, ConfirmPasswordPage, findPasswordAsk, NoPasswordPage } from "./confirm.tsx"
import { findFormId, makeOnce, showMade } from "./make-once.ts"

export function addKeyActionRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { keys, vault } = services
  const trace = (c: AuthorContext) => services.keyServices(actorOf(c))
  const find = (c: AuthorContext) =>
    findOwnKey(keys, visitorOf(c).account.id, c.req.param("id") ?? "")
  const isUsable = (key: StoredKey) => isLive(stateOf(key, formatTimestamp(services.now())))

  /** Another author's key is not found. */
  const post = (path: string, act: (c: AuthorContext, key: StoredKey) => Promise<Response>) =>
    app.post(`${keysPath}/:id${path}`, async (c) => {
      const key = await find(c)
      return key === null ? c.notFound() : act(c, key)
    })

  post("/replace", async (c, key) => {
    const formId = findFormId(c.get("form"))
    if (formId === null) return c.notFound()
    const asked = await askPassword(c, services, "replace")
    if (asked !== null) return asked
    const overlap = parseOverlap(c.get("form").text("overlap"))
    try {
      const made = await makeOnce(services, visitorOf(c).account, formId, (id) =>
        rotateKey(trace(c), key, overlap, id),
      )
      return await showMade(c, services, made, key.id)
    } catch (error) {
      if (error instanceof NoRoomForOverlap) return c.redirect(pathOfNoRoom(key.id), 303)
      if (error instanceof RefusedError) return c.redirect(pathOfKey(key.id), 303)
      throw error
    }
  })

  app.get(`${keysPath}/:id/reveal`, async (c) => {
    const key = await find(c)
    if (key === null) return c.notFound()
    if (isConfirmed(visitorOf(c).session, services.now())) {
      return c.redirect(pathOfKey(key.id), 303)
    }
    const password = await findPasswordAsk(c, services)
    if (!password.isAsked) return c.html(<NoPasswordPage view={viewOf(c)} />)
    const fields = [{ name: "page", value: c.req.query("page") ?? "key" }]
    const shown = { view: viewOf(c), action: "reveal", fields, password } as const
    return c.html(<ConfirmPasswordPage {...shown} />)
  })

  post("/reveal", async (c, key) => {
    if (!isUsable(key)) return c.redirect(pathOfKey(key.id), 303)
    const asked = await askPassword(c, services, "reveal")
    // The button has no field: the page that has one can be reloaded.
    if (asked !== null && c.get("form").list("password").length === 0) {
      return c.redirect(`${c.req.path}?page=${isFromList(c.get("form")) ? "list" : "key"}`, 303)
    }
    if (asked !== null) return asked
    // Unsealed here too, so that a damaged copy fails now and not on every page that shows it.
    await revealKey({ ...trace(c), vault }, key)
    const shownOn = isFromList(c.get("form")) ? "list" : "key"
    const shown = { keyId: key.id, shownOn, isNew: false, replacedId: null } as const
    await showKey(services, visitorOf(c).session, shown)
    // Without a fragment: the secret has the focus, and the browser scrolls to it.
    return c.redirect(shownOn === "list" ? keysPath : pathOfKey(key.id), 303)
  })

  post("/revoke", async (c, key) => {
    if (!isUsable(key)) return c.redirect(pathOfKey(key.id), 303)
    const asked = await askPassword(c, services, "revoke")
    if (asked !== null) return asked
    await revokeKey(trace(c), key)
    return c.redirect(`${keysPath}?done=revoked`, 303)
  })

  post("/hide", async (c, key) => {
    await hideKey(services, visitorOf(c).session, key)
    return c.redirect(isFromList(c.get("form")) ? `${keysPath}#${key.id}` : pathOfKey(key.id), 303)
  })
}

/** Revealing and hiding lead back to where the button was: the list, or the key's own page. */
const isFromList = (form: Form) => form.text("page") === "list"

function parseOverlap(text: string): Overlap {
  return Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "1d" // just found among its names
}
