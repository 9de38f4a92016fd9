import { raw } from "hono/html"
import type { View } from "../../workspace/view.ts"
import { createIndex } from "../index-groups.ts"
import { fillIn, renderMarkdown } from "../markdown.ts"
import { DocsLayout } from "../parts/docs-layout.tsx"
import type { Reference } from "../reference.ts"
import type { SampleSettings } from "../samples/sample-request.ts"
import { type Guide, titleOf } from "../texts.ts"

type GuideProps = Readonly<{
  view: View
  guide: Guide
  reference: Reference
  settings: SampleSettings
}>

export const GuidePage = ({ view, guide, reference, settings }: GuideProps) => (
  <DocsLayout
    view={view}
    title={titleOf(guide, view.locale)}
    copyPath={`/docs/${guide.id}.md`}
    index={createIndex(reference, view.words, view.locale, "/docs")}
  >
    <article>{raw(renderMarkdown(fillIn(guide.markdown[view.locale], settings)))}</article>
  </DocsLayout>
)
