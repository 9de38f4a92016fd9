import { text } from "./text.ts"

export const search = {
  title: text("Search", "Ara"),
  label: text("Search for a code, item, key or page", "Kod, ürün, anahtar veya sayfa arayın"),
  intro: text(
    "Enter a purchase code or a message that contains one, an item name or ID, a key, its name or its last four characters, or a page name. Pazar does not store the key.",
    "Bir satın alma kodu veya onu içeren bir mesaj; bir ürünün adı veya ID'si; bir anahtar, adı veya son dört karakteri; ya da bir sayfanın adını yazın. Pazar anahtarı saklamaz.",
  ),
  pages: text("Pages", "Sayfalar"),
  none: text("No results.", "Sonuç yok."),
  more: text(
    (n: number) => `Only the first ${n} results of each kind are listed. Refine your search.`,
    (n) => `Her türden yalnızca ilk ${n} sonuç gösteriliyor. Aramanızı daraltın.`,
  ),
  console: {
    label: text(
      "Search for a code, key, author, item, operator or page",
      "Kod, anahtar, yazar, ürün, yönetici veya sayfa arayın",
    ),
    intro: text(
      "Enter a purchase code or a message that contains one, a key, a name of an author, item, key, operator or page, or an ID. Pazar does not store the key. To find a key by its last four characters, open its author.",
      "Bir satın alma kodu veya onu içeren bir mesaj; bir anahtar; bir yazarın, ürünün, anahtarın, yöneticinin veya sayfanın adı ya da bir ID yazın. Pazar anahtarı saklamaz. Bir anahtarı son dört karakteriyle bulmak için yazarını açın.",
    ),
  },
}
