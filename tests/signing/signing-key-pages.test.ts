import { afterAll, beforeAll, expect, test } from "bun:test"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { openNewOperator, operatorPassword } from "../harness/test-operators.ts"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  deniz = await openNewOperator(program, "deniz")
})
afterAll(() => program.close())

const path = "/console/settings"
const listIds = async () => (await program.app.store.signingKeys.list()).map(({ id }) => id)

test("303: a rotation is confirmed with the password, promotes the next key, and is in the audit log", async () => {
  const [current = "", next = ""] = await listIds()
  // The password was entered too long ago.
  await queryStore(program, "UPDATE sessions SET confirmed_at = '2020-01-01T00:00:00Z'")
  const rejected = await deniz.submit(
    `${path}/signing-keys/rotate`,
    { password: "wrong" },
    `${path}/signing-keys/rotate`,
  )
  expect([rejected.status, await listIds()]).toEqual([422, [current, next]])
  const form = { password: operatorPassword }
  const { location } = await deniz.submit(
    `${path}/signing-keys/rotate`,
    form,
    `${path}/signing-keys/rotate`,
  )
  expect(location).toBe(`${path}?done=signing_key_rotated`)
  const [promoted, created, retired] = await listIds()
  expect([promoted, retired]).toEqual([next, current])
  const shown = unescapeHtml(textOf((await deniz.get(location ?? "")).text))
  expect(shown).toContain("The signing key was rotated.")
  for (const [id, state] of [
    [next, "Current"],
    [created, "Next"],
    [current, "Retired"],
  ]) {
    expect(shown).toContain(`${id} ${state} `)
  }
  const [event] = await program.app.store.audit.list(
    { accountId: null, kind: "signing_key" },
    null,
    5,
  )
  expect(event).toMatchObject({ action: "rotated", subjectId: next, actor: { name: "deniz" } })
})
