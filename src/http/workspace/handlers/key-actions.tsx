/** The actions that make, show or end a key. Each needs a recent password. */
import type { Hono } from "hono"
import { isLive, type StoredKey, stateOf } from "../../../domain/api-key.ts"
import { RefusedError } from "../../../domain/error.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { findOwnKey } from "../../../operations/find-own-key.ts"
import { revealKey } from "../../../operations/reveal-key.ts"
import { revokeKey } from "../../../operations/revoke-key.ts"
import {
  NoRoomForOverlap,
  type Overlap,
  overlapSeconds,
  rotateKey,
} from "../../../operations/rotate-key.ts"
import { hideKey, showKey } from "../../../operations/show-key.ts"
import { keysPath, pathOfKey, pathOfNoRoom } from "../key-paths.ts"
import type { Form } from "../page-context.ts"
import type { WorkspaceServices } from "../services.ts"
import {
  actorOf,
  visitorOf,
  type WorkspaceContext,
  type WorkspaceEnv,
} from "../workspace-context.ts"
import { addConfirmRoutes, askPassword, type GuardedActions } from "./confirm.tsx"
import { findFormId, makeOnce, showMade } from "./make-once.ts"
import { createNewKeyAction } from "./new-key.tsx"

export function addKeyActionRoutes(app: Hono<WorkspaceEnv>, services: WorkspaceServices): void {
  const { store, vault } = services
  const notes = { ...store, ...services }
  const trace = (c: WorkspaceContext) => services.keyServices(actorOf(c))
  const find = (c: WorkspaceContext, keyId: string) =>
    findOwnKey(store.keys, visitorOf(c).account.id, keyId)
  const isUsable = (key: StoredKey) => isLive(stateOf(key, formatTimestamp(services.now())))

  const actions: GuardedActions = {
    create: createNewKeyAction(services),

    async replace(c, keyId, form) {
      const { account } = visitorOf(c)
      const key = await find(c, keyId)
      const formId = findFormId(form)
      if (key === null || formId === null) return c.notFound()
      const asked = await askPassword(c, services, ["replace", keyId, form])
      if (asked !== null) return asked
      const overlap = parseOverlap(form.text("overlap"))
      try {
        const made = await makeOnce(services, account, formId, (id) =>
          rotateKey(trace(c), key, overlap, id),
        )
        return await showMade(c, services, made, keyId)
      } catch (error) {
        if (error instanceof NoRoomForOverlap) return c.redirect(pathOfNoRoom(keyId), 303)
        if (error instanceof RefusedError) return c.redirect(pathOfKey(keyId), 303)
        throw error
      }
    },

    async reveal(c, keyId, form) {
      const key = await find(c, keyId)
      if (key === null) return c.notFound()
      if (!isUsable(key)) return c.redirect(pathOfKey(keyId), 303)
      const asked = await askPassword(c, services, ["reveal", keyId, form])
      if (asked !== null) return asked
      // Unsealed here too, so that a damaged copy fails now and not on every page that shows it.
      await revealKey({ ...trace(c), vault }, key)
      const shownOn = isFromList(form) ? "list" : "key"
      const shown = { keyId, shownOn, isNew: false, replacedId: null } as const
      await showKey(notes, visitorOf(c).session, shown)
      // Without a fragment: the secret has the focus, and the browser scrolls to it.
      return c.redirect(shownOn === "list" ? keysPath : pathOfKey(keyId), 303)
    },

    async revoke(c, keyId, form) {
      const key = await find(c, keyId)
      if (key === null) return c.notFound()
      if (!isUsable(key)) return c.redirect(pathOfKey(keyId), 303)
      const asked = await askPassword(c, services, ["revoke", keyId, form])
      if (asked !== null) return asked
      await revokeKey(trace(c), key)
      return c.redirect(`${keysPath}?done=revoked`, 303)
    },
  }

  app.post(keysPath, (c) => actions.create(c, "", c.get("form")))
  for (const action of ["replace", "reveal", "revoke"] as const) {
    app.post(`${keysPath}/:id/${action}`, (c) =>
      actions[action](c, c.req.param("id") ?? "", c.get("form")),
    )
  }
  addConfirmRoutes(app, services, actions)

  app.post(`${keysPath}/:id/hide`, async (c) => {
    const key = await find(c, c.req.param("id"))
    if (key === null) return c.notFound()
    await hideKey(store, visitorOf(c).session, key)
    return c.redirect(isFromList(c.get("form")) ? `${keysPath}#${key.id}` : pathOfKey(key.id), 303)
  })
}

/** Revealing and hiding lead back to where the button was: the list, or the key's own page. */
const isFromList = (form: Form) => form.text("page") === "list"

function parseOverlap(text: string): Overlap {
  return Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "1d" // just found among its names
}
