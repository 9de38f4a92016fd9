import { filled, text } from "./text.ts"

export const items = {
  title: text("Items", "Ürünler"),
  search: text("Search by name or ID", "Ada veya ID'ye göre arayın"),
  published: text("Published", "Yayımlanma"),
  states: {
    visible: text("Visible", "Yayında"),
    hidden: text("Hidden", "Yayında değil"),
  },
  noMatch: filled("No item matches “{text}”.", "“{text}” ile eşleşen ürün yok."),
  none: text(
    "No items yet. Items appear here when your marketplace imports them.",
    "Henüz ürün yok. Pazaryeriniz içe aktardığında burada görünür.",
  ),
  regular: text("Regular license", "Normal lisans"),
  extended: text("Extended license", "Genişletilmiş lisans"),
  category: text("Category", "Kategori"),
  id: text("ID", "ID"),
  demo: text("Open the demo", "Demoyu aç"),
  hiddenNote: text(
    "The API does not return hidden items. Purchase codes of hidden items stay valid.",
    "API, yayında olmayan ürünleri döndürmez. Bu ürünlerin satın alma kodları geçerli kalır.",
  ),
  asJson: text("API response for this item", "Bu ürünün API yanıtı"),
}
