import type { Child } from "hono/jsx"
import { may } from "../access/page-view.ts"
import { keyLimitProblem, routes } from "../access/paths.ts"
import { type Overlap, overlapSeconds } from "../access/rotation-overlap.ts"
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
import {
  Choices,
  Copyable,
  CopyButton,
  Day,
  displayName,
  Field,
  NamedLink,
  Panel,
  Pill,
  PostForm,
  QuietButton,
  QuietLink,
  SentenceWithTime,
  Stat,
  Time,
} from "../platform/pages/elements.tsx"

import { currentLocale, t } from "../platform/t.ts"
import { secondsAfter } from "../platform/time.ts"
import { findSuccessor, isLive, keyNameCharactersMax, maskOf, type StoredKey } from "./key.ts"
import {
  describeKey,
  describeStatus,
  describeWeek,
  findKeyFacts,
  type KeyFacts,
  type KeyPageServices,
  keyKindTexts,
  keyScopeTexts,
  keyStateTexts,
  looksShipped,
  sumRequests,
} from "./key-facts.tsx"
import {
  type IssuedKey,
  NoRoomForOverlap,
  renameKey,
  revealKey,
  revokeKey,
  rotateKey,
} from "./key-operations.ts"
import {
  FirstRequest,
  KeyRequests,
  QuickStart,
  renderCallers,
  renderUse,
  sendUsage,
} from "./key-use.tsx"

type KeyPage = (
  c: PageContext,
  services: KeyPageServices,
  facts: KeyFacts,
) => Response | Promise<Response>

/** A key and its changes. The change is in the path: `/replace` rotates the key. */
export function addKeyRoutes(app: PageApp, services: KeyPageServices): void {
  /** 404 for keys of other authors. */
  const add = (method: "GET" | "POST", path: string, page: KeyPage) =>
    app.on(method, `${routes.keys}/:id${path}`, async (c) => {
      const facts = await findKeyFacts(services, c.var.account.id, c.req.param("id") ?? "")
      return facts === null ? c.notFound() : page(c, services, facts)
    })
  add("GET", "", showKey)
  add("GET", "/usage.csv", sendUsage)
  add("GET", "/first-call", (c, _, facts) => c.html(<FirstRequest facts={facts} />))
  add("POST", "/rename", ifLive(rename))
  add("GET", "/replace", (c, _, facts) =>
    facts.state === "active" ? showForm("rotate")(c, services, facts) : redirectToKey(c, facts),
  )
  add("POST", "/replace", rotate)
  add("GET", "/leak", showForm("leak"))
  add("GET", "/revoke", ifLive(showForm("revoke")))
  add("POST", "/revoke", ifLive(revoke))
  add("GET", "/reveal", showReveal)
  add("POST", "/reveal", ifLive(reveal))
}

const redirectToKey = (c: PageContext, { key }: KeyFacts) =>
  c.redirect(currentView().paths.key(key.id), 303)

const ifLive =
  (page: KeyPage): KeyPage =>
  (c, services, facts) =>
    isLive(facts.state) ? page(c, services, facts) : redirectToKey(c, facts)

/** The result of a form: a created or revealed secret, or an invalid name. */
type Shown = Readonly<{
  secret?: string
  isCreated?: boolean
  replaced?: KeyFacts | null
  rename?: Readonly<{ name: string; problem: string }>
}>

