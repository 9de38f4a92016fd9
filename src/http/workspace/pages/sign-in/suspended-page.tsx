import { PublicPage } from "../../../pages/parts/layout.tsx"
import { SupportLink } from "../../../pages/parts/support-link.tsx"
import type { View } from "../../../pages/view.ts"

/** Shown only after the right password or a link that is good: others must not learn of the suspension. */
export const SuspendedPage = ({ view }: { view: View }) => (
  <PublicPage view={view} title={view.words.suspended.title}>
    <h1>{view.words.suspended.title}</h1>
    <p class="notice warning">
      {view.words.suspended.text} <SupportLink view={view} />
    </p>
  </PublicPage>
)
