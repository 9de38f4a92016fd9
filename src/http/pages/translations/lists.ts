import { filled, text } from "./text.ts"

export const lists = {
  none: text("No results match this filter.", "Bu filtreye uyan sonuç yok."),
  itemName: text("Item name or ID", "Ürünün adı veya ID'si"),
  allStates: text("All statuses", "Tüm durumlar"),
  apply: text("Apply", "Uygula"),
  rows: text(
    (n: number) => (n === 1 ? "1 result" : `${n.toLocaleString("en")} results`),
    (n) => `${n.toLocaleString("tr")} sonuç`,
  ),
  first: text("First page", "İlk sayfa"),
  previous: text("Previous", "Önceki"),
  next: text("Next", "Sonraki"),
  pages: text("Pages", "Sayfalar"),
  menu: filled("Actions for {name}", "İşlemler: {name}"),
  csv: {
    download: text("CSV", "CSV"),
    inUtc: filled("{head} (UTC)", "{head} (UTC)"),
  },
}
