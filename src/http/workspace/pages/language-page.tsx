import { locales } from "../../api/answer/messages.ts"
import { Choices, TokenField } from "../../pages/parts/fields.tsx"
import { SettingsPage } from "../../pages/parts/workspace-layout.tsx"
import { catalogues, type View } from "../../pages/view.ts"

export const LanguagePage = ({ view }: { view: View }) => {
  const words = view.words.languagePage
  return (
    <SettingsPage view={view} title={words.title}>
      <form method="post" action="/workspace/settings/language">
        <TokenField view={view} />
        <Choices
          name="locale"
          legend={words.label}
          hint={words.note}
          chosen={view.locale}
          choices={locales.map((value) => ({ value, label: catalogues[value].language }))}
        />
        <button type="submit">{view.words.save}</button>
      </form>
    </SettingsPage>
  )
}
