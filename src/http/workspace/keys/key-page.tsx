import { itemBodyOf } from "../../../domain/catalog/item.ts"
import {
  findSuccessor,
  isLive,
  keyNameCharactersMax,
  maskOf,
  type StoredKey,
} from "../../../domain/keys/api-key.ts"
import type { InactiveKeyUse, KeyUsageDetails } from "../../../domain/usage/usage.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { readAccountEndpoint } from "../../api/read-account-endpoint.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase-endpoint.ts"
import { DataTable } from "../../pages/components/data-table.tsx"
import { type ChosenRange, parseRange, RangeBar } from "../../pages/components/date-range.tsx"
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
} from "../../pages/components/elements.tsx"
import { InactiveKeyRequests } from "../../pages/components/failed-requests.tsx"
import { Field, PostForm, QuietButton } from "../../pages/components/form-fields.tsx"
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
} from "../../pages/components/keys.tsx"
import { WorkspacePage } from "../../pages/components/layout.tsx"
import { groupColumns, RequestsChart } from "../../pages/components/usage-chart.tsx"
import type { PageContext, View } from "../../pages/page-context.ts"
import type { WorkspaceServices } from "../../pages/page-services.ts"
import { keysPath, logPath, pathOfKey, requestsPath, withQuery } from "../../pages/paths.ts"
import { createSamples, SamplesBlock } from "../../pages/samples/samples.tsx"

/** The name is empty if the item was deleted. */
export type NamedItem = Readonly<{ id: number; name: string }>

/** A secret that this request created or revealed. */
export type ShownSecret = Readonly<{
  secret: string
  isNew: boolean
  replaced: KeyFacts | null
}>

/** `rename` is a rejected new name, as entered. */
type Shown = Readonly<{
  shown?: ShownSecret | null
  rename?: Readonly<{ name: string; problem: string }> | null
}>

const itemsMax = 50

export const rangeOf = (c: PageContext, now: Date) =>
  parseRange(c.req.query(), formatTimestamp(now))

export function createKeyPages(services: WorkspaceServices) {
  const { items, keys, usage, keyCipher, now } = services

  /** Null also for keys of other authors. */
  const find = (c: PageContext, id = c.req.param("id") ?? "") =>
    findKeyFacts(services, c.var.account.id, id)

  async function findReplacement(key: StoredKey): Promise<NamedKey | null> {
    if (key.replacedAt === null) return null
    const next = findSuccessor(await keys.list(key.accountId), key)
    return next && { id: next.id, name: next.name, mask: maskOf(keyCipher, next) }
  }

  async function findNamedItem(accountId: number, id: number): Promise<NamedItem> {
    const item = await items.find(accountId, id)
    return { id, name: item === null ? "" : itemBodyOf(item).name }
  }

  async function listItems({
    accountId,
    itemIds,
  }: StoredKey): Promise<readonly NamedItem[] | null> {
    if (itemIds === null) return null
    return Promise.all(itemIds.slice(0, itemsMax).map((id) => findNamedItem(accountId, id)))
  }

  async function show(c: PageContext, facts: KeyFacts, { shown = null, rename = null }: Shown) {
    const { key } = facts
    const range = rangeOf(c, now())
    const details = await usage.readDetails(key.id, range, formatTimestamp(now()))
    const page = (
      <KeyPage
        // The form has another path; a reload or a change of language must open this page.
        view={{ ...c.var.view, path: pathOfKey(key.id) }}
        facts={facts}
        mask={maskOf(keyCipher, key)}
        range={range}
        details={details}
        successor={await findReplacement(key)}
        items={await listItems(key)}
        inactiveKeyRequests={await listCallers(services, facts)}
        shown={shown}
        rename={rename}
        baseUrl={services.publicUrl}
      />
    )
    return c.html(page, rename === null ? 200 : 422)
  }

  async function showSecret(
    c: PageContext,
    keyId: string,
    { isNew, replacedId = null }: Readonly<{ isNew: boolean; replacedId?: string | null }>,
  ): Promise<Response> {
    const facts = await find(c, keyId)
    if (facts === null || !isLive(facts.state)) return c.redirect(pathOfKey(keyId), 303)
    const secret = keyCipher.decrypt(facts.key.encrypted, facts.key)
    const replaced = replacedId === null ? null : await find(c, replacedId)
    return show(c, facts, { shown: { secret, isNew, replaced } })
  }

  /**
   * Derives the key ID from the account and the ID of the form. One form creates one key and shows its secret once,
   * and no form can name the ID of another author's key.
   */
  async function createOnce(
    c: PageContext,
    formId: string,
    make: (keyId: string) => Promise<unknown>,
    replacedId: string | null = null,
  ): Promise<Response> {
    const keyId = keyCipher.deriveKeyId(`${c.var.account.id} ${formId}`)
    const isCreated = async () => (await find(c, keyId)) !== null
    if (await isCreated()) return c.redirect(pathOfKey(keyId), 303)
    try {
      await make(keyId)
    } catch (error) {
      if (await isCreated()) return c.redirect(pathOfKey(keyId), 303)
      throw error
    }
    return showSecret(c, keyId, { isNew: true, replacedId })
  }

  return { find, show, showSecret, createOnce, findReplacement }
}

