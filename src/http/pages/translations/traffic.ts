const en = {
  title: "Traffic",
  countedRequests: "Requests with test keys or inactive keys are not counted.",
  byOperation: "Requests by operation",
  why: "Failed requests by error",
  noRejections: "No failed requests.",
  shipped: "Secret keys that look shipped",
  shippedHint:
    "A secret key used from many IP ranges is probably inside a product. Anyone who has it can read the author's account.",
  noShipped: "No secret key looks shipped.",
  ipRanges: "IP ranges, 7 days",
}

const tr: typeof en = {
  title: "Trafik",
  countedRequests: "Test anahtarlarıyla ve devre dışı anahtarlarla gönderilen istekler sayılmaz.",
  byOperation: "İşleme göre istekler",
  why: "Hataya göre başarısız istekler",
  noRejections: "Başarısız istek yok.",
  shipped: "Ürünle dağıtılmış görünen gizli anahtarlar",
  shippedHint:
    "Çok sayıda IP aralığından kullanılan bir gizli anahtar büyük olasılıkla bir ürünün içindedir. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
  noShipped: "Dağıtılmış görünen gizli anahtar yok.",
  ipRanges: "IP aralığı (7 gün)",
}

export const traffic = { en, tr }
