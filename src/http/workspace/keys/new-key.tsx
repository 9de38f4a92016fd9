import type { Account } from "../../../domain/catalogue/account.ts"
import {
  type IssuedKind,
  issuedKinds,
  keyNameCharactersMax,
  liveKeysMax,
} from "../../../domain/keys/api-key.ts"
import { daySeconds, secondsAfter } from "../../../domain/values/time/timestamp.ts"
import { issueKey, KeyLimitReached } from "../../../operations/keys/issue-key.ts"
import type { PasswordAsk } from "../../pages/ask-password.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import type { Form } from "../../pages/page-context.ts"
import { Choices, Field, PostForm } from "../../pages/parts/fields.tsx"
import { describeKey } from "../../pages/parts/key-state.tsx"
import { PasswordField } from "../../pages/parts/passwords.tsx"
import { shownName } from "../../pages/parts/values.tsx"
import { keysPath, newKeyPath } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { askPassword, findFormId, findPasswordAsk, makeOnce, showMade } from "./key-actions.tsx"
import { KeyLayout } from "./key-parts.tsx"

/** More items than this are chosen by typing their ids. */
const tickableMax = 60

type Problem = Readonly<{ field: "name" | "items"; text: string }>

export function addNewKeyRoutes(app: AuthorApp, services: WorkspaceServices): void {
  app.get(newKeyPath, (c) => {
    const kind = issuedKinds.find((each) => each === c.req.query("kind")) ?? "sk"
    const form: NewKeyForm = { kind, name: "", scope: "all", itemIds: [], expiry: "never" }
    return showNewKey(c, services, { formId: services.tokens.create(), form, problem: null })
  })
  app.post(keysPath, createNewKeyAction(services))
}

async function showNewKey(
  c: AuthorContext,
  services: WorkspaceServices,
  shown: Readonly<{ formId: string; form: NewKeyForm; problem: Problem | null }>,
): Promise<Response> {
  const { itemSearch } = services
  const { id } = visitorOf(c).account
  const { visible, hidden } = await itemSearch.count(id)
  const query = { text: "", sort: "name", offset: 0, rowsMax: tickableMax } as const
  const items = visible + hidden > tickableMax ? null : (await itemSearch.search(id, query)).items
  const password = await findPasswordAsk(c, services)
  const page = <NewKeyPage view={viewOf(c)} items={items} password={password} {...shown} />
  return c.html(page, shown.problem === null ? 200 : 422)
}

function createNewKeyAction(services: WorkspaceServices) {
  const { items, now } = services

  async function findProblem(
    c: AuthorContext,
    account: Account,
    form: NewKeyForm,
  ): Promise<Problem | null> {
    const words = viewOf(c).words.keys.new
    if (form.name === "") return { field: "name", text: words.emptyName }
    if ([...form.name].length > keyNameCharactersMax) {
      return { field: "name", text: words.longName(keyNameCharactersMax) }
    }
    if (!isLimited(form)) return null
    if (form.itemIds.length === 0) return { field: "items", text: words.badItems }
    const found = await Promise.all(
      form.itemIds.map((id) => (isItemId(id) ? items.find(account.id, Number(id)) : null)),
    )
    // The same words for another author's item and for one that never was.
    const strangers = form.itemIds.filter((_, index) => found[index] === null)
    return strangers.length === 0 ? null : { field: "items", text: words.notYours(strangers) }
  }

  return async (c: AuthorContext) => {
    const { account } = visitorOf(c)
    const sent = c.get("form")
    const form = parseNewKey(sent)
    const formId = findFormId(sent)
    if (formId === null) return c.redirect(newKeyPath, 303)
    const problem = await findProblem(c, account, form)
    if (problem !== null) return showNewKey(c, services, { formId, form, problem })
    const asked = await askPassword(c, services, "create")
    if (asked !== null) return asked
    const options = {
      kind: form.kind,
      name: form.name,
      itemIds: isLimited(form) ? form.itemIds.map(Number) : null,
      expiresAt: expiryOf(form, now()),
    }
    const recording = services.keyServices(actorOf(c))
    try {
      const made = await makeOnce(services, account, formId, (id) =>
        issueKey(recording, account, options, id),
      )
      return await showMade(c, services, made, null)
    } catch (error) {
      if (!(error instanceof KeyLimitReached)) throw error
      const text = viewOf(c).words.keys.new.tooMany(liveKeysMax)
      return showNewKey(c, services, { formId, form, problem: { field: "name", text } })
    }
  }
}

