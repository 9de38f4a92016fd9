const en = {
  every: "All",
  none: "No results match this filter.",
  endFilter: " (show all)",
  more: "More",
  itemName: "Item name or ID",
  csv: { download: "Download as CSV", inUtc: (head: string) => `${head} (UTC)` },
}

const tr: typeof en = {
  every: "Tümü",
  none: "Bu filtreye uyan sonuç yok.",
  endFilter: " (tümünü göster)",
  more: "Devamı",
  itemName: "Ürünün adı veya ID'si",
  csv: { download: "CSV olarak indir", inUtc: (head) => `${head} (UTC)` },
}

export const lists = { en, tr }
