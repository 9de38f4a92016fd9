/** Every page of authors and operators with its address, and forms whose answers are pages. */
import type { Filled } from "../stores/fill-pages.ts"
import { codeOf, type Marketplace } from "../stores/marketplace.ts"

/** `items` and `sales` are the authors with the most of them. */
export type Person = "stranger" | "items" | "sales" | "operator"
export type Page = Readonly<{
  person: Person
  path: string
  /** Of a form. A field `form_id` is filled anew for each visit, so that each makes something. */
  fields?: Readonly<Record<string, string>>
  /** The status of the answer where it is an error. */
  refusal?: number
}>

const get = (person: Person, base: string, paths: readonly string[]): readonly Page[] =>
  paths.map((path) => ({ person, path: `${base}${path}` }))
const post = (person: Person, path: string, fields: Page["fields"] & object): Page => ({
  person,
  path,
  fields,
})

/** The oldest place in a list of sales from which a page can begin. */
const oldestSale = `${new Date(Date.now() - 729 * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z00000000000000000`

const publicPages = get("stranger", "", [
  "/",
  "/login",
  "/activate",
  "/docs",
  "/docs/validate_purchase",
  "/docs/ship-a-key",
])

function authorPages(
  person: "items" | "sales",
  { key, stoppedKey, endpoint, message }: Filled["authors"][number],
  item: number,
  code: string,
): readonly Page[] {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const text = (q: string) => ({ q })
  const settings = "/workspace/settings"
  const lastPage = person === "items" ? 400 : 2
  return [
    ...get(person, "/workspace", [
      "",
      "?days=7",
      "?days=90",
      "?from=2026-01-01&to=2026-12-31",
      "/usage.csv?days=90",
    ]),
    ...get(person, "/workspace/log", [
      "",
      "?page=10",
      "?show=errors",
      "?show=codes",
      "?show=stopped",
      "?show=valid",
      `?key=${key}`,
      `?day=${yesterday}`,
      ".csv",
      ".csv?show=valid",
    ]),
    ...get(person, "/workspace/items", [
      "",
      "?sort=oldest",
      "?sort=name",
      "?sort=price",
      "?q=Tide+7",
      "?q=zzz",
      `?sort=name&page=${lastPage}`,
      `?page=${lastPage}`,
      `/${item}`,
    ]),
    ...get(person, "/workspace/sales", [
      "",
      "?days=7",
      "?days=90",
      "?days=all",
      `?days=all&after=${oldestSale}`,
      "?days=all&state=refunded",
      "?days=all&state=valid",
      `?days=all&item=${item}`,
      `?days=90&item=${item}`,
      ".csv",
      ".csv?days=all",
    ]),
    post(person, "/workspace/sales", { ...text("çelik"), days: "all" }),
    post(person, "/workspace/sales", { ...text("nobody at all"), days: "all" }),
    post(person, "/workspace/sales", { ...text(code), days: "all" }),
    ...get(person, "/workspace", ["/search", "/check"]),
    post(person, "/workspace/search", text("Tide 1")),
    post(person, "/workspace/search", text("zzz")),
    post(person, "/workspace/search", text(code)),
    post(person, "/workspace/check", { purchase_code: code }),
    post(person, "/workspace/check", { purchase_code: "no-such-code" }),
    ...get(person, `${settings}/keys`, ["", "?page=2", "?page=3", "/new", "/new?kind=vk"]),
    ...get(person, `${settings}/keys/${key}`, [
      "",
      "?days=90",
      "/usage.csv",
      "/first-call",
      "/replace",
      "/leak",
      "/revoke",
    ]),
    ...get(person, `${settings}/keys/${stoppedKey}`, [""]),
    { ...post(person, `${settings}/keys/find`, { key: "not a key" }), refusal: 422 },
    post(person, `${settings}/keys`, { kind: "sk", name: "Another", form_id: "new" }),
    ...get(person, settings, [
      "/profile",
      "/language",
      "/activity",
      "/security",
      "/security/second-factor",
    ]),
    ...get(person, `${settings}/webhooks`, [
      "",
      "/new",
      ...["", "/edit", "/remove", `/messages/${message}`].map((ending) => `/${endpoint}${ending}`),
    ]),
  ]
}