const isItemId = (text: string) => /^\d+$/.test(text) && Number.isSafeInteger(Number(text))

/** Only a validation key chooses its items. */
const isLimited = ({ kind, scope }: NewKeyForm) => kind === "vk" && scope === "some"

function parseNewKey(form: Form): NewKeyForm {
  const kind: IssuedKind = issuedKinds.find((each) => each === form.text("kind")) ?? "sk"
  const itemIds = form
    .list("items")
    .flatMap((text) => text.replaceAll("\0", "").split(","))
    .map((text) => text.trim())
  return {
    kind,
    name: form.text("name").trim(),
    scope: form.text("scope") === "some" ? "some" : "all",
    itemIds: [...new Set(itemIds.filter((text) => text !== ""))],
    expiry: expiryChoices.find((each) => each === form.text("expiry")) ?? "never",
  }
}

function expiryOf({ expiry }: NewKeyForm, now: Date): string | null {
  if (expiry === "never") return null
  return secondsAfter(now, Number(expiry) * daySeconds)
}

const expiryChoices = ["never", "30", "90", "365"] as const
type ExpiryChoice = (typeof expiryChoices)[number]

/** The form as typed; shown again when something has to be fixed. */
type NewKeyForm = Readonly<{
  kind: IssuedKind
  name: string
  scope: "all" | "some"
  itemIds: readonly string[]
  expiry: ExpiryChoice
}>

type Props = Readonly<{
  view: View
  /** Sending the same form twice makes one key. */
  formId: string
  form: NewKeyForm
  /** The account's items to tick; null when there are too many to show. */
  items: readonly Readonly<{ id: number; name: string }>[] | null
  problem: Readonly<{ field: "name" | "items"; text: string }> | null
  password: PasswordAsk
}>

const NewKeyPage = ({ view, formId, form, items, problem, password }: Props) => {
  const words = view.words.keys.new
  return (
    <KeyLayout view={view} title={view.words.keys.create} problem={problem?.text}>
      <PostForm view={view} action={keysPath}>
        <input type="hidden" name="form_id" value={formId} />
        <Choices
          name="kind"
          legend={words.kind}
          chosen={form.kind}
          choices={issuedKinds.map((kind) => ({
            value: kind,
            label: words.choices[kind],
            note: describeKey(view.words.keys, { kind, itemIds: null }),
          }))}
        />
        <Field
          name="name"
          label={words.name}
          value={form.name}
          hint={words.nameHint}
          autocomplete="off"
          maxlength={keyNameCharactersMax}
          isRequired
          error={problem?.field === "name" ? problem.text : null}
        />
        <div class="vk-only">
          <Choices
            name="scope"
            legend={words.items}
            chosen={form.scope}
            choices={[
              { value: "all", label: words.all },
              { value: "some", label: words.some },
            ]}
          />
          <ItemChoice
            view={view}
            form={form}
            items={items}
            error={problem?.field === "items" ? problem.text : null}
          />
        </div>
        <div class="field">
          <label for="expiry">{view.words.keys.expires}</label>
          <select id="expiry" name="expiry">
            {expiryChoices.map((choice) => (
              <option value={choice} selected={choice === form.expiry}>
                {words.expiries[choice]}
              </option>
            ))}
          </select>
        </div>
        <PasswordField view={view} password={password} />
        <p class="actions">
          <button type="submit">{view.words.keys.confirm.submit.create}</button>
          <a href={keysPath}>{view.words.cancel}</a>
        </p>
      </PostForm>
    </KeyLayout>
  )
}

type ItemChoiceProps = Pick<Props, "view" | "form" | "items"> & { error: string | null }

const ItemChoice = ({ view, form, items, error }: ItemChoiceProps) => {
  const words = view.words.keys.new
  if (items === null) {
    return (
      <Field
        name="items"
        label={words.ids}
        value={form.itemIds.join(", ")}
        autocomplete="off"
        error={error}
      />
    )
  }
  return (
    <fieldset
      class="choices indented"
      aria-describedby={error === null ? undefined : "items-error"}
    >
      <legend class="visually-hidden">{words.some}</legend>
      {items.map(({ id, name }) => (
        <label class="choice">
          <input
            type="checkbox"
            name="items"
            value={id}
            checked={form.itemIds.includes(String(id))}
          />
          <span class="clamp">
            <bdi>{shownName(name, id)}</bdi>
          </span>
        </label>
      ))}
      {error !== null && (
        <p class="error" id="items-error" tabindex={-1} autofocus>
          {error}
        </p>
      )}
    </fieldset>
  )
}