type Props = Readonly<{
  view: View
  facts: KeyFacts
  mask: string
  range: ChosenRange
  details: KeyUsageDetails
  successor: NamedKey | null
  /** The first items of a validation key. Null for all items of the account. */
  items: readonly NamedItem[] | null
  /** IP ranges that use the key although it is inactive. */
  inactiveKeyRequests: readonly InactiveKeyUse[]
  shown: ShownSecret | null
  rename: Readonly<{ name: string; problem: string }> | null
  /** Without a path: `https://api.example.com`. */
  baseUrl: string
}>

export const KeyPage = (props: Props) => {
  const { view, facts, mask, range, details, successor, shown, rename, baseUrl } = props
  const { key, state, usage } = facts
  const texts = view.texts.keys
  const isUsable = isLive(state)
  const isUnsafe = state === "active" && looksShipped(facts)
  const isNew = state === "active" && (shown?.isNew ?? false)
  const pills = (
    <span class="actions">
      <Pill tone="plain">{texts.kinds[key.kind]}</Pill>
      {isUnsafe ? (
        <Pill tone="warning">{view.texts.keyPages.table.shipped}</Pill>
      ) : (
        <StatePill view={view} facts={facts} />
      )}
    </span>
  )
  return (
    <WorkspacePage view={view} title={key.name} problem={rename?.problem} action={pills}>
      <InactiveKeyNotice view={view} facts={facts} successor={successor} />
      {isUnsafe && <ShippedNotice view={view} facts={facts} />}
      {isNew && (
        <p class="notice good" role="status">
          <strong>{texts.newSecret.title}.</strong> {texts.newSecret.copyNow}
        </p>
      )}
      <section class="panel">
        {isUsable ? (
          <>
            <p class="hint">{describeKey(texts, key)}</p>
            <SecretBox
              view={view}
              keyOf={key}
              mask={mask}
              secret={shown?.secret ?? null}
              isFocused={rename === null}
              isNew={isNew}
            />
          </>
        ) : (
          <code class="masked">{mask}</code>
        )}
        {shown !== null && shown.replaced !== null && (
          <OldKeyNotice view={view} facts={shown.replaced} />
        )}
        <KeyNumbers view={view} facts={facts} isNew={isNew} />
        {isUsable && <KeyActions view={view} facts={facts} />}
      </section>
      {isNew && shown !== null && (
        <QuickStart view={view} facts={facts} secret={shown.secret} baseUrl={baseUrl} />
      )}
      {!isUsable && (
        <InactiveKeyRequests
          view={view}
          requestsPath={withQuery(requestsPath, { key: key.id })}
          ipRanges={props.inactiveKeyRequests}
        />
      )}
      {(usage !== null || !isNew) && (
        <KeyUse
          view={view}
          range={range}
          details={details}
          isUsed={usage !== null}
          keyId={key.id}
        />
      )}
      <KeyItems {...props} />
      {isUsable && <RenameForm view={view} facts={facts} rename={rename} />}
    </WorkspacePage>
  )
}

const KeyActions = ({ view, facts: { key, state } }: Pick<Props, "view" | "facts">) => {
  const { actions } = view.texts.keys
  const path = pathOfKey(key.id)
  return (
    <p class="actions">
      {state === "active" && (
        <QuietLink href={`${path}/replace`} data-dialog>
          {actions.rotate}
        </QuietLink>
      )}
      <QuietLink href={`${path}/leak`} data-dialog>
        {view.texts.keyPages.leak.link}
      </QuietLink>
      <QuietLink href={`${path}/revoke`} data-dialog>
        {actions.revoke}
      </QuietLink>
    </p>
  )
}

