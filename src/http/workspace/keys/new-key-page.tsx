import {
  type IssuedKind,
  issuedKinds,
  keyNameCharactersMax,
  liveKeysMax,
} from "../../../domain/keys/api-key.ts"
import { daySeconds, secondsAfter } from "../../../domain/values/time/timestamp.ts"
import { issueKey, KeyLimitReached } from "../../../operations/keys/key-operations.ts"
import { displayName } from "../../pages/components/elements.tsx"
import {
  Choices,
  Field,
  PostForm,
  Select,
  searchUnitsMax,
} from "../../pages/components/form-fields.tsx"
import { describeKey } from "../../pages/components/keys.tsx"
import { WorkspacePage } from "../../pages/components/layout.tsx"
import {
  ConfirmActions,
  type PasswordPrompt,
  passwordsOf,
} from "../../pages/components/passwords.tsx"
import {
  type Form,
  findFormId,
  type PageApp,
  type PageContext,
  type View,
} from "../../pages/page-context.ts"
import type { WorkspaceServices } from "../../pages/page-services.ts"
import { keysPath, newKeyPath } from "../../pages/paths.ts"
import type { PageTexts } from "../../pages/translations/texts.ts"
import { createKeyPages } from "./key-page.tsx"

/** Authors with more items search for them. */
const listedItemsMax = 60
/** Long names would make the page larger than 100 KB. */
const resultsMax = 25
const chosenMax = 30

type Problem = Readonly<{ field: "name" | "items"; text: string }>

export function addNewKeyRoutes(app: PageApp, services: WorkspaceServices): void {
  const { createOnce } = createKeyPages(services)
  const { promptFor, requirePassword } = passwordsOf(services)

  async function show(c: PageContext, shown: Shown): Promise<Response> {
    const page = (
      <NewKeyPage
        view={c.var.view}
        choice={await findChoice(services, c.var.account.id, shown.form)}
        password={await promptFor(c)}
        isConfirming={shown.password !== undefined}
        {...shown}
      />
    )
    return c.html(page, shown.problem || shown.password ? 422 : 200)
  }

  app.get(newKeyPath, (c) => {
    const form: NewKeyForm = {
      kind: parseKind(c.req.query("kind")),
      name: "",
      scope: "all",
      itemIds: [],
      isSiteRequired: false,
      search: "",
      expiry: "never",
    }
    return show(c, { formId: services.tokens.create(), form })
  })

  app.post(newKeyPath, async (c) => {
    const { account } = c.var
    const sent = c.var.form
    const form = parseNewKey(sent)
    const formId = findFormId(sent)
    if (formId === null) return c.redirect(newKeyPath, 303)
    // Enter in the search field submits the form before the new text was searched.
    if (sent.list("search").length > 0 || sent.text("q").trim() !== sent.text("searched")) {
      return show(c, { formId, form: { ...form, scope: "some" }, isSearch: true })
    }
    const texts = c.var.view.texts.keys.new
    const problem = await findProblem(services, account.id, form, texts)
    if (problem !== null) return show(c, { formId, form, problem })
    const confirmation = await requirePassword(c, WorkspacePage, (password) =>
      show(c, { formId, form, password }),
    )
    if (confirmation !== null) return confirmation
    const options = {
      kind: form.kind,
      name: form.name,
      itemIds: isLimited(form) ? form.itemIds.map(Number) : null,
      isSiteRequired: form.kind === "vk" && form.isSiteRequired,
      expiresAt: expiryOf(form, services.now()),
    }
    const recording = services.keyServices(c.var.actor)
    try {
      return await createOnce(c, formId, (id) => issueKey(recording, account, options, id))
    } catch (error) {
      if (!(error instanceof KeyLimitReached)) throw error
      const text = texts.tooMany(liveKeysMax)
      return show(c, { formId, form, problem: { field: "name", text } })
    }
  })
}

