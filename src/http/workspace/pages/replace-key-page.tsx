import type { Overlap } from "../../../operations/rotate-key.ts"
import type { KeyFacts } from "../key-facts.ts"
import { pathOfKey } from "../key-paths.ts"
import { Choices, TokenField } from "../parts/fields.tsx"
import { KeyLayout } from "../parts/key-layout.tsx"
import type { View } from "../view.ts"

/** Stopping at once is the exception, and last. */
const overlaps: readonly Overlap[] = ["1h", "1d", "7d", "0"]

type Props = Readonly<{ view: View; facts: KeyFacts; formId: string }>

export const ReplaceKeyPage = ({ view, facts, formId }: Props) => {
  const words = view.words.keys.replace
  return (
    <KeyLayout view={view} title={words.title(facts.key.name)}>
      <p>{words.why}</p>
      <p>{words.use(facts.usage?.callsLastDay ?? 0)}</p>
      <form method="post" action={`${pathOfKey(facts.key.id)}/replace`}>
        <TokenField view={view} />
        <input type="hidden" name="form_id" value={formId} />
        <Choices
          name="overlap"
          legend={words.overlap}
          chosen="1d"
          choices={overlaps.map((value) => ({ value, label: words.overlaps[value] }))}
        />
        <p class="actions">
          <button type="submit">{words.submit}</button>
          <a href={pathOfKey(facts.key.id)}>{view.words.cancel}</a>
        </p>
      </form>
    </KeyLayout>
  )
}
