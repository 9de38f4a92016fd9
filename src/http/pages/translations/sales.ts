import { count, formatNumber } from "./plurals.ts"

const en = {
  title: "Sales",
  search: "Purchase code or buyer",
  allItems: "All items",
  noItem: "You have no item with this name or ID.",
  states: { valid: "Valid", refunded: "Refunded", expired: "Expired" },
  none: "No sales yet. A sale appears here when your marketplace imports it.",
  noMatch: "No sales match.",
  currency: "Currency",
  date: "Sold",
  supportEnd: "Support until",
  sites: "Sites",
  searched: (n: number) => `Each page searches ${count(n, "sale", "sales")}.`,
  count: (n: number) => count(n, "sale", "sales"),
  refunded: (n: number, amounts: readonly string[]) =>
    `${n.toLocaleString("en")} refunded (${amounts.join(", ")})`,
  ofItem: "Latest sales",
  allOfItem: "All sales",
  noneOfItem: "No sales of this item yet.",
}

const tr: typeof en = {
  title: "Satışlar",
  search: "Satın alma kodu veya alıcı",
  allItems: "Tüm ürünler",
  noItem: "Bu ada veya ID’ye sahip bir ürününüz yok.",
  states: { valid: "Geçerli", refunded: "İade edildi", expired: "Süresi doldu" },
  none: "Henüz satış yok. Pazaryeriniz bir satışı içe aktardığında burada görünür.",
  noMatch: "Eşleşen satış yok.",
  currency: "Para birimi",
  date: "Satış tarihi",
  supportEnd: "Destek bitişi",
  sites: "Site",
  searched: (n) => `Her sayfada ${formatNumber(n)} satış aranır.`,
  count: (n) => `${formatNumber(n)} satış`,
  refunded: (n, amounts) => `${formatNumber(n)} iade (${amounts.join(", ")})`,
  ofItem: "Son satışlar",
  allOfItem: "Tüm satışlar",
  noneOfItem: "Bu ürün henüz satılmadı.",
}

export const sales = { en, tr }