async function findProblem(
  { itemSearch }: WorkspaceServices,
  accountId: number,
  form: NewKeyForm,
  texts: PageTexts["keys"]["new"],
): Promise<Problem | null> {
  if (form.name === "") return { field: "name", text: texts.emptyName }
  if ([...form.name].length > keyNameCharactersMax) {
    return { field: "name", text: texts.longName(keyNameCharactersMax) }
  }
  if (!isLimited(form)) return null
  if (form.itemIds.length === 0) return { field: "items", text: texts.badItems }
  const ids = form.itemIds.filter(isItemId).map(Number)
  const own = await itemSearch.listByIds(accountId, ids)
  const found = new Set(own.map(({ id }) => String(id)))
  // Security: the same text for items of other authors and items that do not exist.
  const foreignIds = form.itemIds.filter((id) => !found.has(String(Number(id))))
  return foreignIds.length === 0 ? null : { field: "items", text: texts.notYours(foreignIds) }
}

async function findChoice(
  { itemSearch }: WorkspaceServices,
  accountId: number,
  { search, itemIds }: NewKeyForm,
): Promise<ItemChoice> {
  const { visible, hidden } = await itemSearch.count(accountId)
  const total = visible + hidden
  const isSearched = total > listedItemsMax
  const { items, total: found } = await itemSearch.search(accountId, {
    text: isSearched ? search : "",
    sort: "name",
    offset: 0,
    rowsMax: isSearched ? resultsMax : listedItemsMax,
  })
  if (!isSearched) return { items, total, found, isSearched, chosen: [], moreIds: [] }
  const ids = itemIds.filter(isItemId)
  const chosen = await itemSearch.listByIds(accountId, ids.slice(0, chosenMax).map(Number))
  return {
    total,
    found,
    isSearched,
    chosen,
    moreIds: ids.slice(chosenMax),
    items: items.filter(({ id: itemId }) => !ids.includes(String(itemId))),
  }
}

const isItemId = (text: string) => /^\d+$/.test(text) && Number.isSafeInteger(Number(text))

const isLimited = ({ kind, scope }: NewKeyForm) => kind === "vk" && scope === "some"

const parseKind = (text = ""): IssuedKind => issuedKinds.find((kind) => kind === text) ?? "sk"

function parseNewKey(form: Form): NewKeyForm {
  const itemIds = form
    .list("items")
    .flatMap((text) => text.replaceAll("\0", "").split(","))
    .map((text) => text.trim())
  return {
    kind: parseKind(form.text("kind")),
    name: form.text("name").trim(),
    scope: form.text("scope") === "some" ? "some" : "all",
    itemIds: [...new Set(itemIds.filter((text) => text !== ""))],
    isSiteRequired: form.text("requires_site") !== "",
    search: form.text("q").trim().slice(0, searchUnitsMax),
    expiry: expiryChoices.find((each) => each === form.text("expiry")) ?? "never",
  }
}

function expiryOf({ expiry }: NewKeyForm, now: Date): string | null {
  if (expiry === "never") return null
  return secondsAfter(now, Number(expiry) * daySeconds)
}

const expiryChoices = ["never", "30", "90", "365"] as const
type ExpiryChoice = (typeof expiryChoices)[number]

/** The form as entered, shown again if a field is invalid. */
type NewKeyForm = Readonly<{
  kind: IssuedKind
  name: string
  scope: "all" | "some"
  itemIds: readonly string[]
  isSiteRequired: boolean
  search: string
  expiry: ExpiryChoice
}>

type NamedItem = Readonly<{ id: number; name: string }>

type ItemChoice = Readonly<{
  /** All items, or search results that are not selected. */
  items: readonly NamedItem[]
  isSearched: boolean
  /** Number of items of the account, and of search results. */
  total: number
  found: number
  /** Items selected before. `moreIds` are the IDs of those beyond the maximum. */
  chosen: readonly NamedItem[]
  moreIds: readonly string[]
}>

type Shown = Readonly<{
  /** Submitting the form twice creates one key. */
  formId: string
  form: NewKeyForm
  problem?: Problem
  /** Whether the form was submitted by the search, which then has the focus. */
  isSearch?: boolean
  /** Set if the form was sent without the password, or with a wrong one. */
  password?: PasswordPrompt
}>

type Props = Shown &
  Readonly<{ view: View; choice: ItemChoice; password: PasswordPrompt; isConfirming: boolean }>

