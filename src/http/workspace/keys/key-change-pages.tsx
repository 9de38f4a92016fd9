import { isLive } from "../../../domain/keys/api-key.ts"
import { secondsAfter } from "../../../domain/values/time/timestamp.ts"
import { type Overlap, overlapSeconds } from "../../../operations/keys/issue-key.ts"
import type { PasswordAsk } from "../../pages/ask-password.ts"
import type { KeyFacts } from "../../pages/key-facts.ts"
import { Choices, PostForm } from "../../pages/parts/fields.tsx"
import { EndNotice, type NamedKey } from "../../pages/parts/key-state.tsx"
import { PasswordField } from "../../pages/parts/passwords.tsx"
import { SentenceWithTime } from "../../pages/parts/values.tsx"
import { pathOfKey } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"
import { KeyLayout, KeySummary } from "./key-parts.tsx"

type Props = Readonly<{
  view: View
  facts: KeyFacts
  mask: string
  /** The key that replaced it; null when there is none. */
  successor: NamedKey | null
  formId: string
  password: PasswordAsk
}>

/** Says what an attacker can do and what will break, and stops the key with one click. */
export const LeakedKeyPage = (props: Props) => {
  const { view, facts, mask, successor } = props
  const { key, state, usage } = facts
  const words = view.words.keyPages.leak
  return (
    <KeyLayout view={view} title={words.title(key.name)} about={key}>
      <EndNotice view={view} facts={facts} successor={successor} />
      <KeySummary view={view} facts={facts} mask={mask} />
      {isLive(state) ? (
        <>
          <p>{words.danger[key.kind === "imported" ? "sk" : key.kind]}</p>
          <p>{words.breaks(usage?.callsLastDay ?? 0, usage?.networks ?? 0)}</p>
          <StopForm {...props} />
        </>
      ) : (
        <>
          <p>{words.over}</p>
          <p>
            <a href={pathOfKey(key.id)}>{words.open}</a>
          </p>
        </>
      )}
    </KeyLayout>
  )
}

/** A key is replaced once: the second time it is revoked. */
const StopForm = ({ view, facts: { key, state }, formId, password }: Props) => {
  const words = view.words.keyPages.leak
  const isFirst = state === "active"
  return (
    <PostForm view={view} action={`${pathOfKey(key.id)}/${isFirst ? "replace" : "revoke"}`}>
      <input type="hidden" name="form_id" value={formId} />
      <input type="hidden" name="overlap" value="0" />
      <PasswordField view={view} password={password} />
      <p class="actions">
        <button type="submit" class="danger">
          {isFirst ? words.replace : words.revoke}
        </button>
        <a href={pathOfKey(key.id)}>{view.words.cancel}</a>
      </p>
    </PostForm>
  )
}

const overlaps: readonly Overlap[] = ["0", "1h", "1d", "7d"]

type ReplaceKeyPageProps = Readonly<{
  view: View
  facts: KeyFacts
  mask: string
  formId: string
  now: Date
  hasNoRoom: boolean
  password: PasswordAsk
}>

export const ReplaceKeyPage = (props: ReplaceKeyPageProps) => {
  const { view, facts, mask, formId, now, hasNoRoom, password } = props
  const words = view.words.keys.replace
  const problem = hasNoRoom ? words.noRoom : null
  return (
    <KeyLayout view={view} title={words.title(facts.key.name)} problem={problem} about={facts.key}>
      {problem !== null && <p class="notice warning">{problem}</p>}
      <KeySummary view={view} facts={facts} mask={mask} />
      <p>{words.why}</p>
      <PostForm view={view} action={`${pathOfKey(facts.key.id)}/replace`}>
        <input type="hidden" name="form_id" value={formId} />
        <Choices
          name="overlap"
          legend={words.overlap}
          chosen="1d"
          choices={overlaps.map((value) => ({
            value,
            label:
              value === "0" ? (
                words.overlaps[value]
              ) : (
                <SentenceWithTime
                  view={view}
                  at={secondsAfter(now, overlapSeconds[value])}
                  form="moment"
                  tell={(when) => `${words.overlaps[value]} (${when})`}
                />
              ),
          }))}
        />
        <PasswordField view={view} password={password} />
        <p class="actions">
          <button type="submit">{words.submit}</button>
          <a href={pathOfKey(facts.key.id)}>{view.words.cancel}</a>
        </p>
      </PostForm>
    </KeyLayout>
  )
}

type RevokeKeyPageProps = Readonly<{
  view: View
  facts: KeyFacts
  mask: string
  password: PasswordAsk
}>

export const RevokeKeyPage = ({ view, facts, mask, password }: RevokeKeyPageProps) => {
  const words = view.words.keys.revoke
  return (
    <KeyLayout view={view} title={words.title(facts.key.name)} about={facts.key}>
      <KeySummary view={view} facts={facts} mask={mask} />
      <p>{words.why(facts.usage?.callsLastDay ?? 0)}</p>
      <PostForm view={view} action={`${pathOfKey(facts.key.id)}/revoke`}>
        <PasswordField view={view} password={password} />
        <p class="actions">
          <button type="submit" class="danger">
            {words.submit}
          </button>
          <a href={pathOfKey(facts.key.id)}>{view.words.cancel}</a>
        </p>
      </PostForm>
    </KeyLayout>
  )
}
