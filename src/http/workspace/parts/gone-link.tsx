import { SupportLink } from "../../pages/parts/support-link.tsx"
import type { View } from "../../pages/view.ts"
import { SiteSignIn } from "./site-sign-in.tsx"

/** Why a link no longer works, and the ways on. */
export const GoneLink = ({ view }: { view: View }) => {
  const { words, site, author } = view
  const [path, text] =
    author === null ? ["/login", words.signIn.title] : ["/workspace", words.errors.overview]
  return (
    <>
      <p>{words.invitation.gone}</p>
      <SiteSignIn view={view} />
      <p class="actions">
        <a class={site.signInUrl === null ? "button" : "button quiet"} href={path}>
          {text}
        </a>
        <SupportLink view={view} />
      </p>
    </>
  )
}
