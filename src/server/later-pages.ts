/**
 * Pages are two fifths of the program, and no validation needs them. So a server answers before it loads them: a second
 * after its start, or at the first visit. Not later, because an upgrade replaces the files while the old server runs.
 */
import type { Pages } from "../http/pages/app/page-app.ts"

export type LaterPages = Readonly<{
  find(): Promise<Pages>
  close(): void
}>

type CreatePages = typeof import("./pages.ts")["createPages"]

const loadAfterMs = 1_000

/** A module that cannot be loaded ends the program, as it would at the start. */
export function openLaterPages(create: (createPages: CreatePages) => Pages): LaterPages {
  let loading: Promise<Pages> | null = null
  const load = async () => create((await importPages()).createPages)
  const find = () => {
    loading ??= load()
    return loading
  }
  const timer = setTimeout(find, loadAfterMs)
  return { find, close: () => clearTimeout(timer) }
}

/** In pieces: a thread answers nothing while it compiles one of them. */
async function importPages() {
  await import("../http/openapi/operator-document.ts")
  await import("../http/docs/docs-routes.tsx")
  await import("../http/workspace/workspace.tsx")
  await import("../http/console/console.tsx")
  return import("./pages.ts")
}