async function showKey(
  c: PageContext,
  services: KeyPageServices,
  facts: KeyFacts,
  { secret, isCreated = false, replaced = null, rename }: Shown = {},
) {
  const { key, state } = facts
  const path = currentView().paths.key(key.id)
  // The form has another path; a reload or a change of language must open this page.
  const view = { ...currentView(), path }
  const isUsable = isLive(state)
  const isNew = state === "active" && isCreated
  const [tone, status] = describeStatus(facts)
  const pills = (
    <span class="actions">
      <Pill tone="plain">{t(keyKindTexts[key.kind])}</Pill>
      {key.scope !== null && <Pill tone="plain">{t(keyScopeTexts[key.scope].name)}</Pill>}
      <Pill tone={tone}>{status}</Pill>
    </span>
  )
  const page = (
    <Page title={key.name} problem={rename?.problem} action={pills}>
      {await renderInactiveNotice(services, facts)}
      {state === "active" && looksShipped(facts) && <ShippedNotice facts={facts} />}
      {isNew && (
        <p class="notice good" role="status">
          <strong>{t("Your new key")}.</strong>{" "}
          {t("Copy it now. You can also reveal it later on this page.")}
        </p>
      )}
      <section class="panel">
        {isUsable && <p class="hint">{describeKey(key)}</p>}
        <Secret facts={facts} mask={maskOf(services.keyCipher, key)} {...{ secret, isNew }} />
        {replaced && <OldKeyNotice facts={replaced} />}
        <KeyNumbers facts={facts} isNew={isNew} />
        {isUsable && <KeyActions facts={facts} />}
      </section>
      {isNew && secret !== undefined && (
        <QuickStart facts={facts} secret={secret} baseUrl={services.publicUrl} />
      )}
      {!isUsable && (await renderCallers(services, key))}
      {/* The first request with a new key arrives while the page is open. */}
      {(facts.usage !== null || !isNew) && (await renderUse(c, services, facts))}
      {key.kind === "vk" && (await renderItems(services, key))}
      {isUsable && may("manage") && (
        <RenameForm action={`${path}/rename`} name={key.name} {...rename} />
      )}
    </Page>
  )
  return inView(view, () => c.html(page, rename === undefined ? 200 : 422))
}

const RenameForm = (props: Readonly<{ action: string; name: string; problem?: string }>) => (
  <section class="panel">
    <PostForm action={props.action} class="filter">
      <Field
        name="name"
        label={t("Name")}
        value={props.name}
        maxlength={keyNameCharactersMax}
        autocomplete="off"
        error={props.problem}
      />
      <QuietButton>{t("Rename")}</QuietButton>
    </PostForm>
  </section>
)

/** When the key ended, and the key that replaced it. */
async function renderInactiveNotice({ keys, keyCipher }: KeyPageServices, facts: KeyFacts) {
  const { key, state, usage } = facts
  if (state === "active") return null
  const [tone] = describeStatus(facts)
  const endsAt = key.revokedAt ?? key.expiresAt
  const successor =
    key.replacedAt === null ? null : findSuccessor(await keys.list(key.accountId), key)
  return (
    <p class={`notice ${tone}`}>
      {key.replacedAt !== null && (
        <SentenceWithTime
          at={key.replacedAt}
          sentence={(when) => t("Rotated on {when}.", { when })}
        />
      )}{" "}
      {endsAt !== null && (
        <SentenceWithTime at={endsAt} sentence={(when) => t(endTexts[state], { when })} />
      )}{" "}
      {state === "ending" && describeWeek(usage)}{" "}
      {successor !== null && (
        <>
          {t("Replaced by")}{" "}
          <a href={currentView().paths.key(successor.id)}>
            <bdi>{successor.name}</bdi> <span class="mono">{maskOf(keyCipher, successor)}</span>
          </a>
        </>
      )}
    </p>
  )
}

const endTexts = {
  revoked: "Revoked on {when}. Requests with this key are rejected.",
  expired: "Expired on {when}. Requests with this key are rejected.",
  ending: "Valid until {when}.",
} as const

type Props = Readonly<{ facts: KeyFacts }>

const ShippedNotice = ({ facts }: Props) => (
  <p class="notice warning">
    {t(
      "This key looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week. Anyone who has it can read your whole account. Ship a validation key instead, then revoke this one.",
      { ipRanges: facts.usage?.ipRanges ?? 0 },
    )}{" "}
    {may("secrets") && (
      <a href={currentView().paths.newValidationKey}>{t("Create a validation key")}</a>
    )}
  </p>
)

type SecretProps = Props & Readonly<{ mask: string; secret: string | undefined; isNew: boolean }>

