import { text } from "./text.ts"
/** Column headings that several pages share. */
export const columns = {
  url: text("URL", "URL"),
  buyer: text("Buyer", "Alıcı"),
  requests: text("Requests", "İstek"),
  code: text("Code", "Kod"),
  item: text("Item", "Ürün"),
  key: text("Key", "Anahtar"),
  lastRequest: text("Last request", "Son istek"),
  lastSeen: text("Last seen", "Son görülme"),
  license: text("License", "Lisans"),
  name: text("Name", "Ad"),
  ipRange: text("IP range", "IP aralığı"),
  price: text("Price", "Fiyat"),
  reason: text("Error", "Hata"),
  state: text("Status", "Durum"),
  time: text("When", "Zaman"),
  version: text("Version", "Sürüm"),
}
