/** Column headings that several pages share. */
const en = {
  url: "URL",
  buyer: "Buyer",
  requests: "Requests",
  code: "Code",
  item: "Item",
  key: "Key",
  lastRequest: "Last request",
  lastSeen: "Last seen",
  license: "License",
  name: "Name",
  ipRange: "IP range",
  price: "Price",
  reason: "Error",
  state: "Status",
  time: "When",
  version: "Version",
}

const tr: typeof en = {
  url: "URL",
  buyer: "Alıcı",
  requests: "İstek",
  code: "Kod",
  item: "Ürün",
  key: "Anahtar",
  lastRequest: "Son istek",
  lastSeen: "Son görülme",
  license: "Lisans",
  name: "Ad",
  ipRange: "IP aralığı",
  price: "Fiyat",
  reason: "Hata",
  state: "Durum",
  time: "Zaman",
  version: "Sürüm",
}

export const columns = { en, tr }