const Secret = ({ facts: { key, state }, mask, secret, isNew }: SecretProps) => {
  const path = currentView().paths.key(key.id)
  if (!isLive(state)) return <code class="masked">{mask}</code>
  const name = (
    <span class="visually-hidden">
      {" "}
      <bdi>{key.name}</bdi>
    </span>
  )
  return secret === undefined ? (
    <div class="secret">
      <code class="masked">{mask}</code>
      {may("secrets") && (
        <PostForm action={`${path}/reveal`}>
          <QuietButton>
            {t("Reveal")}
            {name}
          </QuietButton>
        </PostForm>
      )}
    </div>
  ) : (
    <div class="secret">
      <code data-secret tabindex={-1} autofocus>
        {secret}
      </code>
      <CopyButton text={secret} isMain={isNew} />
      <QuietLink href={path}>
        {t("Hide")}
        {name}
      </QuietLink>
    </div>
  )
}

const OldKeyNotice = ({ facts: { key, state, usage } }: Props) => (
  <p class="notice warning">
    {state === "ending" && key.expiresAt !== null ? (
      <SentenceWithTime
        at={key.expiresAt}
        sentence={(when) => t("The old key is valid until {when}.", { when })}
      />
    ) : (
      t("The old key is no longer valid.")
    )}{" "}
    {describeWeek(usage)} <a href={currentView().paths.key(key.id)}>{t("Open the old key")}</a>
  </p>
)

const KeyNumbers = ({ facts, isNew }: Props & Readonly<{ isNew: boolean }>) => {
  const { key, state, usage } = facts
  const endsAt = key.revokedAt ?? key.expiresAt
  return (
    <dl class="stats">
      <Stat label={t("Created # date")} value={<Day at={key.createdAt} />} />
      {!(isNew && usage === null) && <KeyRequests facts={facts} />}
      <Stat label={isLive(state) ? t("Expires") : t(keyStateTexts[state])}>
        {endsAt === null ? t("Never # expiry") : <Time at={endsAt} form="datetime" />}
      </Stat>
      <Stat label={t("Key ID")} value={<Copyable text={key.id} />} />
    </dl>
  )
}

const KeyActions = ({ facts: { key, state } }: Props) => {
  const changes = [
    ...(state === "active" && may("secrets") ? [["replace", t("Rotate")]] : []),
    ...(may("secrets") ? [["leak", t("This key leaked")]] : []),
    ...(may("manage") ? [["revoke", t("Revoke")]] : []),
  ]
  return (
    <p class="actions">
      {changes.map(([change, text]) => (
        <QuietLink href={`${currentView().paths.key(key.id)}/${change}`} data-dialog>
          {text}
        </QuietLink>
      ))}
    </p>
  )
}

const itemsMax = 50

/** The items of a validation key. A deleted item has no name. */
async function renderItems({ itemSearch }: KeyPageServices, { accountId, itemIds }: StoredKey) {
  const ids = itemIds?.slice(0, itemsMax) ?? []
  const found = itemIds === null ? [] : await itemSearch.listByIds(accountId, ids)
  const hidden = (itemIds?.length ?? 0) - ids.length
  return (
    <Panel id="items" title={t("Items it can validate")}>
      {itemIds === null ? (
        <p>{t("All items")}</p>
      ) : (
        <ul class="plain-list">
          {ids.map((id) => (
            <li>
              <NamedLink
                class="clamp"
                href={`${currentView().paths.items}/${id}`}
                name={displayName(found.find((item) => item.id === id)?.name ?? "", id)}
              />
            </li>
          ))}
          {hidden > 0 && <li class="hint">{t("and {n} more", { n: hidden })}</li>}
        </ul>
      )}
    </Panel>
  )
}

const rename: KeyPage = async (c, services, facts) => {
  const entered = c.var.form.text("name")
  const name = entered.trim()
  const problem =
    name === ""
      ? t("Enter a name for the key.")
      : [...name].length > keyNameCharactersMax &&
        t("Use at most {max} characters.", { max: keyNameCharactersMax })
  if (problem) return showKey(c, services, facts, { rename: { name: entered, problem } })
  await renameKey(services.keyServices(c.var.actor), facts.key, name)
  return c.redirect(`${currentView().paths.key(facts.key.id)}?done=renamed`, 303)
}

/**
 * Derives the key ID from the account and the ID of the form. One form creates one key and shows its secret once,
 * and no form can name the ID of another author's key.
 */
