import type { KeyFacts } from "../../pages/key-facts.ts"
import { pathOfKey } from "../../pages/key-paths.ts"
import { TokenField } from "../../pages/parts/fields.tsx"
import type { View } from "../../pages/view.ts"

const revealFormId = "reveal"

/** One form for the buttons of all menus on the page: each says which key it reveals. */
export const RevealForm = ({ view }: { view: View }) => (
  <form method="post" id={revealFormId}>
    <TokenField view={view} />
    <input type="hidden" name="page" value="list" />
  </form>
)

/** The actions of a key that works, at the end of its row. */
export const KeyMenu = ({ view, facts }: { view: View; facts: KeyFacts }) => {
  const { key, state } = facts
  const words = view.words.keys
  const path = pathOfKey(key.id)
  return (
    <details class="row-menu" name="row-menu">
      <summary aria-label={view.words.keyPages.table.menu(key.name)}>⋯</summary>
      <div class="actions">
        <button type="submit" class="quiet" form={revealFormId} formaction={`${path}/reveal`}>
          {words.reveal}
        </button>
        {state === "active" && (
          <a class="button quiet" href={`${path}/replace`}>
            {words.one.replace}
          </a>
        )}
        <a class="button quiet" href={`${path}/revoke`}>
          {words.one.revoke}
        </a>
      </div>
    </details>
  )
}
