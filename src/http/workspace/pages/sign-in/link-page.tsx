import { linkPath } from "../../../pages/link-path.ts"
import { TokenField } from "../../../pages/parts/fields.tsx"
import { PublicPage } from "../../../pages/parts/layout.tsx"
import { isolate, shownName } from "../../../pages/parts/name.ts"
import type { View } from "../../../pages/view.ts"
import { GoneLink } from "../../parts/gone-link.tsx"

type Props = Readonly<{
  view: View
  token: string
  /** The author whom the link signs in. */
  name: string
  /** Whether the browser is signed in as another author. */
  isOther: boolean
}>

/**
 * The script sends the form at once: opening the link alone uses nothing up, because previews and mail
 * scanners open links. If another author is signed in, the visitor sends it.
 */
export const LinkPage = ({ view, token, name, isOther }: Props) => {
  const { link, signIn } = view.words
  return (
    <PublicPage view={view} title={signIn.title}>
      <h1>{signIn.title}</h1>
      <p>{link.hello(isolate(name), view.site.name)}</p>
      {isOther && view.author !== null && (
        <p class="notice warning">
          {link.replaces(isolate(shownName(view.author.name, view.author.username)))}
        </p>
      )}
      <form method="post" action={linkPath} data-submits={isOther ? undefined : ""}>
        <TokenField view={view} />
        <input type="hidden" name="token" value={token} />
        <button type="submit">{link.submit}</button>
      </form>
    </PublicPage>
  )
}

/** Also for a visitor who used the link before and came back to it. */
export const LinkGonePage = ({ view }: { view: View }) => (
  <PublicPage view={view} title={view.words.invitation.goneTitle}>
    <h1>{view.words.invitation.goneTitle}</h1>
    <GoneLink view={view} />
  </PublicPage>
)
