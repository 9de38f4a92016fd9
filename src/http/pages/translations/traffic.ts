const en = {
  title: "Traffic",
  byOperation: "Requests by operation",
  shipped: "Secret keys that look shipped",
  shippedHint:
    "A secret key used from many IP ranges is probably inside a product. Anyone who has it can read the author's account.",
  noShipped: "No secret key looks shipped.",
  ipRanges: "IP ranges, 7 days",
}

const tr: typeof en = {
  title: "Trafik",
  byOperation: "İşleme göre istekler",
  shipped: "Ürünle dağıtılmış görünen gizli anahtarlar",
  shippedHint:
    "Çok sayıda IP aralığından kullanılan bir gizli anahtar büyük olasılıkla bir ürünün içindedir. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
  noShipped: "Dağıtılmış görünen gizli anahtar yok.",
  ipRanges: "IP aralığı (7 gün)",
}

export const traffic = { en, tr }
