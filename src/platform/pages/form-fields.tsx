import type { Child } from "hono/jsx"
import { currentView } from "./context.ts"

type FormProps = Readonly<{
  action?: string
  class?: string
  id?: string
  role?: "status"
  hidden?: boolean
  "data-submits"?: string | undefined
  children?: Child
}>

/** A form that changes something. It contains the token without which forms are rejected. */
export const PostForm = ({ children, ...attributes }: FormProps) => (
  <form method="post" {...attributes}>
    <input type="hidden" name="form_token" value={currentView().formToken} />
    {children}
  </form>
)

export const QuietButton = ({
  children,
  ...attributes
}: Readonly<{ formaction?: string; name?: string; value?: string; children?: Child }>) => (
  <button type="submit" class="quiet" {...attributes}>
    {children}
  </button>
)

export const searchUnitsMax = 200

/** Longer pasted texts are truncated; most messages are shorter. */
export const pastedUnitsMax = 10_000

type FieldProps = Readonly<{
  name: string
  label: string
  type?: "text" | "password" | "search"
  value?: string
  autocomplete?: string
  hint?: string | undefined
  error?: string | null | undefined
  maxlength?: number
  isRequired?: boolean
  isFocused?: boolean
  describedBy?: string | undefined
}>

/** The first field with an error has the focus. */
export const Field = ({ label, hint, error, describedBy = "", ...input }: FieldProps) => {
  const { name, type = "text", isRequired, isFocused, ...attributes } = input
  const hintId = hint === undefined ? "" : `${name}-hint`
  const errorId = error ? `${name}-error` : ""
  const described = [hintId, errorId, describedBy].filter((id) => id !== "")
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        {...attributes}
        required={isRequired}
        autofocus={error || isFocused ? true : undefined}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={described.join(" ") || undefined}
        spellcheck={false}
        autocapitalize="none"
      />
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  )
}

type SelectProps = Readonly<{
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen: string
}>

export const Select = ({ name, label, options, chosen }: SelectProps) => (
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

type ChoicesProps = Readonly<{
  name: string
  legend: string
  choices: readonly Readonly<{ value: string; label: Child; note?: string }>[]
  chosen: string
  hint?: string
}>

export const Choices = ({ name, legend, choices, chosen, hint }: ChoicesProps) => (
  <fieldset class="choices">
    <legend>{legend}</legend>
    {hint !== undefined && <p class="hint">{hint}</p>}
    {choices.map(({ value, label, note }) => (
      <label class="choice">
        <input type="radio" name={name} value={value} checked={value === chosen} />
        <span>
          {label}
          {note !== undefined && <span class="hint">{note}</span>}
        </span>
      </label>
    ))}
  </fieldset>
)
