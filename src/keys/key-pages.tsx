import { may } from "../access/page-view.ts"
import { operationPaths } from "../contract/operation.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, inView, Page, type PageContext } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { type ChosenRange, parseRange, RangeBar } from "../platform/pages/date-range.tsx"
import {
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
  RelativeTime,
  SentenceWithTime,
  Stat,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { groupColumns, outcomeTexts, RequestsChart } from "../usage/request-chart.tsx"
import { InactiveKeyRequests, operationTexts } from "../usage/request-pages.tsx"
import {
  ipRangesMax,
  type KeyCount,
  summarizeDays,
  summarizeOperations,
  type UsageStore,
} from "../usage/usage.ts"
import { findSuccessor, isLive, keyNameCharactersMax, maskOf, type StoredKey } from "./key.ts"
import {
  describeKey,
  describeWeek,
  findKeyFacts,
  InactiveKeyNotice,
  type KeyFacts,
  type KeyPageServices,
  keyKindTexts,
  keyScopeTexts,
  keyStateTexts,
  listCallers,
  looksShipped,
  type NamedKey,
  requestsOfWeek,
  ShippedNotice,
  StatePill,
} from "./key-table.tsx"
import { createSamples, SamplesBlock } from "./samples.tsx"

/** The result of a form: a created or revealed secret, or an invalid name. */
type Shown = Readonly<{
  secret?: string
  isCreated?: boolean
  replaced?: KeyFacts | null
  rename?: Readonly<{ name: string; problem: string }>
}>

const itemsMax = 50

export const rangeOf = (c: PageContext, now: Date) =>
  parseRange(c.req.query(), formatTimestamp(now))

export function createKeyPages(services: KeyPageServices) {
  const { itemSearch, keys, usage, keyCipher, publicUrl, now } = services

  /** Null also for keys of other authors. */
  const find = (c: PageContext, id = c.req.param("id") ?? "") =>
    findKeyFacts(services, c.var.account.id, id)

  async function findReplacement(key: StoredKey): Promise<NamedKey | null> {
    if (key.replacedAt === null) return null
    const next = findSuccessor(await keys.list(key.accountId), key)
    return next && { id: next.id, name: next.name, mask: maskOf(keyCipher, next) }
  }

  /** The first items of a validation key; null for all items. The name is empty if the item was deleted. */
  async function listItems({ accountId, itemIds }: StoredKey) {
    if (itemIds === null) return null
    const ids = itemIds.slice(0, itemsMax)
    const found = await itemSearch.listByIds(accountId, ids)
    return ids.map((id) => ({ id, name: found.find((item) => item.id === id)?.name ?? "" }))
  }

  async function show(c: PageContext, facts: KeyFacts, shown: Shown = {}) {
    const { key, state } = facts
    const { secret, replaced, rename } = shown
    const path = currentView().paths.key(key.id)
    // The form has another path; a reload or a change of language must open this page.
    const view = { ...currentView(), path }
    const range = rangeOf(c, now())
    const counts = await usage.list(key.accountId, range, key.id)
    const ipRanges = await usage.listIpRanges(key.id, formatTimestamp(now()))
    const isUsable = isLive(state)
    const isUnsafe = state === "active" && looksShipped(facts)
    const isNew = state === "active" && shown.isCreated === true
    const pills = (
      <span class="actions">
        <Pill tone="plain">{t(keyKindTexts[key.kind])}</Pill>
        {key.scope !== null && <Pill tone="plain">{t(keyScopeTexts[key.scope].name)}</Pill>}
        {isUnsafe ? <Pill tone="warning">{t("Looks shipped")}</Pill> : <StatePill facts={facts} />}
      </span>
    )
    const [successor, shownItems] = [await findReplacement(key), await listItems(key)]
    const callers = isUsable ? [] : await listCallers(services, facts)
    const page = (
      <Page title={key.name} problem={rename?.problem} action={pills}>
        <InactiveKeyNotice facts={facts} successor={successor} />
        {isUnsafe && <ShippedNotice facts={facts} />}
        {isNew && (
          <p class="notice good" role="status">
            <strong>{t("Your new key")}.</strong>{" "}
            {t("Copy it now. You can also reveal it later on this page.")}
          </p>
        )}
        <section class="panel">
          {isUsable && <p class="hint">{describeKey(key)}</p>}
          <Secret facts={facts} mask={maskOf(keyCipher, key)} {...{ secret, isNew }} />
          {replaced && <OldKeyNotice facts={replaced} />}
          <KeyNumbers facts={facts} isNew={isNew} />
          {isUsable && <KeyActions facts={facts} />}
        </section>
        {isNew && secret !== undefined && (
          <QuickStart facts={facts} secret={secret} baseUrl={publicUrl} />
        )}
        {!isUsable && (
          <InactiveKeyRequests
            requestsPath={withQuery(view.paths.log, { key: key.id })}
            ipRanges={callers}
          />
        )}
        {(facts.usage !== null || !isNew) && (
          <KeyUse facts={facts} {...{ range, counts, ipRanges }} />
        )}
        <KeyItems facts={facts} items={shownItems} />
        {isUsable && may("manage") && (
          <section class="panel">
            <PostForm action={`${path}/rename`} class="filter">
              <Field
                name="name"
                label={t("Name")}
                value={rename?.name ?? key.name}
                maxlength={keyNameCharactersMax}
                autocomplete="off"
                error={rename?.problem}
              />
              <QuietButton>{t("Rename")}</QuietButton>
            </PostForm>
          </section>
        )}
      </Page>
    )
    return inView(view, () => c.html(page, rename === undefined ? 200 : 422))
  }

  async function showSecret(
    c: PageContext,
    keyId: string,
    { isCreated = false, replacedId }: Readonly<{ isCreated?: boolean; replacedId?: string }> = {},
  ): Promise<Response> {
    const facts = await find(c, keyId)
    if (facts === null || !isLive(facts.state))
      return c.redirect(currentView().paths.key(keyId), 303)
    const secret = keyCipher.decrypt(facts.key.encrypted, facts.key)
    const replaced = replacedId === undefined ? null : await find(c, replacedId)
    return show(c, facts, { secret, isCreated, replaced })
  }

  /**
   * Derives the key ID from the account and the ID of the form. One form creates one key and shows its secret once,
   * and no form can name the ID of another author's key.
   */
  async function createOnce(
    c: PageContext,
    formId: string,
    make: (keyId: string) => Promise<unknown>,
    replacedId?: string,
  ): Promise<Response> {
    const keyId = keyCipher.deriveKeyId(`${c.var.account.id} ${formId}`)
    const isCreated = async () => (await find(c, keyId)) !== null
    if (await isCreated()) return c.redirect(currentView().paths.key(keyId), 303)
    try {
      await make(keyId)
    } catch (error) {
      if (await isCreated()) return c.redirect(currentView().paths.key(keyId), 303)
      throw error
    }
    return showSecret(c, keyId, { isCreated: true, ...(replacedId && { replacedId }) })
  }

  return { find, show, showSecret, createOnce, findReplacement }
}

type Props = Readonly<{ facts: KeyFacts }>

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
    {describeWeek(requestsOfWeek(usage))}{" "}
    <a href={currentView().paths.key(key.id)}>{t("Open the old key")}</a>
  </p>
)

