import { trimBlank } from "../../../domain/values/blank.ts"
import { type ConsoleApp, viewOf } from "../frame/console-context.ts"
import { authorsPath, pathOfAuthors } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { AuthorsPage } from "../pages/authors-page.tsx"

const pageAuthors = 25
const searchUnitsMax = 200

export function addAuthorsRoutes(app: ConsoleApp, { store }: ConsoleServices): void {
  app.get(authorsPath, async (c) => {
    const text = trimBlank((c.req.query("q") ?? "").slice(0, searchUnitsMax))
    const asked = c.req.query("page") ?? ""
    const page = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1
    const query = { text, offset: (page - 1) * pageAuthors, limit: pageAuthors }
    const { authors, total } = await store.authorSearch.search(query)
    const pages = Math.max(1, Math.ceil(total / pageAuthors))
    if (total > 0 && page > pages) return c.redirect(pathOfAuthors(text, pages), 302)
    return c.html(<AuthorsPage {...{ view: viewOf(c), text, page, pages, total, authors }} />)
  })
}
