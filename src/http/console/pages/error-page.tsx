import type { ErrorStatus } from "../../pages/parts/error-page.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { consolePath } from "../frame/console-paths.ts"
import { ConsolePage, ConsolePublicPage } from "../parts/console-layout.tsx"

type Props = Readonly<{ view: ConsoleView; status: ErrorStatus }>

/** A signed-in operator keeps the navigation. */
export const ConsoleErrorPage = ({ view, status }: Props) => {
  const { errors } = view.words
  const Page = view.operator === null ? ConsolePublicPage : ConsolePage
  return (
    <Page view={view} title={errors[status].title}>
      <p class="hint">{status}</p>
      <p>{errors[status].text}</p>
      <p class="actions">
        <a href={consolePath}>{view.texts.toStatus}</a>
      </p>
    </Page>
  )
}
