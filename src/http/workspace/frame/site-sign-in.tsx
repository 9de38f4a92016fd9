import type { View } from "../../pages/view.ts"

/** The way in for authors without a password. Nothing where the marketplace has named none. */
export const SiteSignIn = ({ view: { site, words } }: { view: View }) =>
  site.signInUrl === null ? null : (
    <p>
      <a class="button wraps" href={site.signInUrl}>
        {words.signIn.through(site.name)}
      </a>
    </p>
  )
