import { count, counted, formatNumber, text } from "./text.ts"

export const sales = {
  title: text("Sales", "Satışlar"),
  search: text("Purchase code or buyer", "Satın alma kodu veya alıcı"),
  allItems: text("All items", "Tüm ürünler"),
  noItem: text(
    "You have no item with this name or ID.",
    "Bu ada veya ID’ye sahip bir ürününüz yok.",
  ),
  states: {
    valid: text("Valid", "Geçerli"),
    refunded: text("Refunded", "İade edildi"),
    expired: text("Expired", "Süresi doldu"),
  },
  none: text(
    "No sales yet. A sale appears here when your marketplace imports it.",
    "Henüz satış yok. Pazaryeriniz bir satışı içe aktardığında burada görünür.",
  ),
  noMatch: text("No sales match.", "Eşleşen satış yok."),
  currency: text("Currency", "Para birimi"),
  date: text("Sold", "Satış tarihi"),
  supportEnd: text("Support until", "Destek bitişi"),
  sites: text("Sites", "Site"),
  searched: text(
    (n: number) => `Each page searches ${count(n, "sale", "sales")}.`,
    (n) => `Her sayfada ${formatNumber(n)} satış aranır.`,
  ),
  count: counted("sale", "sales", "satış"),
  refunded: text(
    (n: number, amounts: readonly string[]) =>
      `${n.toLocaleString("en")} refunded (${amounts.join(", ")})`,
    (n, amounts) => `${formatNumber(n)} iade (${amounts.join(", ")})`,
  ),
  ofItem: text("Latest sales", "Son satışlar"),
  allOfItem: text("All sales", "Tüm satışlar"),
  noneOfItem: text("No sales of this item yet.", "Bu ürün henüz satılmadı."),
}
