import { expect, test } from "bun:test"
import { translateProblem } from "./tr-problems.ts"

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