export async function createKeyOnce(
  c: PageContext,
  services: KeyPageServices,
  { formId, replaced = null }: Readonly<{ formId: string; replaced?: StoredKey | null }>,
  create: (keyId: string) => Promise<IssuedKey>,
): Promise<Response> {
  const find = (id: string) => findKeyFacts(services, c.var.account.id, id)
  const keyId = services.keyCipher.deriveKeyId(`${c.var.account.id} ${formId}`)
  const keyPath = currentView().paths.key(keyId)
  if ((await find(keyId)) !== null) return c.redirect(keyPath, 303)
  const created = await create(keyId).catch(async (error) => {
    if ((await find(keyId)) === null) throw error
    return null
  })
  const facts = await find(keyId)
  if (created === null || facts === null || !isLive(facts.state)) return c.redirect(keyPath, 303)
  const { secret } = created
  const old = replaced && (await find(replaced.id))
  return showKey(c, services, facts, { secret, isCreated: true, replaced: old })
}

const rotate: KeyPage = async (c, services, facts) => {
  const { key } = facts
  const formId = findFormId(c.var.form)
  if (formId === null) return c.notFound()
  const confirmation = await confirm(c, services, facts, "rotate")
  if (confirmation !== null) return confirmation
  const overlap = parseOverlap(c.var.form.text("overlap"))
  const recording = services.keyServices(c.var.actor)
  try {
    return await createKeyOnce(c, services, { formId, replaced: key }, (id) =>
      rotateKey(recording, key, overlap, { id, isLeaked: isLeaked(c) }),
    )
  } catch (error) {
    if (error instanceof NoRoomForOverlap)
      return c.redirect(currentView().paths.keyLimit(key.id), 303)
    if (error instanceof UserError) return redirectToKey(c, facts)
    throw error
  }
}

const revoke: KeyPage = async (c, services, facts) => {
  const confirmation = await confirm(c, services, facts, "revoke")
  if (confirmation !== null) return confirmation
  await revokeKey(services.keyServices(c.var.actor), facts.key, isLeaked(c))
  return c.redirect(`${currentView().paths.keys}?done=revoke`, 303)
}

const showReveal: KeyPage = async (c, services, facts) => {
  if (c.var.passwords.isConfirmed()) return redirectToKey(c, facts)
  const password = await promptFor(c)
  if (!password.isRequired) return showNoPassword(c, 200)
  return showChange(c, services, facts, { change: "reveal", password })
}

const reveal: KeyPage = async (c, services, facts) => {
  const confirmation = await confirm(c, services, facts, "reveal")
  if (confirmation !== null) return confirmation
  const secret = await revealKey(services.keyServices(c.var.actor), facts.key)
  return showKey(c, services, facts, { secret })
}

const isLeaked = (c: PageContext) => c.var.form.text("leaked") !== ""

const parseOverlap = (text: string): Overlap =>
  Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "1d" // just found among its names

const showForm =
  (change: KeyChange): KeyPage =>
  async (c, services, facts) =>
    showChange(c, services, facts, { change, password: await promptFor(c) })

/** Null if the password was confirmed; else the form again. */
const confirm = (
  c: PageContext,
  services: KeyPageServices,
  facts: KeyFacts,
  change: KeyChange,
): Promise<Response | null> =>
  requirePassword(c, (password) =>
    showChange(c, services, facts, { change: isLeaked(c) ? "leak" : change, password }),
  )

/** The form of a change, and the form again if it was sent without the right password. */
async function showChange(
  c: PageContext,
  services: KeyPageServices,
  facts: KeyFacts,
  { change, password }: Readonly<{ change: KeyChange; password: PasswordPrompt }>,
): Promise<Response> {
  const { key, state } = facts
  const isFound = change === "leak" && c.req.query("done") === "found"
  const notice = isFound && t("This is your key “{name}”.", { name: key.name })
  const view = { ...currentView(), ...(notice && { notice }) }
  const sent = c.req.method === "POST" ? c.var.form : null
  const { title, sentences, path, fields, ...end } = confirmations[change]({
    facts,
    // Submitting the form twice creates one key.
    formId: sent?.text("form_id") || services.tokens.create(),
    overlap: parseOverlap(sent?.text("overlap") ?? ""),
    now: services.now(),
  })
  const limitText = t(
    "You have too many valid keys for an overlap period. Choose none, or revoke unused keys first.",
  )
  const problem = c.req.query("problem") === keyLimitProblem ? limitText : null
  const back = view.paths.key(key.id)
  const page = (
    <Page title={title} problem={problem ?? password.problem}>
      <p class="crumb">
        <NamedLink href={back} name={key.name} />
      </p>
      {problem !== null && <p class="notice warning">{problem}</p>}
      {change === "leak" && (await renderInactiveNotice(services, facts))}
      <KeySummary facts={facts} mask={maskOf(services.keyCipher, key)} />
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
    </Page>
  )
  return inView(view, () => c.html(page, sent === null ? 200 : 422))
}

