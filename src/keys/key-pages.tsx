import { readAccountEndpoint } from "../api/account-endpoints.ts"
import { itemBodyOf } from "../items/item.ts"
import { withQuery } from "../platform/http/query.ts"
import { may, type PageContext, type View } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { type ChosenRange, parseRange, RangeBar } from "../platform/pages/date-range.tsx"
import {
  Copyable,
  CopyButton,
  Day,
  displayName,
  NamedLink,
  Panel,
  Pill,
  QuietLink,
  RelativeTime,
  SentenceWithTime,
  Stat,
} from "../platform/pages/elements.tsx"
import { Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { WorkspacePage } from "../platform/pages/layout.tsx"
import { formatTimestamp } from "../platform/time.ts"
import { validatePurchaseEndpoint } from "../purchases/purchase-endpoints.ts"
import { InactiveKeyRequests } from "../usage/failed-requests.tsx"
import { groupColumns, RequestsChart } from "../usage/request-chart.tsx"
import {
  type KeyCount,
  summarizeDays,
  summarizeOperations,
  type UsageStore,
} from "../usage/usage.ts"
import type { WorkspaceServices } from "../workspace/services.ts"
import { findSuccessor, isLive, keyNameCharactersMax, maskOf, type StoredKey } from "./key.ts"
import {
  describeKey,
  findKeyFacts,
  InactiveKeyNotice,
  type KeyFacts,
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

export function createKeyPages(services: WorkspaceServices) {
  const { items, keys, usage, keyCipher, publicUrl, now } = services

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
    const found = itemIds?.slice(0, itemsMax).map(async (id) => {
      const item = await items.find(accountId, id)
      return { id, name: item === null ? "" : itemBodyOf(item).name }
    })
    return found ? Promise.all(found) : null
  }

  async function show(c: PageContext, facts: KeyFacts, shown: Shown = {}) {
    const { key, state } = facts
    const { secret, replaced, rename } = shown
    const path = c.var.view.paths.key(key.id)
    // The form has another path; a reload or a change of language must open this page.
    const view = { ...c.var.view, path }
    const texts = view.texts.keys
    const range = rangeOf(c, now())
    const counts = await usage.list(key.accountId, range, key.id)
    const ipRanges = await usage.listIpRanges(key.id, formatTimestamp(now()))
    const isUsable = isLive(state)
    const isUnsafe = state === "active" && looksShipped(facts)
    const isNew = state === "active" && shown.isCreated === true
    const pills = (
      <span class="actions">
        <Pill tone="plain">{texts.kinds[key.kind]}</Pill>
        {key.scope !== null && <Pill tone="plain">{texts.scopes[key.scope].name}</Pill>}
        {isUnsafe ? (
          <Pill tone="warning">{view.texts.keyPages.table.shipped}</Pill>
        ) : (
          <StatePill view={view} facts={facts} />
        )}
      </span>
    )
    const page = (
      <WorkspacePage view={view} title={key.name} problem={rename?.problem} action={pills}>
        <InactiveKeyNotice view={view} facts={facts} successor={await findReplacement(key)} />
        {isUnsafe && <ShippedNotice view={view} facts={facts} />}
        {isNew && (
          <p class="notice good" role="status">
            <strong>{texts.newSecret.title}.</strong> {texts.newSecret.copyNow}
          </p>
        )}
        <section class="panel">
          {isUsable && <p class="hint">{describeKey(texts, key)}</p>}
          <Secret view={view} facts={facts} mask={maskOf(keyCipher, key)} {...{ secret, isNew }} />
          {replaced && <OldKeyNotice view={view} facts={replaced} />}
          <KeyNumbers view={view} facts={facts} isNew={isNew} />
          {isUsable && <KeyActions view={view} facts={facts} />}
        </section>
        {isNew && secret !== undefined && (
          <QuickStart view={view} facts={facts} secret={secret} baseUrl={publicUrl} />
        )}
        {!isUsable && (
          <InactiveKeyRequests
            view={view}
            requestsPath={withQuery(view.paths.log, { key: key.id })}
            ipRanges={await listCallers(services, facts)}
          />
        )}
        {(facts.usage !== null || !isNew) && (
          <KeyUse view={view} facts={facts} {...{ range, counts, ipRanges }} />
        )}
        <KeyItems view={view} facts={facts} items={await listItems(key)} />
        {isUsable && may(view, "manage") && (
          <section class="panel">
            <PostForm view={view} action={`${path}/rename`} class="filter">
              <Field
                name="name"
                label={view.texts.columns.name}
                value={rename?.name ?? key.name}
                maxlength={keyNameCharactersMax}
                autocomplete="off"
                error={rename?.problem}
              />
              <QuietButton>{texts.actions.rename}</QuietButton>
            </PostForm>
          </section>
        )}
      </WorkspacePage>
    )
    return c.html(page, rename === undefined ? 200 : 422)
  }

  async function showSecret(
    c: PageContext,
    keyId: string,
    { isCreated = false, replacedId }: Readonly<{ isCreated?: boolean; replacedId?: string }> = {},
  ): Promise<Response> {
    const facts = await find(c, keyId)
    if (facts === null || !isLive(facts.state)) return c.redirect(c.var.view.paths.key(keyId), 303)
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
    if (await isCreated()) return c.redirect(c.var.view.paths.key(keyId), 303)
    try {
      await make(keyId)
    } catch (error) {
      if (await isCreated()) return c.redirect(c.var.view.paths.key(keyId), 303)
      throw error
    }
    return showSecret(c, keyId, { isCreated: true, ...(replacedId && { replacedId }) })
  }

  return { find, show, showSecret, createOnce, findReplacement }
}

type Props = Readonly<{ view: View; facts: KeyFacts }>

type SecretProps = Props & Readonly<{ mask: string; secret: string | undefined; isNew: boolean }>

const Secret = ({ view, facts: { key, state }, mask, secret, isNew }: SecretProps) => {
  const path = view.paths.key(key.id)
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
      {may(view, "secrets") && (
        <PostForm view={view} action={`${path}/reveal`}>
          <QuietButton>
            {view.texts.keys.reveal}
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
      <CopyButton view={view} text={secret} isMain={isNew} />
      <QuietLink href={path}>
        {view.texts.keys.hide}
        {name}
      </QuietLink>
    </div>
  )
}

const KeyActions = ({ view, facts: { key, state } }: Props) => {
  const { actions } = view.texts.keys
  const { link } = view.texts.keyPages.leak
  const changes = [
    ...(state === "active" && may(view, "secrets") ? [["replace", actions.rotate]] : []),
    ...(may(view, "secrets") ? [["leak", link]] : []),
    ...(may(view, "manage") ? [["revoke", actions.revoke]] : []),
  ]
  return (
    <p class="actions">
      {changes.map(([change, text]) => (
        <QuietLink href={`${view.paths.key(key.id)}/${change}`} data-dialog>
          {text}
        </QuietLink>
      ))}
    </p>
  )
}

const OldKeyNotice = ({ view, facts: { key, state, usage } }: Props) => {
  const { newSecret, rotate } = view.texts.keys
  return (
    <p class="notice warning">
      {state === "ending" && key.expiresAt !== null ? (
        <SentenceWithTime view={view} at={key.expiresAt} sentence={newSecret.oldUntil} />
      ) : (
        newSecret.oldInactive
      )}{" "}
      {rotate.usage(requestsOfWeek(usage))} <a href={view.paths.key(key.id)}>{newSecret.seeOld}</a>
    </p>
  )
}

type ItemsProps = Props &
  Readonly<{ items: readonly Readonly<{ id: number; name: string }>[] | null }>

const KeyItems = ({ view, facts: { key }, items }: ItemsProps) => {
  const texts = view.texts.keyPages.usage
  if (key.kind !== "vk") return null
  const hidden = (key.itemIds?.length ?? 0) - (items?.length ?? 0)
  return (
    <Panel id="items" title={texts.items}>
      {items === null ? (
        <p>{view.texts.keys.allItems}</p>
      ) : (
        <ul class="plain-list">
          {items.map(({ id, name }) => (
            <li>
              <NamedLink
                class="clamp"
                href={`${view.paths.items}/${id}`}
                name={displayName(name, id)}
              />
            </li>
          ))}
          {hidden > 0 && <li class="hint">{texts.moreItems(hidden)}</li>}
        </ul>
      )}
    </Panel>
  )
}

/** Test codes work with test keys only, so the author replaces this with a purchase code. */
const codePlaceholder = "PASTE_A_REAL_CODE"

type QuickStartProps = Props & Readonly<{ secret: string; baseUrl: string }>

/** The simplest request that a key of this kind can send. */
const QuickStart = ({ view, facts, secret, baseUrl }: QuickStartProps) => {
  const texts = view.texts.keyPages.quickStart
  const isValidation = facts.key.kind === "vk"
  const { path } = isValidation ? validatePurchaseEndpoint : readAccountEndpoint
  const settings = { baseUrl, secret, locale: view.locale, purchaseCode: codePlaceholder }
  return (
    <Panel id="start" title={texts.title}>
      <p>{isValidation ? texts.introCode(codePlaceholder) : texts.intro}</p>
      <SamplesBlock
        texts={view.texts}
        id="first-call"
        title={texts.title}
        samples={createSamples(path, settings)}
      />
      <FirstRequest view={view} facts={facts} />
      <p>
        <QuietLink href={view.paths.keys}>{view.texts.keys.newSecret.done}</QuietLink>
      </p>
    </Panel>
  )
}

/** The script reloads this part until the first request arrives. Without script, the visitor uses the link. */
export const FirstRequest = ({ view, facts: { key, usage } }: Props) => {
  const texts = view.texts.keyPages.quickStart
  const at = usage?.lastUsedAt ?? null
  const path = view.paths.key(key.id)
  return (
    <div
      role="status"
      id="first-request"
      data-refresh={at === null ? `${path}/first-call` : undefined}
    >
      {at === null ? (
        <p class="notice">
          {texts.pending} <a href={path}>{texts.again}</a>
        </p>
      ) : (
        <p class="notice good">
          <SentenceWithTime view={view} at={at} sentence={texts.received} />
        </p>
      )}
    </div>
  )
}

/** `isNew` omits the usage: the first request arrives while the page is open. */
const KeyNumbers = ({ view, facts, isNew }: Props & Readonly<{ isNew: boolean }>) => {
  const { key, state, usage } = facts
  const texts = view.texts.keys
  const isInactive = state === "revoked" || state === "expired"
  const endsAt = key.revokedAt ?? key.expiresAt
  return (
    <dl class="stats">
      <Stat label={texts.created} value={<Day view={view} at={key.createdAt} />} />
      {!(isNew && usage === null) && <KeyRequests view={view} facts={facts} />}
      <Stat label={isInactive ? texts.state[state] : texts.expires}>
        {endsAt === null ? (
          texts.new.expiries.never
        ) : (
          <SentenceWithTime view={view} at={endsAt} sentence={(when) => when} />
        )}
      </Stat>
      <Stat label={texts.actions.id} value={<Copyable view={view} text={key.id} />} />
    </dl>
  )
}

export const KeyRequests = ({ view, facts: { usage } }: Props) => (
  <>
    <Stat label={view.texts.keys.lastUsed}>
      <RelativeTime view={view} at={usage?.lastUsedAt ?? null} />
    </Stat>
    <Stat label={view.texts.keys.lastWeek}>
      {view.texts.words.requests(requestsOfWeek(usage))},{" "}
      {view.texts.keyPages.usage.ipRangeCount(usage?.ipRanges ?? 0)}
    </Stat>
  </>
)

const openIpRanges = 8

type IpRanges = Awaited<ReturnType<UsageStore["listIpRanges"]>>
type UseProps = Props &
  Readonly<{ range: ChosenRange; counts: readonly KeyCount[]; ipRanges: IpRanges }>

const KeyUse = ({ view, facts: { key, usage }, range, counts, ipRanges }: UseProps) => {
  const { columns, keyPages, log, overview } = view.texts
  const texts = keyPages.usage
  const days = summarizeDays(range, counts)
  const operations = summarizeOperations(counts)
  if (usage === null) {
    return (
      <Panel id="calls" title={overview.requests}>
        <p class="hint">{texts.none}</p>
      </Panel>
    )
  }
  const more = ipRanges.slice(openIpRanges)
  const table = (rows: IpRanges) => (
    <DataTable
      view={view}
      rows={rows}
      columns={[
        { head: columns.ipRange, kind: "code", value: ({ ipRange }) => ipRange },
        { head: columns.lastRequest, kind: "day", value: ({ lastDay }) => lastDay },
      ]}
    />
  )
  return (
    <>
      <Panel id="calls" title={overview.requests}>
        <RangeBar view={view} range={range} />
        <RequestsChart
          {...{ view, range, days }}
          logPath={view.paths.log}
          csvPath={`${view.paths.key(key.id)}/usage.csv`}
          keyId={key.id}
        />
        {operations.length > 1 && (
          <>
            <h3>{texts.byOperation}</h3>
            <DataTable
              view={view}
              rows={operations}
              columns={[
                {
                  head: log.operation,
                  isWide: true,
                  value: ({ operation }) => keyPages.operations[operation],
                },
                ...groupColumns(view, overview.groups),
              ]}
            />
          </>
        )}
      </Panel>
      <Panel id="ip-ranges" title={texts.title}>
        {ipRanges.length === 0 ? (
          <p class="hint">{texts.noRequests}</p>
        ) : (
          <>
            <p>{texts.ipRanges(ipRanges.length)}</p>
            {table(ipRanges.slice(0, openIpRanges))}
            {more.length > 0 && (
              <details>
                <summary>{texts.moreIpRanges(more.length)}</summary>
                {table(more)}
              </details>
            )}
          </>
        )}
      </Panel>
    </>
  )
}
