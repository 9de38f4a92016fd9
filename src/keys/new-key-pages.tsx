import { routes } from "../access/paths.ts"
import { issuedKinds, keyScopes } from "../contract/operation.ts"
import { ConfirmActions, type PasswordPrompt, passwordsOf } from "../people/password-pages.tsx"
import {
  createForm,
  type Form,
  findFormId,
  type PageApp,
  type PageContext,
  type View,
} from "../platform/pages/context.ts"
import { displayName } from "../platform/pages/elements.tsx"
import { Choices, Field, PostForm, Select, searchUnitsMax } from "../platform/pages/form-fields.tsx"
import { WorkspacePage } from "../platform/pages/layout.tsx"
import type { PageTexts } from "../platform/pages/translations/texts.ts"
import { daySeconds, secondsAfter } from "../platform/time.ts"
import type { WorkspaceServices } from "../workspace/services.ts"
import { keyNameCharactersMax, liveKeysMax } from "./key.ts"
import { issueKey, KeyLimitReached } from "./key-operations.ts"
import { createKeyPages } from "./key-pages.tsx"
import { describeKey } from "./key-table.tsx"

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

export function addNewKeyRoutes(app: PageApp, services: WorkspaceServices): void {
  const { createOnce } = createKeyPages(services)
  const { promptFor, requirePassword } = passwordsOf(services)

  async function show(c: PageContext, shown: Shown): Promise<Response> {
    const { formId, form, problem, isSearch = false } = shown
    const { view, account } = c.var
    const { confirm, create, expires, new: texts } = view.texts.keys
    const choice = await findChoice(services, account.id, form)
    const password = shown.password ?? (await promptFor(c))
    const errorOf = (field: Problem["field"]) => (problem?.field === field ? problem.text : null)
    const page = (
      <WorkspacePage view={view} title={create} problem={problem?.text ?? password.problem}>
        <PostForm view={view} action={view.paths.newKey}>
          <input type="hidden" name="form_id" value={formId} />
          {/* Enter in a field activates the first button of a form. Without this button, that is the search. */}
          {choice.isSearched && (
            <button type="submit" class="visually-hidden" tabindex={-1} aria-hidden="true">
              {confirm.submit.create}
            </button>
          )}
          <Choices
            name="kind"
            legend={texts.kind}
            chosen={form.kind}
            choices={issuedKinds.map((kind) => ({
              value: kind,
              label: texts.choices[kind],
              note: describeKey(view.texts.keys, {
                kind,
                itemIds: null,
                isSiteRequired: false,
                scope: null,
              }),
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
            error={errorOf("name")}
          />
          <div class="sk-only">
            <Choices
              name="access"
              legend={texts.access}
              chosen={form.access}
              choices={([everything, ...keyScopes] as const).map((value) => {
                const { name, about } = view.texts.keys.scopes[value]
                return { value, label: name, note: about }
              })}
            />
          </div>
          <div class="vk-only">
            <Choices
              name="scope"
              legend={texts.items}
              chosen={form.scope}
              choices={(["all", "some"] as const).map((value) => ({ value, label: texts[value] }))}
            />
            <ItemTicks {...{ view, form, choice, isSearch }} error={errorOf("items")} />
            <div class="choices">
              <label class="choice">
                <input
                  type="checkbox"
                  name="requires_site"
                  value="1"
                  checked={form.isSiteRequired}
                />
                {texts.requiresSite}
              </label>
            </div>
          </div>
          <Select
            name="expiry"
            label={expires}
            options={expiries.map((each) => [each, texts.expiries[each]])}
            chosen={form.expiry}
          />
          <ConfirmActions
            {...{ view, password }}
            submit={confirm.submit.create}
            back={view.paths.keys}
            isFocused={shown.password !== undefined}
          />
        </PostForm>
      </WorkspacePage>
    )
    return c.html(page, problem || shown.password ? 422 : 200)
  }

  app.get(routes.newKey, (c) => {
    const form = parseNewKey(createForm({ kind: c.req.query("kind") }))
    return show(c, { formId: services.tokens.create(), form })
  })

  app.post(routes.newKey, async (c) => {
    const { account, actor, form: sent, view } = c.var
    const form = parseNewKey(sent)
    const formId = findFormId(sent)
    if (formId === null) return c.redirect(view.paths.newKey, 303)
    // Enter in the search field submits the form before the new text was searched.
    if (sent.list("search").length > 0 || sent.text("q").trim() !== sent.text("searched")) {
      return show(c, { formId, form: { ...form, scope: "some" }, isSearch: true })
    }
    const texts = view.texts.keys.new
    const problem = await findProblem(services, account.id, form, texts)
    if (problem !== null) return show(c, { formId, form, problem })
    const confirmation = await requirePassword(c, WorkspacePage, (password) =>
      show(c, { formId, form, password }),
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

/**
 * All items, or search results that are not selected. `found` is the number of results, selected ones included;
 * `moreIds` are the IDs of selected items beyond the maximum.
 */
async function findChoice(
  { itemSearch }: WorkspaceServices,
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

type ItemTicksProps = Readonly<{
  view: View
  form: NewKeyForm
  choice: Awaited<ReturnType<typeof findChoice>>
  isSearch: boolean
  error: string | null
}>

const ItemTicks = ({ view, form, choice, isSearch, error }: ItemTicksProps) => {
  const { items: texts, keys, keyPages, search } = view.texts
  const { found, hasMore, moreIds } = choice
  const ticks = (
    items: readonly (typeof choice.items)[number][],
    isTicked: (id: number) => boolean,
  ) =>
    items.map(({ id, name }) => (
      <label class="choice">
        <input type="checkbox" name="items" value={id} checked={isTicked(id)} />
        <span class="clamp">
          <bdi>{displayName(name, id)}</bdi>
        </span>
      </label>
    ))
  return (
    <fieldset class="choices" aria-describedby={error === null ? undefined : "items-error"}>
      <legend class="visually-hidden">{keys.new.some}</legend>
      {ticks(choice.chosen, () => true)}
      {moreIds.length > 0 && (
        <>
          <input type="hidden" name="items" value={moreIds.join(",")} />
          <p class="hint">{keyPages.usage.moreItems(moreIds.length)}</p>
        </>
      )}
      {choice.isSearched && (
        <>
          <div class="filter">
            <Field
              name="q"
              label={texts.search}
              type="search"
              value={form.search}
              autocomplete="off"
              maxlength={searchUnitsMax}
              isFocused={isSearch}
            />
            <input type="hidden" name="searched" value={form.search} />
            {/* Submits the whole form, so that the page of results keeps all fields. */}
            <button type="submit" class="quiet" name="search" value="" formnovalidate>
              {search.title}
            </button>
          </div>
          <p class="hint" role="status">
            {found === 0 ? texts.noMatch(form.search) : keys.new.shown(found, hasMore)}
          </p>
        </>
      )}
      {ticks(choice.items, (id) => form.itemIds.includes(String(id)))}
      {error !== null && (
        <p class="error" id="items-error" tabindex={-1} autofocus>
          {error}
        </p>
      )}
    </fieldset>
  )
}
