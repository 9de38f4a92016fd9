const en = {
  every: "All",
  none: "No results match this filter.",
  more: "More",
  itemName: "Item name or ID",
  allStates: "All statuses",
  apply: "Apply",
  rows: (n: number) => (n === 1 ? "1 result" : `${n.toLocaleString("en")} results`),
  first: "First page",
  previous: "Previous",
  next: "Next",
  pages: "Pages",
  menu: (name: string) => `Actions for ${name}`,
  csv: { download: "CSV", inUtc: (head: string) => `${head} (UTC)` },
}

const tr: typeof en = {
  every: "Tümü",
  none: "Bu filtreye uyan sonuç yok.",
  more: "Devamı",
  itemName: "Ürünün adı veya ID'si",
  allStates: "Tüm durumlar",
  apply: "Uygula",
  rows: (n) => `${n.toLocaleString("tr")} sonuç`,
  first: "İlk sayfa",
  previous: "Önceki",
  next: "Sonraki",
  pages: "Sayfalar",
  menu: (name) => `İşlemler: ${name}`,
  csv: { download: "CSV", inUtc: (head) => `${head} (UTC)` },
}

export const lists = { en, tr }
