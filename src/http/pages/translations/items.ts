const en = {
  title: "Items",
  search: "Search by name or ID",
  sort: "Sort",
  published: "Published",
  states: { visible: "Visible", hidden: "Hidden" },
  noMatch: (text: string) => `No item matches “${text}”.`,
  previous: "Previous",
  next: "Next",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  none: "No items yet. Items appear here when your marketplace imports them.",
  regular: "Regular license",
  extended: "Extended license",
  category: "Category",
  id: "ID",
  demo: "Open the demo",
  hiddenNote: "The API does not return hidden items. Purchase codes of hidden items stay valid.",
  asJson: "API response for this item",
}

const tr: typeof en = {
  title: "Ürünler",
  search: "Ada veya ID'ye göre arayın",
  sort: "Sırala",
  published: "Yayımlanma",
  states: { visible: "Yayında", hidden: "Yayında değil" },
  noMatch: (text) => `“${text}” ile eşleşen ürün yok.`,
  previous: "Önceki",
  next: "Sonraki",
  page: (page, pages) => `Sayfa ${page} / ${pages}`,
  none: "Henüz ürün yok. Pazaryeriniz içe aktardığında burada görünür.",
  regular: "Normal lisans",
  extended: "Genişletilmiş lisans",
  category: "Kategori",
  id: "ID",
  demo: "Demoyu aç",
  hiddenNote:
    "API, yayında olmayan ürünleri döndürmez. Bu ürünlerin satın alma kodları geçerli kalır.",
  asJson: "Bu ürünün API yanıtı",
}

export const items = { en, tr }
