/** The search of the workspace and the console. The text is never in a URL. */
import type { Child } from "hono/jsx"
import { t } from "../t.ts"
import { trimWhitespace } from "../text.ts"
import { currentView, Page, type PageApp, type PageContext } from "./context.ts"
import { Field, NamedLink, Panel, PostForm, pastedUnitsMax } from "./elements.tsx"
import { listPagesNamed, type Section } from "./layout.tsx"
import { checkClient, inTurn } from "./list.tsx"

/** Longer texts are not searched as names. */
const nameUnitsMax = 200
export const foundMax = 10

export type FoundGroup = Readonly<{
  title: string
  /** At most `foundMax`, each with a note if the name is not enough. */
  rows: readonly (readonly [path: string, name: string, note?: string])[]
  total: number
}>

type SearchArea = Readonly<{
  route: string
  texts(): Readonly<{ label: string; intro: string }>
  /** A problem with what was pasted before. */
  problem(c: PageContext): Child
  sections(): readonly Section[]
  /** A key is never searched for: it leads to its page, or to a problem. */
  redirectKey(c: PageContext): Promise<Response | null>
  findCode(c: PageContext, text: string): Promise<FoundGroup>
  findNames(c: PageContext, text: string): Promise<readonly FoundGroup[]>
}>

export function addSearchPages(app: PageApp, area: SearchArea): void {
  app.get(area.route, (c) => showSearch(c, area, "", null))

  app.post(area.route, async (c) => {
    const text = trimWhitespace(c.var.form.text("q").slice(0, pastedUnitsMax).toWellFormed())
    if (text === "") return c.redirect(c.req.path, 303)
    const pasted = await area.redirectKey(c)
    if (pasted !== null) return pasted
    const groups = (await inTurn(c, "search", () => search(c, area, text))).filter(
      ({ total }) => total > 0,
    )
    const [group, ...others] = groups
    const only = others.length === 0 && group?.total === 1 ? group.rows[0] : undefined
    return only === undefined ? showSearch(c, area, text, groups) : c.redirect(only[0], 303)
  })
}

async function search(
  c: PageContext,
  area: SearchArea,
  text: string,
): Promise<readonly FoundGroup[]> {
  const code = await area.findCode(c, text)
  if (text.length > nameUnitsMax) return [code]
  const pages = listPagesNamed(area.sections(), text)
  const rows = pages.map((page) => [page.path, page.text] as const)
  await checkClient(c)
  const named = await area.findNames(c, text)
  return [code, { title: t("Pages"), rows, total: rows.length }, ...named]
}

function showSearch(
  c: PageContext,
  area: SearchArea,
  text: string,
  groups: readonly FoundGroup[] | null,
) {
  const { label, intro } = area.texts()
  return c.html(
    <Page title={t("Search")}>
      {area.problem(c)}
      <p class="hint">{intro}</p>
      <PostForm action={currentView().path} class="filter">
        <Field name="q" label={label} type="search" value={text} autocomplete="off" isFocused />
        <button type="submit">{t("Search")}</button>
      </PostForm>
      {groups?.length === 0 && <p class="empty">{t("No results.")}</p>}
      {groups?.map(({ title, rows }, index) => (
        <Panel id={`found-${index}`} title={title}>
          <ul>
            {rows.map(([path, name, note]) => (
              <li>
                <NamedLink href={path} name={name} />{" "}
                {note !== undefined && (
                  <span class="hint">
                    <bdi>{note}</bdi>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      ))}
      {groups?.some(({ total }) => total > foundMax) && (
        <p class="hint">
          {t("Only the first {n} results of each kind are listed. Refine your search.", {
            n: foundMax,
          })}
        </p>
      )}
    </Page>,
  )
}
