import {
  type IssuedKind,
  issuedKinds,
  keyNameCharactersMax,
} from "../../../../domain/keys/api-key.ts"
import type { PasswordAsk } from "../../../pages/ask-password.ts"
import { keysPath } from "../../../pages/key-paths.ts"
import { Choices, Field, TokenField } from "../../../pages/parts/fields.tsx"
import { describeKey } from "../../../pages/parts/key-state.tsx"
import { shownName } from "../../../pages/parts/name.ts"
import { PasswordField } from "../../../pages/parts/password-field.tsx"
import type { View } from "../../../pages/view.ts"
import { KeyLayout } from "../../parts/key-layout.tsx"

export const expiryChoices = ["never", "30", "90", "365"] as const
export type ExpiryChoice = (typeof expiryChoices)[number]

/** The form as typed; shown again when something has to be fixed. */
export type NewKeyForm = Readonly<{
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

export const NewKeyPage = ({ view, formId, form, items, problem, password }: Props) => {
  const words = view.words.keys.new
  return (
    <KeyLayout view={view} title={words.title} problem={problem?.text}>
      <form method="post" action={keysPath}>
        <TokenField view={view} />
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
          <label for="expiry">{words.expiry}</label>
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
          <button type="submit">{words.submit}</button>
          <a href={keysPath}>{view.words.cancel}</a>
        </p>
      </form>
    </KeyLayout>
  )
}

const ItemChoice = ({
  view,
  form,
  items,
  error,
}: Pick<Props, "view" | "form" | "items"> & { error: string | null }) => {
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
