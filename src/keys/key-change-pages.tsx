import type { Child } from "hono/jsx"
import { type Overlap, overlapSeconds } from "../access/overlap.ts"
import { keyLimitProblem, routes } from "../access/paths.ts"
import { UserError } from "../platform/error.ts"
import {
  ConfirmActions,
  promptFor,
  requirePassword,
  showNoPassword,
} from "../platform/pages/confirm.tsx"
import {
  currentView,
  findFormId,
  inView,
  Page,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { pagesInMemory, sendCsv } from "../platform/pages/data-table.tsx"
import {
  Choices,
  NamedLink,
  PostForm,
  SentenceWithTime,
  Stat,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { secondsAfter } from "../platform/time.ts"
import { dayColumns } from "../usage/request-chart.tsx"
import { summarizeDays } from "../usage/usage.ts"
import { isLive, keyNameCharactersMax, maskOf, type StoredKey } from "./key.ts"
import { NoRoomForOverlap, renameKey, revealKey, revokeKey, rotateKey } from "./key-operations.ts"
import { createKeyPages, FirstRequest, KeyRequests, rangeOf } from "./key-pages.tsx"
import {
  InactiveKeyNotice,
  type KeyFacts,
  type KeyPageServices,
  keyKindTexts,
  requestsOfWeek,
} from "./key-table.tsx"

export function addKeyRoutes(app: PageApp, services: KeyPageServices): void {
  const { usage, keyCipher, tokens, now } = services
  const { find, show, showSecret, createOnce, findReplacement } = createKeyPages(services)
  const recordingOf = (c: PageContext) => services.keyServices(c.var.actor)
  const seeKey = (c: PageContext, { key }: KeyFacts) =>
    c.redirect(currentView().paths.key(key.id), 303)

  type Act = (c: PageContext, facts: KeyFacts) => Response | Promise<Response>

  /** 404 for keys of other authors. */
  const add = (method: "GET" | "POST", path: string, act: Act) =>
    app.on(method, `${routes.keys}/:id${path}`, async (c) => {
      const facts = await find(c)
      return facts === null ? c.notFound() : act(c, facts)
    })
  const ifLive =
    (act: Act): Act =>
    (c, facts) =>
      isLive(facts.state) ? act(c, facts) : seeKey(c, facts)

  add("GET", "", (c, facts) => show(c, facts))

  add("GET", "/usage.csv", async (c, { key }) => {
    const range = rangeOf(c, now())
    const days = summarizeDays(range, await usage.list(key.accountId, range, key.id))
    return sendCsv(c, "usage", dayColumns(), pagesInMemory(days))
  })

  add("GET", "/first-call", (c, facts) => c.html(<FirstRequest facts={facts} />))

  const rename = ifLive(async (c, facts) => {
    const entered = c.var.form.text("name")
    const name = entered.trim()
    const problem =
      name === ""
        ? t("Enter a name for the key.")
        : [...name].length > keyNameCharactersMax &&
          t("Use at most {max} characters.", { max: keyNameCharactersMax })
    if (problem) return show(c, facts, { rename: { name: entered, problem } })
    await renameKey(recordingOf(c), facts.key, name)
    return c.redirect(`${currentView().paths.key(facts.key.id)}?done=renamed`, 303)
  })
  add("POST", "/rename", rename)

  async function showChange(
    c: PageContext,
    facts: KeyFacts,
    change: KeyChange,
    password: PasswordPrompt,
    status: 200 | 422,
  ) {
    const { key, state } = facts
    const isFound = change === "leak" && c.req.query("done") === "found"
    const view = {
      ...currentView(),
      ...(isFound && { notice: t("This is your key “{name}”.", { name: key.name }) }),
    }
    const sent = status === 422 ? c.var.form : null
    const { title, sentences, path, fields, ...end } = confirmations[change]({
      facts,
      // Submitting the form twice creates one key.
      formId: sent?.text("form_id") || tokens.create(),
      overlap: parseOverlap(sent?.text("overlap") ?? ""),
      now: now(),
    })
    const isOverKeyLimit = c.req.query("problem") === keyLimitProblem
    const problem = isOverKeyLimit
      ? t(
          "You have too many valid keys for an overlap period. Choose none, or revoke unused keys first.",
        )
      : null
    const back = view.paths.key(key.id)
    const successor = change === "leak" ? await findReplacement(key) : null
    return inView(view, () =>
      c.html(
        <Page title={title} problem={problem ?? password.problem}>
          <p class="crumb">
            <NamedLink href={back} name={key.name} />
          </p>
          {problem !== null && <p class="notice warning">{problem}</p>}
          {change === "leak" && <InactiveKeyNotice facts={facts} successor={successor} />}
          <dl class="stats panel">
            <Stat label={t(keyKindTexts[key.kind])}>
              <span class="mono">{maskOf(keyCipher, key)}</span>
            </Stat>
            {key.kind === "vk" && (
              <Stat label={t("Items")}>
                {key.itemIds?.length.toLocaleString(view.locale) ?? t("All items")}
              </Stat>
            )}
            <KeyRequests facts={facts} />
          </dl>
          {sentences.map((sentence) => (
            <p>{sentence}</p>
          ))}
          {isLive(state) ? (
            <PostForm action={`${back}/${path}`}>
              {fields}
              <ConfirmActions
                {...{ password, back, ...end }}
                isFocused={sent !== null || change === "reveal"}
              />
            </PostForm>
          ) : (
            <p>
              <a href={back}>{t("Open the key # page")}</a>
            </p>
          )}
        </Page>,
        status,
      ),
    )
  }
  const showForm =
    (change: KeyChange): Act =>
    async (c, facts) =>
      showChange(c, facts, change, await promptFor(c), 200)
  const confirm = (c: PageContext, facts: KeyFacts, change: KeyChange) =>
    requirePassword(c, (password) =>
      showChange(c, facts, isLeaked(c) ? "leak" : change, password, 422),
    )

  const showRotation = showForm("rotate")
  add("GET", "/replace", (c, facts) =>
    facts.state === "active" ? showRotation(c, facts) : seeKey(c, facts),
  )
  add("POST", "/replace", async (c, facts) => {
    const formId = findFormId(c.var.form)
    if (formId === null) return c.notFound()
    const confirmation = await confirm(c, facts, "rotate")
    if (confirmation !== null) return confirmation
    const { key } = facts
    const overlap = parseOverlap(c.var.form.text("overlap"))
    const rotate = (id: string) =>
      rotateKey(recordingOf(c), key, overlap, { id, isLeaked: isLeaked(c) })
    try {
      return await createOnce(c, formId, rotate, key.id)
    } catch (error) {
      if (error instanceof NoRoomForOverlap)
        return c.redirect(currentView().paths.keyLimit(key.id), 303)
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
    return c.redirect(`${currentView().paths.keys}?done=revoke`, 303)
  })
  add("POST", "/revoke", revoke)

  add("GET", "/reveal", async (c, facts) => {
    if (c.var.passwords.isConfirmed()) return seeKey(c, facts)
    const password = await promptFor(c)
    if (!password.isRequired) return showNoPassword(c, 200)
    return showChange(c, facts, "reveal", password, 200)
  })
  const reveal = ifLive(async (c, facts) => {
    const confirmation = await confirm(c, facts, "reveal")
    if (confirmation !== null) return confirmation
    await revealKey({ ...recordingOf(c), keyCipher }, facts.key)
    return showSecret(c, facts.key.id)
  })
  add("POST", "/reveal", reveal)
}

const isLeaked = (c: PageContext) => c.var.form.text("leaked") !== ""

const parseOverlap = (text: string): Overlap =>
  Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "1d" // just found among its names

type KeyChange = "rotate" | "leak" | "revoke" | "reveal"

type Props = Readonly<{ facts: KeyFacts; formId: string; overlap: Overlap; now: Date }>

type Confirmation = Readonly<{
  title: string
  sentences: readonly string[]
  path: string
  fields?: Child
  submit: string
  isDangerous?: boolean
}>

const confirmations: Readonly<Record<KeyChange, (props: Props) => Confirmation>> = {
  rotate: (props) => ({
    title: t("Rotate “{name}”", { name: props.facts.key.name }),
    sentences: [
      t(
        "You get a new key with the same permissions and expiry date. The old key stays valid for the overlap period, so you can deploy the new one first.",
      ),
    ],
    path: "replace",
    fields: (
      <>
        <input type="hidden" name="form_id" value={props.formId} />
        <Overlaps {...props} />
      </>
    ),
    submit: t("Rotate key"),
  }),
  /** A key can be rotated once. A rotated key can only be revoked. */
  leak: ({ facts: { key, state, usage }, formId }) => {
    const isFirst = state === "active"
    return {
      title: t("Did “{name}” leak?", { name: key.name }),
      sentences: isLive(state)
        ? [
            t(leakTexts[key.kind === "imported" ? "sk" : key.kind]),
            describeLeak(requestsOfWeek(usage), usage?.ipRanges ?? 0),
          ]
        : [t("This key is inactive. No action is needed.")],
      path: isFirst ? "replace" : "revoke",
      fields: (
        <>
          <input type="hidden" name="form_id" value={formId} />
          <input type="hidden" name="overlap" value="0" />
          <input type="hidden" name="leaked" value="yes" />
        </>
      ),
      submit: isFirst ? t("Rotate now") : t("Revoke now"),
      isDangerous: true,
    }
  },
  revoke: ({ facts: { key, usage } }) => ({
    title: t("Revoke “{name}”?", { name: key.name }),
    sentences: [describeRevocation(requestsOfWeek(usage))],
    path: "revoke",
    submit: t("Revoke key"),
    isDangerous: true,
  }),
  reveal: () => ({
    title: t("Confirm your password"),
    sentences: [t("Revealing a key requires your password.")],
    path: "reveal",
    submit: t("Reveal key"),
  }),
}

const overlaps: readonly Overlap[] = ["0", "1h", "1d", "7d"]

/** Overlap periods that outlast the key all end with it, so only the first of them is offered. */
function listOverlaps({ expiresAt }: StoredKey, now: Date) {
  const ends = overlaps.map((value) => {
    const at = secondsAfter(now, overlapSeconds[value])
    const isExpiry = expiresAt !== null && expiresAt <= at
    return { value, at: isExpiry ? expiresAt : at, isExpiry }
  })
  return ends.filter((_, index) => !ends[index - 1]?.isExpiry)
}

const Overlaps = ({ facts, overlap, now }: Props) => {
  const ends = listOverlaps(facts.key, now)
  const chosen = ends.find(({ value }) => value === overlap) ?? ends.at(-1)
  const labelOf = ({ value, at, isExpiry }: (typeof ends)[number]) => {
    const name = isExpiry ? t("Until it expires") : t(overlapTexts[value])
    if (value === "0") return t(overlapTexts[value])
    const sentence = (when: string) => `${name} (${when})`
    return <SentenceWithTime at={at} sentence={sentence} />
  }
  return (
    <Choices
      name="overlap"
      legend={t("Overlap period")}
      chosen={chosen?.value ?? "0"}
      choices={ends.map((end) => ({ value: end.value, label: labelOf(end) }))}
    />
  )
}

const leakTexts = {
  sk: "Anyone who has this key can read your account, items and purchases, validate codes, release sites and create download links.",
  vk: "Anyone who has this key can only validate purchases, release sites and create download links. It is safe to ship inside a product.",
  tk: "This key returns test data only.",
} as const

const overlapTexts = {
  "0": "None: the old key expires immediately",
  "1h": "1 hour",
  "1d": "1 day",
  "7d": "7 days",
} as const

const describeRevocation = (n: number) =>
  n === 0
    ? t("This key was not used in the last 7 days. You cannot undo this.")
    : t(
        "All requests with this key are rejected immediately: {n request|requests} in the last 7 days. You cannot undo this.",
        { n },
      )

const describeLeak = (calls: number, ipRanges: number) =>
  calls === 0 && ipRanges === 0
    ? t("This key was not used in the last 7 days.")
    : t(
        "Requests with this key are then rejected immediately: {calls request|requests} from {ipRanges IP range|IP ranges} in the last 7 days.",
        { calls, ipRanges },
      )
