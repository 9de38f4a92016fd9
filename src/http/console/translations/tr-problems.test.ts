import { expect, test } from "bun:test"
import { Glob } from "bun"
import { translateProblem, translateReason } from "./tr-problems.ts"

const root = import.meta.dir.replace(/(.*\/src\/).*/, "$1")
const sources = await Promise.all(
  [...new Glob("**/*.ts").scanSync(root)]
    .filter((path) => !/\.(test|contract)\.ts$/.test(path))
    .map(async (path) => withoutComments(await Bun.file(root + path).text())),
)

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/^ *\/\/.*$/gm, "")
}

/** From `first` up to `last`, or the end of the file, in the file that has both. */
function cut(first: string, last = ""): string {
  const found = sources.find((source) => source.includes(first) && source.includes(last))
  if (found === undefined) throw new Error(`no file has ${first}`)
  const begin = found.indexOf(first)
  return found.slice(begin, last === "" ? undefined : found.indexOf(last, begin))
}

const template = /`(?:[^`$]|\$\{(?:[^{}`]|`[^`]*`)*\})*`/
const literal = new RegExp(`${template.source}|"(?:[^"\\\\\\n]|\\\\.)*"`, "g")

/** What a value may be, by the expression that makes it. */
const samples: readonly (readonly [RegExp, string])[] = [
  [/plural|name\]/, "items"],
  [/type/, "item"],
  [/"line"/, "7 lines"],
  [/nameLine/, "line 7"],
  [/limitOption/, "--max-deletes"],
  [/describe/, "the database shop at 127.0.0.1:3306"],
  [/message|problem/i, "it is no SELECT"],
]
const sampleOf = (value: string) => samples.find(([form]) => form.test(value))?.[1] ?? "7"

const fill = (text: string) =>
  text.slice(1, -1).replaceAll(/\$\{((?:[^{}`]|`[^`]*`)*)\}/g, (_, value) => sampleOf(value))

/** Texts with a blank, but for those of a check that found nothing, and the names of checks. */
const sentencesIn = (source: string): readonly string[] => [
  ...[...source.replaceAll(/\bok\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "").matchAll(literal)]
    .map(([text]) => text)
    .filter((text) => text.includes(" "))
    .map(fill),
  ...[...source.matchAll(/\b(?:warning|problem)\(\s*("[^"]+")/g)].map(([, name = ""]) =>
    fill(name),
  ),
]

const causes = sources.flatMap((source) => [
  ...source.matchAll(/new SourceError\(\s*(`[^`]*`|"[^"]*")/g),
])

test.each<[of: string, sentences: readonly string[]]>([
  ["settings", ["configuration", ...sentencesIn(cut("export function listDoubts"))]],
  ["the machine", sentencesIn(cut("export function judgeDisk", "const check = "))],
  ["writes", sentencesIn(cut("export async function checkWrites", "const isExplained"))],
  ["the clock", sentencesIn(cut("const differenceMsMax", "const yearSeconds"))],
  [
    "waiting records",
    sentencesIn(cut("export async function checkWaiting", "async function checkIntegrity")),
  ],
  ["imports", sentencesIn(cut("export function judgeRun", "export function judgePull"))],
  ["pulls", sentencesIn(cut("export function judgePull", "export function judgeVersions"))],
  ["versions", sentencesIn(cut("export function judgeVersions"))],
  [
    "an import that failed",
    sentencesIn(cut("const whyOf = (error: unknown) =>", "function tellInterruption")),
  ],
  ["the rounds of a pull", sentencesIn(cut("const nothingKept =", "async function runRound"))],
  ["the columns of a pull", sentencesIn(cut("export function checkColumns", "type ColumnReader"))],
  ["the database of a pull", sentencesIn(cut("async function openSource", "function open("))],
  ["a failed SELECT", causes.map(([, text = ""]) => fill(text))],
  [
    "the end of a full feed",
    sentencesIn(cut("function findProblem()", "async function removeOlder")),
  ],
  ["the limit of a full feed", sentencesIn(cut("const needed = Math.max", "function describe"))],
])("every sentence about %s has a Turkish one", (_, sentences) => {
  expect(sentences).not.toEqual([])
  expect(sentences.filter((text) => translateProblem(text).foreign !== "")).toEqual([])
})

test("every reason why a line is refused has a Turkish one", () => {
  const thrown = sources.flatMap((source) => [
    ...source.matchAll(/new InvalidRecord\(\s*[\w."]+,\s*"([^"]+)"/g),
  ])
  const reasons = thrown.map(([, reason = ""]) => reason)
  expect(reasons).toContain("must be a list")
  expect(reasons.filter((reason) => translateReason(reason) === null)).toEqual([])
})

test("keeps the message of a driver in English, behind a Turkish opening", () => {
  const opening = "the pull cannot open the database shop at db:3306: "
  expect(translateProblem(`${opening}Access denied; accounts: none`)).toEqual({
    own: "çekme, db:3306 adresindeki shop veritabanını açamıyor: ",
    foreign: "Access denied; accounts: none",
  })
  expect(translateProblem("the SELECT of items: no such table: `x`")).toEqual({
    own: "items sorgusu: ",
    foreign: "no such table: `x`",
  })
})

test("joins the problems of several SELECTs, and writes numbers as Turkish does", () => {
  const unknown = "column x is no member of an item; docs/feed.md lists them"
  expect(
    translateProblem(`items: ${unknown}; purchases: there is no column purchase_code`),
  ).toEqual({
    own: "items sorgusu: item kaydında x diye bir alan yok; alanlar docs/feed.md belgesindedir; purchases sorgusu: purchase_code sütunu yok",
    foreign: "",
  })
  expect(translateProblem("1,200 MB are free, and the store takes 2,400 MB").own).toBe(
    "1.200 MB boş, veri deposu 2.400 MB kaplıyor",
  )
  const limit =
    "and --max-deletes allows 20 % of each type; if they are really gone, import it again"
  const lacks = "3 of 10 items (30 %) and 40 of 100 purchases (40 %)"
  expect(translateProblem(`it lacks ${lacks}, ${limit} with --max-deletes 40`).own).toBe(
    "beslemede eksik olanlar: items: 3 / 10 (%30), purchases: 40 / 100 (%40); --max-deletes sınırı her tür için %20. Gerçekten silinmişlerse --max-deletes 40 ile yeniden içe aktarın",
  )
})

test("tells of a single line or record too", () => {
  expect(translateProblem("import 3 from shop refused 1 line").own).toBe(
    "shop kaynağından 3. içe aktarma 1 satırı reddetti",
  )
  expect(translateProblem("1 record waits, for more than a day, for account ada").own).toBe(
    "1 kayıt bir günden uzun süredir ada adlı yazarı bekliyor",
  )
})

test("every reason why an endpoint is off has a Turkish one", () => {
  const reasons = ["its address answered 410", "every try failed for five days"]
  for (const reason of [...reasons, "too many messages waited for it"]) {
    const told = translateProblem(`endpoint ep_1 of ada was turned off: ${reason}`)
    expect(told.own).toStartWith("ada yazarının ep_1 webhook adresi kapatıldı: ")
    const ours = translateProblem(`endpoint ep_1 of the operators was turned off: ${reason}`)
    expect(ours.own).toStartWith("yöneticilerin ep_1 webhook adresi kapatıldı: ")
  }
})