/** Which key it is, and how much it is used. */
const KeySummary = ({ facts, mask }: Props & Readonly<{ mask: string }>) => {
  const { kind, itemIds } = facts.key
  return (
    <dl class="stats panel">
      <Stat label={t(keyKindTexts[kind])}>
        <span class="mono">{mask}</span>
      </Stat>
      {kind === "vk" && (
        <Stat label={t("Items")}>
          {itemIds?.length.toLocaleString(currentLocale()) ?? t("All items")}
        </Stat>
      )}
      <KeyRequests facts={facts} />
    </dl>
  )
}

type KeyChange = "rotate" | "leak" | "revoke" | "reveal"

type ChangeProps = Readonly<{ facts: KeyFacts; formId: string; overlap: Overlap; now: Date }>

type Confirmation = Readonly<{
  title: string
  sentences: readonly string[]
  /** Where the form is sent, below the key's page. */
  path: string
  fields?: Child
  submit: string
  isDangerous?: boolean
}>

const confirmations: Readonly<Record<KeyChange, (props: ChangeProps) => Confirmation>> = {
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
  leak({ facts: { key, state, usage }, formId }) {
    const isFirst = state === "active"
    const [calls, ipRanges] = [sumRequests(usage, 7), usage?.ipRanges ?? 0]
    const lost =
      calls === 0 && ipRanges === 0
        ? t("This key was not used in the last 7 days.")
        : t(
            "Requests with this key are then rejected immediately: {calls request|requests} from {ipRanges IP range|IP ranges} in the last 7 days.",
            { calls, ipRanges },
          )
    return {
      title: t("Did “{name}” leak?", { name: key.name }),
      sentences: isLive(state)
        ? [t(leakTexts[key.kind === "imported" ? "sk" : key.kind]), lost]
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
  revoke({ facts: { key, usage } }) {
    const n = sumRequests(usage, 7)
    return {
      title: t("Revoke “{name}”?", { name: key.name }),
      sentences: [
        n === 0
          ? t("This key was not used in the last 7 days. You cannot undo this.")
          : t(
              "All requests with this key are rejected immediately: {n request|requests} in the last 7 days. You cannot undo this.",
              { n },
            ),
      ],
      path: "revoke",
      submit: t("Revoke key"),
      isDangerous: true,
    }
  },
  reveal: () => ({
    title: t("Confirm your password"),
    sentences: [t("Revealing a key requires your password.")],
    path: "reveal",
    submit: t("Reveal key"),
  }),
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

/** Overlap periods that outlast the key all end with it, so only the first of them is offered. */
const Overlaps = ({ facts: { key }, overlap, now }: ChangeProps) => {
  const ends = (["0", "1h", "1d", "7d"] as const).map((value) => {
    const at = secondsAfter(now, overlapSeconds[value])
    const isExpiry = key.expiresAt !== null && key.expiresAt <= at
    return { value, at: isExpiry ? key.expiresAt : at, isExpiry }
  })
  const offered = ends.filter((_, index) => !ends[index - 1]?.isExpiry)
  const chosen = offered.find(({ value }) => value === overlap) ?? offered.at(-1)
  return (
    <Choices
      name="overlap"
      legend={t("Overlap period")}
      chosen={chosen?.value ?? "0"}
      choices={offered.map(({ value, at, isExpiry }) => {
        const name = isExpiry ? t("Until it expires") : t(overlapTexts[value])
        const sentence = (when: string) => `${name} (${when})`
        const label =
          value === "0" ? t(overlapTexts[value]) : <SentenceWithTime at={at} sentence={sentence} />
        return { value, label }
      })}
    />
  )
}