const OldKeyNotice = ({ view, facts }: { view: View; facts: KeyFacts }) => {
  const texts = view.texts.keys
  const { key, state, usage } = facts
  return (
    <p class="notice warning">
      {state === "ending" && key.expiresAt !== null ? (
        <SentenceWithTime
          view={view}
          at={key.expiresAt}
          form="datetime"
          sentence={texts.newSecret.oldUntil}
        />
      ) : (
        texts.newSecret.oldInactive
      )}{" "}
      {texts.rotate.usage(requestsOfWeek(usage))}{" "}
      <a href={pathOfKey(key.id)}>{texts.newSecret.seeOld}</a>
    </p>
  )
}

const KeyItems = ({ view, facts: { key }, items }: Props) => {
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
                href={`/workspace/items/${id}`}
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

const RenameForm = ({ view, facts: { key }, rename }: Pick<Props, "view" | "facts" | "rename">) => (
  <section class="panel">
    <PostForm view={view} action={`${pathOfKey(key.id)}/rename`} class="filter">
      <Field
        name="name"
        label={view.texts.columns.name}
        value={rename?.name ?? key.name}
        maxlength={keyNameCharactersMax}
        autocomplete="off"
        error={rename?.problem ?? null}
      />
      <QuietButton>{view.texts.keys.actions.rename}</QuietButton>
    </PostForm>
  </section>
)

/** Test codes work with test keys only, so the author replaces this with a purchase code. */
const codePlaceholder = "PASTE_A_REAL_CODE"

/** The simplest request that a key of this kind can send. */
const firstPathOf = ({ kind }: StoredKey) =>
  kind === "vk" ? validatePurchaseEndpoint.path : readAccountEndpoint.path

type QuickStartProps = Pick<Props, "view" | "facts" | "baseUrl"> & Readonly<{ secret: string }>

const QuickStart = ({ view, facts, secret, baseUrl }: QuickStartProps) => {
  const texts = view.texts.keyPages.quickStart
  const samples = createSamples(firstPathOf(facts.key), {
    baseUrl,
    secret,
    locale: view.locale,
    purchaseCode: codePlaceholder,
  })
  return (
    <Panel id="start" title={texts.title}>
      <p>{facts.key.kind === "vk" ? texts.introCode(codePlaceholder) : texts.intro}</p>
      <SamplesBlock texts={view.texts} id="first-call" title={texts.title} samples={samples} />
      <FirstRequest view={view} facts={facts} />
      <p>
        <QuietLink href={keysPath}>{view.texts.keys.newSecret.done}</QuietLink>
      </p>
    </Panel>
  )
}

/** The script reloads this part until the first request arrives. Without script, the visitor uses the link. */
export const FirstRequest = ({ view, facts: { key, usage } }: { view: View; facts: KeyFacts }) => {
  const texts = view.texts.keyPages.quickStart
  const at = usage?.lastUsedAt ?? null
  const path = pathOfKey(key.id)
  return at === null ? (
    <div role="status" id="first-request" data-refresh={`${path}/first-call`}>
      <p class="notice">
        {texts.pending} <a href={path}>{texts.again}</a>
      </p>
    </div>
  ) : (
    <div role="status" id="first-request">
      <p class="notice good">
        <SentenceWithTime view={view} at={at} form="datetime" sentence={texts.received} />
      </p>
    </div>
  )
}

type FactsProps = Pick<Props, "view" | "facts">

/** `isNew` omits the usage: the first request arrives while the page is open. */
export const KeyNumbers = ({ view, facts, isNew }: FactsProps & { isNew: boolean }) => {
  const { key, usage } = facts
  const texts = view.texts.keys
  return (
    <dl class="stats">
      <Stat label={texts.created}>
        <Day view={view} at={key.createdAt} />
      </Stat>
      {!(isNew && usage === null) && <KeyRequests view={view} facts={facts} />}
      <KeyExpiry view={view} facts={facts} />
      <Stat label={texts.actions.id}>
        <Copyable view={view} text={key.id} />
      </Stat>
    </dl>
  )
}

export const KeySummary = ({ view, facts, mask }: FactsProps & { mask: string }) => {
  const { key } = facts
  const texts = view.texts.keys
  return (
    <dl class="stats panel">
      <Stat label={texts.kinds[key.kind]}>
        <span class="mono">{mask}</span>
      </Stat>
      {key.kind === "vk" && (
        <Stat label={view.texts.items.title}>
          {key.itemIds === null ? texts.allItems : key.itemIds.length.toLocaleString(view.locale)}
        </Stat>
      )}
      <KeyRequests view={view} facts={facts} />
    </dl>
  )
}

const KeyRequests = ({ view, facts: { usage } }: FactsProps) => (
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

const KeyExpiry = ({ view, facts: { key, state } }: FactsProps) => {
  const texts = view.texts.keys
  const isInactive = state === "revoked" || state === "expired"
  const at = key.revokedAt ?? key.expiresAt
  return (
    <Stat label={isInactive ? texts.state[state] : texts.expires}>
      {at === null ? (
        texts.new.expiries.never
      ) : (
        <SentenceWithTime view={view} at={at} form="datetime" sentence={(when) => when} />
      )}
    </Stat>
  )
}

type KeyUseProps = Readonly<{
  view: View
  range: ChosenRange
  details: KeyUsageDetails
  isUsed: boolean
  keyId: string
}>

export const KeyUse = ({ view, range, details, isUsed, keyId }: KeyUseProps) => {
  const { keyPages, log, overview } = view.texts
  const texts = keyPages.usage
  if (!isUsed) {
    return (
      <Panel id="calls" title={overview.requests}>
        <p class="hint">{texts.none}</p>
      </Panel>
    )
  }
  return (
    <>
      <Panel id="calls" title={overview.requests}>
        <RangeBar view={view} range={range} />
        <RequestsChart
          view={view}
          range={range}
          days={details.days}
          csvPath={`${pathOfKey(keyId)}/usage.csv`}
          logPath={logPath}
          keyId={keyId}
        />
        {details.operations.length > 1 && (
          <>
            <h3>{texts.byOperation}</h3>
            <DataTable
              view={view}
              rows={details.operations}
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
        {details.ipRanges.length === 0 ? (
          <p class="hint">{texts.noRequests}</p>
        ) : (
          <IpRanges view={view} ipRanges={details.ipRanges} />
        )}
      </Panel>
    </>
  )
}

const openIpRanges = 8

type IpRangesProps = Readonly<{ view: View; ipRanges: KeyUsageDetails["ipRanges"] }>

const IpRanges = ({ view, ipRanges }: IpRangesProps) => {
  const texts = view.texts.keyPages.usage
  const more = ipRanges.slice(openIpRanges)
  return (
    <>
      <p>{texts.ipRanges(ipRanges.length)}</p>
      <IpRangeTable view={view} ipRanges={ipRanges.slice(0, openIpRanges)} />
      {more.length > 0 && (
        <details>
          <summary>{texts.moreIpRanges(more.length)}</summary>
          <IpRangeTable view={view} ipRanges={more} />
        </details>
      )}
    </>
  )
}

const IpRangeTable = ({ view, ipRanges }: IpRangesProps) => (
  <DataTable
    view={view}
    rows={ipRanges}
    columns={[
      { head: view.texts.columns.ipRange, kind: "code", value: ({ ipRange }) => ipRange },
      { head: view.texts.columns.lastRequest, kind: "day", value: ({ lastDay }) => lastDay },
    ]}
  />
)

type SecretBoxProps = Readonly<{
  view: View
  keyOf: StoredKey
  mask: string
  secret: string | null
  isFocused: boolean
  /** A new secret, with copying as the main action. */
  isNew?: boolean
}>

export const SecretBox = (props: SecretBoxProps) => {
  const { view, keyOf, mask, secret, isFocused, isNew = false } = props
  const path = pathOfKey(keyOf.id)
  const name = (
    <span class="visually-hidden">
      {" "}
      <bdi>{keyOf.name}</bdi>
    </span>
  )
  return (
    <div class="secret">
      {secret === null ? (
        <>
          <code class="masked">{mask}</code>
          <PostForm view={view} action={`${path}/reveal`}>
            <QuietButton>
              {view.texts.keys.reveal}
              {name}
            </QuietButton>
          </PostForm>
        </>
      ) : (
        <>
          <code data-secret tabindex={-1} autofocus={isFocused ? true : undefined}>
            {secret}
          </code>
          <CopyButton view={view} text={secret} isMain={isNew} />
          <QuietLink href={path}>
            {view.texts.keys.hide}
            {name}
          </QuietLink>
        </>
      )}
    </div>
  )
}