function consolePages({ authors, operatorHook, run }: Filled, code: string): readonly Page[] {
  const [items, sales] = authors
  if (items === undefined || sales === undefined) throw new Error("there are no authors")
  const { endpoint, message } = operatorHook
  const console = (base: string, paths: readonly string[]) =>
    get("operator", `/console${base}`, paths)
  const text = (q: string) => ({ q })
  const ofAuthors = [items, sales].flatMap(({ id, key }) => [
    ...console(`/authors/${id}`, [
      "",
      "/log",
      "/log?page=10",
      "/traffic",
      "/traffic?days=90",
      "/invite",
      "/sign-in-link",
      "/suspend",
      `/keys/${key}/revoke`,
    ]),
    ...console("/items", [
      `?author=${id}`,
      `?author=${id}&q=Tide+7`,
      `?author=${id}&q=zzz`,
      `?author=${id}&state=hidden`,
      `?author=${id}&before=400`,
    ]),
    ...console("/purchases", [
      `?author=${id}`,
      `?author=${id}&state=refunded`,
      `?author=${id}&after=${oldestSale}`,
      `.csv?author=${id}`,
    ]),
    ...console("/keys", [`?author=${id}`, `?author=${id}&state=ended`]),
  ])
  return [
    ...get("stranger", "", ["/console/login"]),
    ...console("", ["", "/settings", "/security", "/security/second-factor", "/search"]),
    ...console("/traffic", [
      "",
      "?span=hour",
      "?span=week",
      "?days=7",
      "?days=30",
      "?days=90",
      "?from=2026-01-01&to=2026-12-31",
    ]),
    ...console("/authors", [
      "",
      "?sort=calls",
      "?sort=errors",
      "?sort=sales",
      "?sort=seen",
      "?sort=name",
      "?sort=seen&page=120",
      "?page=120",
      "?q=author-29",
      "?q=zzz",
      "?q=yılmaz&sort=seen",
      ".csv",
      ".csv?sort=seen",
    ]),
    ...ofAuthors,
    ...console("/items", [
      "",
      "?q=Tide+77",
      "?q=zzz",
      "?state=hidden",
      "?state=visible",
      "?before=30",
      "/1",
      "/2",
      "/77",
      ".csv",
      ".csv?q=zzz",
    ]),
    ...console("/purchases", ["", "?item=2", "?item=77", ".csv?item=2"]),
    post("operator", "/console/purchases", { code }),
    post("operator", "/console/purchases", { code: `Hello, my code is ${code}. Thanks!` }),
    post("operator", "/console/purchases", { code: "no-such-code" }),
    ...console("/keys", [
      "",
      "?kind=vk",
      "?kind=tk",
      "?state=ended",
      "?state=live",
      `/${sales.key}`,
      `/${sales.stoppedKey}`,
      ".csv",
    ]),
    { ...post("operator", "/console/keys", { key: "not a key" }), refusal: 422 },
    ...console("/imports", ["", `/${run}`, `/${run}/report`]),
    ...console("/webhooks", [
      "",
      "/new",
      ...["", "/edit", "/remove", `/messages/${message}`].map((ending) => `/${endpoint}${ending}`),
    ]),
    ...console("/operators", ["", "/invite", "/second-factor/require"]),
    ...console("/audit", [
      "",
      "?account=author-1",
      "?account=author-2999",
      "?kind=key",
      "?kind=operator",
      "?account=author-2999&kind=webhook",
      "?before=40",
      ".csv",
      ".csv?account=author-1",
    ]),
    post("operator", "/console/search", text("author-29")),
    post("operator", "/console/search", text("Tide 77")),
    post("operator", "/console/search", text("Product")),
    post("operator", "/console/search", text("zzz")),
    post("operator", "/console/search", text(code)),
  ]
}

export function listPages(market: Marketplace, filled: Filled): readonly Page[] {
  const [items, sales] = filled.authors
  if (items === undefined || sales === undefined) throw new Error("there are no authors")
  return [
    ...publicPages,
    ...authorPages("items", items, 1, codeOf(market, 101)),
    ...authorPages("sales", sales, 2, codeOf(market, 33)),
    ...consolePages(filled, codeOf(market, 33)),
  ]
}
