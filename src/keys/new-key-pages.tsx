import { routes } from "../access/paths.ts"
import { issuedKinds, keyScopes } from "../contract/operation.ts"
import { ConfirmActions, promptFor, requirePassword } from "../platform/pages/confirm.tsx"
import {
  createForm,
  currentView,
  type Form,
  findFormId,
  Page,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import {
  Choices,
  displayName,
  Field,
  PostForm,
  searchUnitsMax,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { daySeconds, secondsAfter } from "../platform/time.ts"
import { keyNameCharactersMax, liveKeysMax } from "./key.ts"
import { describeKey, type KeyPageServices, keyScopeTexts, type NamedItem } from "./key-facts.tsx"
import { issueKey, KeyLimitReached } from "./key-operations.ts"
import { createKeyOnce } from "./key-pages.tsx"

const listedItemsMax = 60
/** Long names would make the page larger than 100 KB. */
const resultsMax = 25
const chosenMax = 30

/** What a secret key may do without a scope. */
const everything = "everything"

const expiries = ["never", "30", "90", "365"] as const

type Problem = Readonly<{ field: "name" | "items"; text: string }>

type NewKeyForm = ReturnType<typeof parseNewKey>

type Shown = Readonly<{
  /** Submitting the form twice creates one key. */
  formId: string
  form: NewKeyForm
  problem?: Problem
  /** Whether the form was submitted by the search, which then has the focus. */
  isSearch?: boolean
  password?: PasswordPrompt
}>

export function addNewKeyRoutes(app: PageApp, services: KeyPageServices): void {
  app.get(routes.newKey, (c) => {
    const form = parseNewKey(createForm({ kind: c.req.query("kind") }))
    return showForm(c, services, { formId: services.tokens.create(), form })
  })
  app.post(routes.newKey, (c) => createKey(c, services))
}

async function createKey(c: PageContext, services: KeyPageServices): Promise<Response> {
  const { account, actor, form: sent } = c.var
  const form = parseNewKey(sent)
  const formId = findFormId(sent)
  if (formId === null) return c.redirect(currentView().paths.newKey, 303)
  // Enter in the search field submits the form before the new text was searched.
  if (sent.list("search").length > 0 || sent.text("q").trim() !== sent.text("searched")) {
    return showForm(c, services, { formId, form: { ...form, scope: "some" }, isSearch: true })
  }
  const problem = await findProblem(services, account.id, form)
  if (problem !== null) return showForm(c, services, { formId, form, problem })
  const confirmation = await requirePassword(c, (password) =>
    showForm(c, services, { formId, form, password }),
  )
  if (confirmation !== null) return confirmation
  const { kind, name, expiry } = form
  const options = {
    kind,
    name,
    itemIds: isLimited(form) ? form.itemIds.map(Number) : null,
    isSiteRequired: kind === "vk" && form.isSiteRequired,
    scope: kind === "sk" && form.access !== everything ? form.access : null,
    expiresAt:
      expiry === "never" ? null : secondsAfter(services.now(), Number(expiry) * daySeconds),
  }
  const recording = services.keyServices(actor)
  try {
    return await createKeyOnce(c, services, { formId }, (id) =>
      issueKey(recording, account, options, id),
    )
  } catch (error) {
    if (!(error instanceof KeyLimitReached)) throw error
    const text = t("You have {max} valid keys. Revoke an unused key first.", { max: liveKeysMax })
    return showForm(c, services, { formId, form, problem: { field: "name", text } })
  }
}

async function showForm(
  c: PageContext,
  services: KeyPageServices,
  { formId, form, problem, isSearch = false, password: rejected }: Shown,
): Promise<Response> {
  const { paths } = currentView()
  const choice = await findChoice(services, c.var.account.id, form)
  const password = rejected ?? (await promptFor(c))
  const page = (
    <Page title={t("Create a key # another")} problem={problem?.text ?? password.problem}>
      <PostForm action={paths.newKey}>
        <input type="hidden" name="form_id" value={formId} />
        {/* Enter in a field activates the first button of a form. Without this button, that is the search. */}
        {choice.isSearched && (
          <button type="submit" class="visually-hidden" tabindex={-1} aria-hidden="true">
            {t("Create key")}
          </button>
        )}
        <Choices
          name="kind"
          legend={t("What is it for?")}
          chosen={form.kind}
          choices={issuedKinds.map((kind) => ({
            value: kind,
            label: t(kindChoiceTexts[kind]),
            note: describeKey({ kind, itemIds: null, isSiteRequired: false, scope: null }),
          }))}
        />
        <Field
          name="name"
          label={t("Name")}
          value={form.name}
          hint={t("For example, where the key is used.")}
          autocomplete="off"
          maxlength={keyNameCharactersMax}
          isRequired
          error={problem?.field === "name" ? problem.text : null}
        />
        <RightsFields
          {...{ form, choice, isSearch }}
          error={problem?.field === "items" ? problem.text : null}
        />
        <Select
          name="expiry"
          label={t("Expires")}
          options={expiries.map((each) => [each, t(expiryTexts[each])])}
          chosen={form.expiry}
        />
        <ConfirmActions
          password={password}
          submit={t("Create key")}
          back={paths.keys}
          isFocused={rejected !== undefined}
        />
      </PostForm>
    </Page>
  )
  return c.html(page, problem || rejected ? 422 : 200)
}

async function findProblem(
  { itemSearch }: KeyPageServices,
  accountId: number,
  form: NewKeyForm,
): Promise<Problem | null> {
  if (form.name === "") return { field: "name", text: t("Enter a name for the key.") }
  if ([...form.name].length > keyNameCharactersMax) {
    return {
      field: "name",
      text: t("Use at most {max} characters.", { max: keyNameCharactersMax }),
    }
  }
  if (!isLimited(form)) return null
  if (form.itemIds.length === 0)
    return { field: "items", text: t("Choose at least one of your own items.") }
  const ids = form.itemIds.filter(isItemId).map(Number)
  const own = await itemSearch.listByIds(accountId, ids)
  const found = new Set(own.map(({ id }) => String(id)))
  // Security: the same text for items of other authors and items that do not exist.
  const foreignIds = form.itemIds.filter((id) => !found.has(String(Number(id))))
  return foreignIds.length === 0 ? null : { field: "items", text: describeForeignItems(foreignIds) }
}

/**
 * All items, or search results that are not selected. `found` is the number of results, selected ones included;
 * `moreIds` are the IDs of selected items beyond the maximum.
 */
async function findChoice(
  { itemSearch }: KeyPageServices,
  accountId: number,
  { search, itemIds }: NewKeyForm,
) {
  const byName = { text: "", sort: "name", after: null } as const
  const all = await itemSearch.search(accountId, { ...byName, rowsMax: listedItemsMax })
  const isSearched = all.next !== null
  const results = { ...byName, text: search, rowsMax: resultsMax }
  const { items, next } = isSearched ? await itemSearch.search(accountId, results) : all
  const ids = isSearched ? itemIds.filter(isItemId) : []
  return {
    ...{ isSearched, found: items.length, hasMore: next !== null },
    chosen: await itemSearch.listByIds(accountId, ids.slice(0, chosenMax).map(Number)),
    moreIds: ids.slice(chosenMax),
    items: items.filter(({ id }) => !ids.includes(String(id))),
  }
}

const isItemId = (text: string) => /^\d+$/.test(text) && Number.isSafeInteger(Number(text))

const isLimited = ({ kind, scope }: NewKeyForm) => kind === "vk" && scope === "some"

function parseNewKey(form: Form) {
  const itemIds = form
    .list("items")
    .flatMap((text) => text.replaceAll("\0", "").split(","))
    .map((text) => text.trim())
  return {
    kind: issuedKinds.find((kind) => kind === form.text("kind")) ?? "sk",
    name: form.text("name").trim(),
    access: keyScopes.find((scope) => scope === form.text("access")) ?? everything,
    scope: form.text("scope") === "some" ? "some" : "all",
    itemIds: [...new Set(itemIds.filter((text) => text !== ""))],
    isSiteRequired: form.text("requires_site") !== "",
    search: form.text("q").trim().slice(0, searchUnitsMax),
    expiry: expiries.find((each) => each === form.text("expiry")) ?? "never",
  } as const
}

type ItemsProps = Readonly<{
  form: NewKeyForm
  choice: Awaited<ReturnType<typeof findChoice>>
  isSearch: boolean
  error: string | null
}>

/** The scope of a secret key, or the items of a validation key and whether it requires a site. */
const RightsFields = (props: ItemsProps) => (
  <>
    <div class="sk-only">
      <Choices
        name="access"
        legend={t("What may it do?")}
        chosen={props.form.access}
        choices={([everything, ...keyScopes] as const).map((value) => {
          const { name, about } = keyScopeTexts[value]
          return { value, label: t(name), note: t(about) }
        })}
      />
    </div>
    <div class="vk-only">
      <Choices
        name="scope"
        legend={t("Which items may it validate?")}
        chosen={props.form.scope}
        choices={[
          { value: "all", label: t("All my items, including future ones") },
          { value: "some", label: t("Only these:") },
        ]}
      />
      <ItemTicks {...props} />
      <div class="choices">
        <label class="choice">
          <input
            type="checkbox"
            name="requires_site"
            value="1"
            checked={props.form.isSiteRequired}
          />
          {t("Reject validations without a site (recommended with a site limit)")}
        </label>
      </div>
    </div>
  </>
)

const ItemTicks = ({ form, choice, isSearch, error }: ItemsProps) => (
  <fieldset class="choices" aria-describedby={error === null ? undefined : "items-error"}>
    <legend class="visually-hidden">{t("Only these:")}</legend>
    {choice.chosen.map((item) => (
      <ItemTick item={item} isTicked />
    ))}
    {choice.moreIds.length > 0 && (
      <>
        <input type="hidden" name="items" value={choice.moreIds.join(",")} />
        <p class="hint">{t("and {n} more", { n: choice.moreIds.length })}</p>
      </>
    )}
    {choice.isSearched && <ItemSearch text={form.search} choice={choice} isFocused={isSearch} />}
    {choice.items.map((item) => (
      <ItemTick item={item} isTicked={form.itemIds.includes(String(item.id))} />
    ))}
    {error !== null && (
      <p class="error" id="items-error" tabindex={-1} autofocus>
        {error}
      </p>
    )}
  </fieldset>
)

const ItemTick = ({ item: { id, name }, isTicked }: { item: NamedItem; isTicked: boolean }) => (
  <label class="choice">
    <input type="checkbox" name="items" value={id} checked={isTicked} />
    <span class="clamp">
      <bdi>{displayName(name, id)}</bdi>
    </span>
  </label>
)

type SearchProps = Pick<ItemsProps, "choice"> & Readonly<{ text: string; isFocused: boolean }>

const ItemSearch = ({ text, choice: { found, hasMore }, isFocused }: SearchProps) => {
  const results = hasMore
    ? t("The first {n item|items}, by name. Search for the others; selected items stay selected.", {
        n: found,
      })
    : t("{n item|items}", { n: found })
  return (
    <>
      <div class="filter">
        <Field
          name="q"
          label={t("Search by name or ID")}
          type="search"
          value={text}
          autocomplete="off"
          maxlength={searchUnitsMax}
          isFocused={isFocused}
        />
        <input type="hidden" name="searched" value={text} />
        {/* Submits the whole form, so that the page of results keeps all fields. */}
        <button type="submit" class="quiet" name="search" value="" formnovalidate>
          {t("Search")}
        </button>
      </div>
      <p class="hint" role="status">
        {found === 0 ? t("No item matches “{text}”.", { text }) : results}
      </p>
    </>
  )
}

const kindChoiceTexts = {
  sk: "My own server",
  vk: "A product I sell",
  tk: "Trying things out",
} as const

const expiryTexts = {
  never: "Never # expiry",
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In a year",
} as const

/** The first ten IDs, each cut to 20 characters. */
function describeForeignItems(all: readonly string[]): string {
  const cut = all.slice(0, 10).map((id) => (id.length > 20 ? `${id.slice(0, 20)}…` : id))
  const ids = cut.join(", ") + (all.length > 10 ? ", …" : "")
  return all.length === 1
    ? t("You have no item with this ID: {ids}.", { ids })
    : t("You have no items with these IDs: {ids}.", { ids })
}

type SelectProps = Readonly<{
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen: string
}>

const Select = ({ name, label, options, chosen }: SelectProps) => (
  <div class="field sort">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </div>
)
