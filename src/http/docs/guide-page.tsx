import { raw } from "hono/html"
import type { SampleSettings } from "../pages/samples/sample-request.ts"
import type { View } from "../pages/view.ts"
import { DocsLayout } from "./docs-layout.tsx"
import { createIndex } from "./index-groups.ts"
import { fillIn, renderMarkdown } from "./markdown.ts"
import type { Reference } from "./reference.ts"
import { type Guide, titleOf } from "./texts.ts"

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
