/** Pages that confirm a change of a key. Each change requires a recent password. */
import type { Child } from "hono/jsx"
import { isLive, type StoredKey } from "../../../domain/keys/api-key.ts"
import { secondsAfter } from "../../../domain/values/time/timestamp.ts"
import { type Overlap, overlapSeconds } from "../../../operations/keys/issue-key.ts"
import { type AuthorContext, identityOf, viewOf } from "../../pages/author-context.ts"
import { Choices, PostForm } from "../../pages/components/form-fields.tsx"
import { NamedLink, SentenceWithTime } from "../../pages/components/formatted-values.tsx"
import { InactiveKeyNotice, type NamedKey } from "../../pages/components/key-state.tsx"
import { ConfirmActions, NoPassword } from "../../pages/components/password-fields.tsx"
import { WorkspacePage } from "../../pages/components/workspace-layout.tsx"
import { type PasswordPrompt, passwordsOf } from "../../pages/confirm-password.ts"
import { type KeyFacts, requestsOfWeek } from "../../pages/key-facts.ts"
import { pathOfKey } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"
import type { WorkspaceServices } from "../../pages/workspace-services.ts"
import { KeySummary } from "./key-numbers.tsx"

/** Null if the password is confirmed. Otherwise `show` returns the form with a password field. */
export async function requirePassword(
  c: AuthorContext,
  services: WorkspaceServices,
  show: (password: PasswordPrompt) => Promise<Response>,
): Promise<Response | null> {
  const { confirm, hasPassword } = passwordsOf(services, identityOf)
  const password = await confirm(c)
  if (password === null) return null
  return (await hasPassword(c)) ? show(password) : c.html(<NoPasswordPage view={viewOf(c)} />, 422)
}

export const NoPasswordPage = ({ view }: { view: View }) => (
  <WorkspacePage view={view} title={view.texts.keys.confirm.signInAgain}>
    <NoPassword view={view} />
  </WorkspacePage>
)

export type KeyChange = "rotate" | "leak" | "revoke" | "reveal"

type Props = Readonly<{
  view: View
  change: KeyChange
  facts: KeyFacts
  mask: string
  /** Null unless the key was rotated. */
  successor: NamedKey | null
  /** Submitting the form twice creates one key. */
  formId: string
  overlap: Overlap
  isOverKeyLimit: boolean
  password: PasswordPrompt
  isFocused: boolean
  now: Date
}>

type Confirmation = Readonly<{
  title: string
  texts: readonly string[]
  /** The last part of the URL to which the form is sent. */
  path: string
  fields?: Child
  submit: string
  isDangerous?: boolean
}>

export const KeyChangePage = (props: Props) => {
  const { view, change, facts, mask, successor, isOverKeyLimit, password, isFocused } = props
  const { key, state } = facts
  const { title, texts, path, fields, ...end } = confirmations[change](props)
  const problem = isOverKeyLimit ? view.texts.keys.rotate.keyLimit : null
  return (
    <WorkspacePage view={view} title={title} problem={problem ?? password.problem}>
      <p class="crumb">
        <NamedLink href={pathOfKey(key.id)} name={key.name} />
      </p>
      {problem !== null && <p class="notice warning">{problem}</p>}
      {change === "leak" && <InactiveKeyNotice view={view} facts={facts} successor={successor} />}
      <KeySummary view={view} facts={facts} mask={mask} />
      {texts.map((text) => (
        <p>{text}</p>
      ))}
      {isLive(state) ? (
        <PostForm view={view} action={`${pathOfKey(key.id)}/${path}`}>
          {fields}
          <ConfirmActions
            view={view}
            password={password}
            {...end}
            back={pathOfKey(key.id)}
            isFocused={isFocused}
          />
        </PostForm>
      ) : (
        <p>
          <a href={pathOfKey(key.id)}>{view.texts.keyPages.leak.open}</a>
        </p>
      )}
    </WorkspacePage>
  )
}

const confirmations: Readonly<Record<KeyChange, (props: Props) => Confirmation>> = {
  rotate: (props) => {
    const { rotate, confirm } = props.view.texts.keys
    return {
      title: rotate.title(props.facts.key.name),
      texts: [rotate.why],
      path: "replace",
      fields: (
        <>
          <input type="hidden" name="form_id" value={props.formId} />
          <Overlaps {...props} />
        </>
      ),
      submit: confirm.submit.rotate,
    }
  },
  /** A key can be rotated once. A rotated key can only be revoked. */
  leak: ({ view, facts: { key, state, usage }, formId }) => {
    const texts = view.texts.keyPages.leak
    const isFirst = state === "active"
    return {
      title: texts.title(key.name),
      texts: isLive(state)
        ? [
            texts.danger[key.kind === "imported" ? "sk" : key.kind],
            texts.impact(requestsOfWeek(usage), usage?.ipRanges ?? 0),
          ]
        : [texts.inactive],
      path: isFirst ? "replace" : "revoke",
      fields: (
        <>
          <input type="hidden" name="form_id" value={formId} />
          <input type="hidden" name="overlap" value="0" />
          <input type="hidden" name="leaked" value="yes" />
        </>
      ),
      submit: isFirst ? texts.rotate : texts.revoke,
      isDangerous: true,
    }
  },
  revoke: ({ view, facts: { key, usage } }) => {
    const { revoke, confirm } = view.texts.keys
    return {
      title: revoke.title(key.name),
      texts: [revoke.why(requestsOfWeek(usage))],
      path: "revoke",
      submit: confirm.submit.revoke,
      isDangerous: true,
    }
  },
  reveal: ({ view }) => {
    const { title, why, submit } = view.texts.keys.confirm
    return { title, texts: [why], path: "reveal", submit: submit.reveal }
  },
}

const overlaps: readonly Overlap[] = ["0", "1h", "1d", "7d"]

/** Overlap periods that outlast the key all end with it, so only the first of them is offered. */
function listOverlaps({ expiresAt }: StoredKey, now: Date) {
  const ends = overlaps.map((value) => {
    const at = secondsAfter(now, overlapSeconds[value])
    const isExpiry = expiresAt !== null && expiresAt <= at
    return { value, at: isExpiry ? expiresAt : at, isExpiry }
  })
  return ends.filter((_, index) => !ends[index - 1]?.isExpiry)
}

const Overlaps = ({ view, facts, overlap, now }: Props) => {
  const texts = view.texts.keys.rotate
  const ends = listOverlaps(facts.key, now)
  const chosen = ends.find(({ value }) => value === overlap) ?? ends.at(-1)
  const labelOf = ({ value, at, isExpiry }: (typeof ends)[number]) => {
    const name = isExpiry ? texts.untilExpiry : texts.overlaps[value]
    if (value === "0") return texts.overlaps[value]
    const sentence = (when: string) => `${name} (${when})`
    return <SentenceWithTime view={view} at={at} form="datetime" sentence={sentence} />
  }
  return (
    <Choices
      name="overlap"
      legend={texts.overlap}
      chosen={chosen?.value ?? "0"}
      choices={ends.map((end) => ({ value: end.value, label: labelOf(end) }))}
    />
  )
}