const NewKeyPage = (props: Props) => {
  const { view, formId, form, choice, problem, isSearch = false, password, isConfirming } = props
  const texts = view.texts.keys.new
  return (
    <WorkspacePage
      view={view}
      title={view.texts.keys.create}
      problem={problem?.text ?? password.problem}
    >
      <PostForm view={view} action={newKeyPath}>
        <input type="hidden" name="form_id" value={formId} />
        {/* Enter in a field activates the first button of a form. Without this button, that is the search. */}
        {choice.isSearched && (
          <button type="submit" class="visually-hidden" tabindex={-1} aria-hidden="true">
            {view.texts.keys.confirm.submit.create}
          </button>
        )}
        <Choices
          name="kind"
          legend={texts.kind}
          chosen={form.kind}
          choices={issuedKinds.map((kind) => ({
            value: kind,
            label: texts.choices[kind],
            note: describeKey(view.texts.keys, { kind, itemIds: null, isSiteRequired: false }),
          }))}
        />
        <Field
          name="name"
          label={view.texts.columns.name}
          value={form.name}
          hint={texts.nameHint}
          autocomplete="off"
          maxlength={keyNameCharactersMax}
          isRequired
          error={problem?.field === "name" ? problem.text : null}
        />
        <div class="vk-only">
          <Choices
            name="scope"
            legend={texts.items}
            chosen={form.scope}
            choices={[
              { value: "all", label: texts.all },
              { value: "some", label: texts.some },
            ]}
          />
          <ItemTicks
            view={view}
            form={form}
            choice={choice}
            isSearch={isSearch}
            error={problem?.field === "items" ? problem.text : null}
          />
          <div class="choices">
            <label class="choice">
              <input type="checkbox" name="requires_site" value="1" checked={form.isSiteRequired} />
              {texts.requiresSite}
            </label>
          </div>
        </div>
        <Select
          name="expiry"
          label={view.texts.keys.expires}
          options={expiryChoices.map((each) => [each, texts.expiries[each]])}
          chosen={form.expiry}
        />
        <ConfirmActions
          view={view}
          password={password}
          submit={view.texts.keys.confirm.submit.create}
          back={keysPath}
          isFocused={isConfirming}
        />
      </PostForm>
    </WorkspacePage>
  )
}

type ItemTicksProps = Pick<Props, "view" | "form" | "choice"> &
  Readonly<{ isSearch: boolean; error: string | null }>

const ItemTicks = ({ view, form, choice, isSearch, error }: ItemTicksProps) => {
  const texts = view.texts.keys.new
  const { items, isSearched, chosen, moreIds } = choice
  return (
    <fieldset class="choices" aria-describedby={error === null ? undefined : "items-error"}>
      <legend class="visually-hidden">{texts.some}</legend>
      <Ticks items={chosen} isTicked={() => true} />
      {moreIds.length > 0 && (
        <>
          <input type="hidden" name="items" value={moreIds.join(",")} />
          <p class="hint">{view.texts.keyPages.usage.moreItems(moreIds.length)}</p>
        </>
      )}
      {isSearched && (
        <ItemSearchField view={view} form={form} choice={choice} isSearch={isSearch} />
      )}
      <Ticks items={items} isTicked={(id) => form.itemIds.includes(String(id))} />
      {error !== null && (
        <p class="error" id="items-error" tabindex={-1} autofocus>
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** The button submits the whole form, so the results page keeps all fields. */
const ItemSearchField = (props: Omit<ItemTicksProps, "error">) => {
  const { view, form, choice, isSearch } = props
  const { search } = form
  const texts = view.texts.items
  return (
    <>
      <div class="filter">
        <Field
          name="q"
          label={texts.search}
          type="search"
          value={search}
          autocomplete="off"
          maxlength={searchUnitsMax}
          isFocused={isSearch}
        />
        <input type="hidden" name="searched" value={search} />
        <button type="submit" class="quiet" name="search" value="" formnovalidate>
          {view.texts.search.title}
        </button>
      </div>
      <p class="hint" role="status">
        {choice.found === 0
          ? texts.noMatch(search)
          : view.texts.keys.new.shown(
              Math.min(choice.found, resultsMax),
              search === "" ? choice.total : choice.found,
            )}
      </p>
    </>
  )
}

type TicksProps = Readonly<{ items: readonly NamedItem[]; isTicked(id: number): boolean }>

const Ticks = ({ items, isTicked }: TicksProps) =>
  items.map(({ id, name }) => (
    <label class="choice">
      <input type="checkbox" name="items" value={id} checked={isTicked(id)} />
      <span class="clamp">
        <bdi>{displayName(name, id)}</bdi>
      </span>
    </label>
  ))