type ItemsProps = Props &
  Readonly<{ items: readonly Readonly<{ id: number; name: string }>[] | null }>

const KeyItems = ({ facts: { key }, items }: ItemsProps) => {
  if (key.kind !== "vk") return null
  const hidden = (key.itemIds?.length ?? 0) - (items?.length ?? 0)
  return (
    <Panel id="items" title={t("Items it can validate")}>
      {items === null ? (
        <p>{t("All items")}</p>
      ) : (
        <ul class="plain-list">
          {items.map(({ id, name }) => (
            <li>
              <NamedLink
                class="clamp"
                href={`${currentView().paths.items}/${id}`}
                name={displayName(name, id)}
              />
            </li>
          ))}
          {hidden > 0 && <li class="hint">{t("and {n} more", { n: hidden })}</li>}
        </ul>
      )}
    </Panel>
  )
}

/** Test codes work with test keys only, so the author replaces this with a purchase code. */
const codePlaceholder = "PASTE_A_REAL_CODE"

type QuickStartProps = Props & Readonly<{ secret: string; baseUrl: string }>

/** The simplest request that a key of this kind can send. */
const QuickStart = ({ facts, secret, baseUrl }: QuickStartProps) => {
  const view = currentView()
  const isValidation = facts.key.kind === "vk"
  const path = operationPaths[isValidation ? "validate_purchase" : "read_account"]
  const settings = { baseUrl, secret, locale: view.locale, purchaseCode: codePlaceholder }
  return (
    <Panel id="start" title={t("Try it now")}>
      <p>
        {isValidation
          ? t(
              "Replace {placeholder} with one of your purchase codes, then run the sample. Test codes work with test keys only.",
              { placeholder: codePlaceholder },
            )
          : t(
              "Ready to run: paste the curl command into a terminal, the other samples into a file.",
            )}
      </p>
      <SamplesBlock
        id="first-call"
        title={t("Try it now")}
        samples={createSamples(path, settings)}
      />
      <FirstRequest facts={facts} />
      <p>
        <QuietLink href={view.paths.keys}>{t("Done")}</QuietLink>
      </p>
    </Panel>
  )
}

