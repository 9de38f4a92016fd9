import { secondsAfter } from "../../../../domain/values/time/date-arithmetic.ts"
import { type Overlap, overlapSeconds } from "../../../../operations/keys/rotate-key.ts"
import type { PasswordAsk } from "../../../pages/ask-password.ts"
import type { KeyFacts } from "../../../pages/key-facts.ts"
import { pathOfKey } from "../../../pages/key-paths.ts"
import { Choices, TokenField } from "../../../pages/parts/fields.tsx"
import { PasswordField } from "../../../pages/parts/password-field.tsx"
import { SentenceWithTime } from "../../../pages/parts/values.tsx"
import type { View } from "../../../pages/view.ts"
import { KeyLayout } from "../../parts/key-layout.tsx"
import { KeySummary } from "../../parts/key-numbers.tsx"

const overlaps: readonly Overlap[] = ["0", "1h", "1d", "7d"]

type Props = Readonly<{
  view: View
  facts: KeyFacts
  mask: string
  formId: string
  now: Date
  hasNoRoom: boolean
  password: PasswordAsk
}>

export const ReplaceKeyPage = (props: Props) => {
  const { view, facts, mask, formId, now, hasNoRoom, password } = props
  const words = view.words.keys.replace
  const problem = hasNoRoom ? words.noRoom : null
  return (
    <KeyLayout view={view} title={words.title(facts.key.name)} problem={problem} about={facts.key}>
      {problem !== null && <p class="notice warning">{problem}</p>}
      <KeySummary view={view} facts={facts} mask={mask} />
      <p>{words.why}</p>
      <form method="post" action={`${pathOfKey(facts.key.id)}/replace`}>
        <TokenField view={view} />
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
      </form>
    </KeyLayout>
  )
}
