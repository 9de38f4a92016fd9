import { isLive, keyNameCharactersMax, maskOf } from "../../../domain/keys/api-key.ts"
import { isConfirmed } from "../../../domain/sign-in/session.ts"
import { UserError } from "../../../domain/values/error.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { renameKey, revealKey, revokeKey } from "../../../operations/keys/change-key.ts"
import {
  NoRoomForOverlap,
  type Overlap,
  overlapSeconds,
  rotateKey,
} from "../../../operations/keys/issue-key.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  identityOf,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { pagesInMemory, sendCsv } from "../../pages/components/csv.ts"
import { dayColumns } from "../../pages/components/usage-chart.tsx"
import { type PasswordPrompt, passwordsOf } from "../../pages/confirm-password.ts"
import type { KeyFacts } from "../../pages/key-facts.ts"
import { findFormId } from "../../pages/page-context.ts"
import { keyLimitProblem, keysPath, pathOfKey, pathOfKeyLimit } from "../../pages/paths.ts"
import type { WorkspaceServices } from "../../pages/workspace-services.ts"
import { type KeyChange, KeyChangePage, NoPasswordPage, requirePassword } from "./key-changes.tsx"
import { createKeyPages, FirstRequest, rangeOf } from "./key-page.tsx"

export function addKeyRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { usage, keyCipher, tokens, now } = services
  const { find, show, showSecret, createOnce, findReplacement } = createKeyPages(services)
  const { promptFor } = passwordsOf(services, identityOf)
  const recordingOf = (c: AuthorContext) => services.keyServices(actorOf(c))
  const seeKey = (c: AuthorContext, { key }: KeyFacts) => c.redirect(pathOfKey(key.id), 303)

  type Act = (c: AuthorContext, facts: KeyFacts) => Response | Promise<Response>

  /** 404 for keys of other authors. */
  const add = (method: "GET" | "POST", path: string, act: Act) =>
    app.on(method, `${keysPath}/:id${path}`, async (c) => {
      const facts = await find(c)
      return facts === null ? c.notFound() : act(c, facts)
    })
  const ifLive =
    (act: Act): Act =>
    (c, facts) =>
      isLive(facts.state) ? act(c, facts) : seeKey(c, facts)

  add("GET", "", (c, facts) => show(c, facts, {}))

  add("GET", "/usage.csv", async (c, { key }) => {
    const { days } = await usage.readDetails(key.id, rangeOf(c, now()), formatTimestamp(now()))
    return sendCsv(c, "usage", dayColumns(viewOf(c)), pagesInMemory(days))
  })

  add("GET", "/first-call", (c, facts) => c.html(<FirstRequest view={viewOf(c)} facts={facts} />))

  const rename = ifLive(async (c, facts) => {
    const entered = c.get("form").text("name")
    const name = entered.trim()
    const texts = viewOf(c).texts.keys.new
    const problem =
      name === ""
        ? texts.emptyName
        : [...name].length > keyNameCharactersMax && texts.longName(keyNameCharactersMax)
    if (problem) return show(c, facts, { rename: { name: entered, problem } })
    await renameKey(recordingOf(c), facts.key, name)
    return c.redirect(`${pathOfKey(facts.key.id)}?done=renamed`, 303)
  })
  add("POST", "/rename", rename)

  async function showChange(
    c: AuthorContext,
    facts: KeyFacts,
    change: KeyChange,
    password: PasswordPrompt,
    status: 200 | 422,
  ) {
    const { found } = viewOf(c).texts.keyPages.find
    const isFound = change === "leak" && c.req.query("done") === "found"
    const sent = status === 422 ? c.get("form") : null
    return c.html(
      <KeyChangePage
        view={viewOf(c, isFound ? found(facts.key.name) : null)}
        change={change}
        facts={facts}
        mask={maskOf(keyCipher, facts.key)}
        successor={await findReplacement(facts.key)}
        formId={sent?.text("form_id") || tokens.create()}
        overlap={parseOverlap(sent?.text("overlap") ?? "")}
        isOverKeyLimit={c.req.query("problem") === keyLimitProblem}
        password={password}
        isFocused={sent !== null || change === "reveal"}
        now={now()}
      />,
      status,
    )
  }
  const showForm =
    (change: KeyChange): Act =>
    async (c, facts) =>
      showChange(c, facts, change, await promptFor(c), 200)
  const confirm = (c: AuthorContext, facts: KeyFacts, change: KeyChange) =>
    requirePassword(c, services, (password) =>
      showChange(c, facts, isLeaked(c) ? "leak" : change, password, 422),
    )

  const showRotation = showForm("rotate")
  add("GET", "/replace", (c, facts) =>
    facts.state === "active" ? showRotation(c, facts) : seeKey(c, facts),
  )
  add("POST", "/replace", async (c, facts) => {
    const formId = findFormId(c.get("form"))
    if (formId === null) return c.notFound()
    const confirmation = await confirm(c, facts, "rotate")
    if (confirmation !== null) return confirmation
    const { key } = facts
    const overlap = parseOverlap(c.get("form").text("overlap"))
    const rotate = (id: string) =>
      rotateKey(recordingOf(c), key, overlap, { id, isLeaked: isLeaked(c) })
    try {
      return await createOnce(c, formId, rotate, key.id)
    } catch (error) {
      if (error instanceof NoRoomForOverlap) return c.redirect(pathOfKeyLimit(key.id), 303)
      if (error instanceof UserError) return seeKey(c, facts)
      throw error
    }
  })

  add("GET", "/leak", showForm("leak"))

  add("GET", "/revoke", ifLive(showForm("revoke")))
  const revoke = ifLive(async (c, facts) => {
    const confirmation = await confirm(c, facts, "revoke")
    if (confirmation !== null) return confirmation
    await revokeKey(recordingOf(c), facts.key, isLeaked(c))
    return c.redirect(`${keysPath}?done=revoke`, 303)
  })
  add("POST", "/revoke", revoke)

  add("GET", "/reveal", async (c, facts) => {
    if (isConfirmed(visitorOf(c).session, now())) return seeKey(c, facts)
    const password = await promptFor(c)
    if (!password.isRequired) return c.html(<NoPasswordPage view={viewOf(c)} />)
    return showChange(c, facts, "reveal", password, 200)
  })
  const reveal = ifLive(async (c, facts) => {
    const confirmation = await confirm(c, facts, "reveal")
    if (confirmation !== null) return confirmation
    await revealKey({ ...recordingOf(c), keyCipher }, facts.key)
    return showSecret(c, facts.key.id, { isNew: false })
  })
  add("POST", "/reveal", reveal)
}

const isLeaked = (c: AuthorContext) => c.get("form").text("leaked") !== ""

const parseOverlap = (text: string): Overlap =>
  Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "1d" // just found among its names
