import type { ErrorStatus } from "../../workspace/pages/error-page.tsx"
import type { ConsoleView } from "../console-context.ts"
import { consolePath } from "../console-paths.ts"
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
