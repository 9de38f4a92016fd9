import type { PasswordAsk } from "../../../pages/ask-password.ts"
import type { KeyFacts } from "../../../pages/key-facts.ts"
import { pathOfKey } from "../../../pages/key-paths.ts"
import { TokenField } from "../../../pages/parts/fields.tsx"
import { PasswordField } from "../../../pages/parts/password-field.tsx"
import type { View } from "../../../pages/view.ts"
import { KeyLayout } from "../../parts/key-layout.tsx"
import { KeySummary } from "../../parts/key-numbers.tsx"

type Props = Readonly<{ view: View; facts: KeyFacts; mask: string; password: PasswordAsk }>

export const RevokeKeyPage = ({ view, facts, mask, password }: Props) => {
  const words = view.words.keys.revoke
  return (
    <KeyLayout view={view} title={words.title(facts.key.name)} about={facts.key}>
      <KeySummary view={view} facts={facts} mask={mask} />
      <p>{words.why(facts.usage?.callsLastDay ?? 0)}</p>
      <form method="post" action={`${pathOfKey(facts.key.id)}/revoke`}>
        <TokenField view={view} />
        <PasswordField view={view} password={password} />
        <p class="actions">
          <button type="submit" class="danger">
            {words.submit}
          </button>
          <a href={pathOfKey(facts.key.id)}>{view.words.cancel}</a>
        </p>
      </form>
    </KeyLayout>
  )
}