/** The script reloads this part until the first request arrives. Without script, the visitor uses the link. */
export const FirstRequest = ({ facts: { key, usage } }: Props) => {
  const at = usage?.lastUsedAt ?? null
  const path = currentView().paths.key(key.id)
  return (
    <div
      role="status"
      id="first-request"
      data-refresh={at === null ? `${path}/first-call` : undefined}
    >
      {at === null ? (
        <p class="notice">
          {t("Waiting for your first request…")} <a href={path}>{t("Check now")}</a>
        </p>
      ) : (
        <p class="notice good">
          <SentenceWithTime
            at={at}
            sentence={(when) => t("First request received: {when}.", { when })}
          />
        </p>
      )}
    </div>
  )
}

/** `isNew` omits the usage: the first request arrives while the page is open. */
const KeyNumbers = ({ facts, isNew }: Props & Readonly<{ isNew: boolean }>) => {
  const { key, state, usage } = facts
  const isInactive = state === "revoked" || state === "expired"
  const endsAt = key.revokedAt ?? key.expiresAt
  return (
    <dl class="stats">
      <Stat label={t("Created # date")} value={<Day at={key.createdAt} />} />
      {!(isNew && usage === null) && <KeyRequests facts={facts} />}
      <Stat label={isInactive ? t(keyStateTexts[state]) : t("Expires")}>
        {endsAt === null ? (
          t("Never # expiry")
        ) : (
          <SentenceWithTime at={endsAt} sentence={(when) => when} />
        )}
      </Stat>
      <Stat label={t("Key ID")} value={<Copyable text={key.id} />} />
    </dl>
  )
}

export const KeyRequests = ({ facts: { usage } }: Props) => (
  <>
    <Stat label={t("Last used")}>
      <RelativeTime at={usage?.lastUsedAt ?? null} />
    </Stat>
    <Stat label={t("Last 7 days")}>
      {t("{n request|requests}", { n: requestsOfWeek(usage) })},{" "}
      {t("{n IP range|IP ranges}", { n: usage?.ipRanges ?? 0 })}
    </Stat>
  </>
)

const openIpRanges = 8

type IpRanges = Awaited<ReturnType<UsageStore["listIpRanges"]>>
type UseProps = Props &
  Readonly<{ range: ChosenRange; counts: readonly KeyCount[]; ipRanges: IpRanges }>

const KeyUse = ({ facts: { key, usage }, range, counts, ipRanges }: UseProps) => {
  const view = currentView()
  const days = summarizeDays(range, counts)
  const operations = summarizeOperations(counts)
  if (usage === null) {
    return (
      <Panel id="calls" title={t("Requests")}>
        <p class="hint">{t("No requests yet.")}</p>
      </Panel>
    )
  }
  const more = ipRanges.slice(openIpRanges)
  const table = (rows: IpRanges) => (
    <DataTable
      rows={rows}
      columns={[
        { head: t("IP range"), kind: "code", value: ({ ipRange }) => ipRange },
        { head: t("Last request"), kind: "day", value: ({ lastDay }) => lastDay },
      ]}
    />
  )
  return (
    <>
      <Panel id="calls" title={t("Requests")}>
        <RangeBar range={range} />
        <RequestsChart
          {...{ range, days }}
          logPath={view.paths.log}
          csvPath={`${view.paths.key(key.id)}/usage.csv`}
          keyId={key.id}
        />
        {operations.length > 1 && (
          <>
            <h3>{t("By operation")}</h3>
            <DataTable
              rows={operations}
              columns={[
                {
                  head: t("Operation"),
                  isWide: true,
                  value: ({ operation }) => t(operationTexts[operation]),
                },
                ...groupColumns(outcomeTexts),
              ]}
            />
          </>
        )}
      </Panel>
      <Panel id="ip-ranges" title={t("Who uses this key?")}>
        {ipRanges.length === 0 ? (
          <p class="hint">{t("No requests this week.")}</p>
        ) : (
          <>
            <p>{describeIpRanges(ipRanges.length)}</p>
            {table(ipRanges.slice(0, openIpRanges))}
            {more.length > 0 && (
              <details>
                <summary>{t("Show {n} more", { n: more.length })}</summary>
                {table(more)}
              </details>
            )}
          </>
        )}
      </Panel>
    </>
  )
}

const describeIpRanges = (n: number) =>
  n < ipRangesMax
    ? t("Used from {n IP range|IP ranges} this week.", { n })
    : t("Used from at least {n IP range|IP ranges} this week.", { n })
