import type { View } from "../view.ts"

/** Nothing where the marketplace has named no place to ask. */
export const SupportLink = ({ view: { site, words } }: { view: View }) =>
  site.supportUrl === null ? null : <a href={site.supportUrl}>{words.support}</a>
