/** The index beside every page of the documentation. */
import type { Locale } from "../api/answer/messages.ts"
import type { Words } from "../pages/translations/en.ts"
import type { Reference } from "./reference.ts"
import { firstSections, generalSections, guides, titleOf, validationSections } from "./texts.ts"

export type IndexGroup = Readonly<{
  title: string
  links: readonly Readonly<{ href: string; text: string }>[]
}>

/** `page` is where the reference stands: empty on its own page. */
export function createIndex(
  { operations }: Pick<Reference, "operations">,
  { docs }: Words,
  locale: Locale,
  page: "" | "/docs",
): readonly IndexGroup[] {
  const here = (id: string, text: string) => ({ href: `${page}#${id}`, text })
  const sections = [...firstSections, ...validationSections, ...generalSections]
  return [
    { title: docs.operations, links: operations.map(({ id, title }) => here(id, title)) },
    {
      title: docs.explanations,
      links: [
        ...sections.map((section) => here(section.id, titleOf(section, locale))),
        here("reasons", docs.reasons),
        here("objects", docs.objects),
      ],
    },
    {
      title: docs.guides,
      links: guides.map((guide) => ({ href: `/docs/${guide.id}`, text: titleOf(guide, locale) })),
    },
  ]
}
