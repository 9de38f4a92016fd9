import { text } from "./text.ts"

export const traffic = {
  title: text("Traffic", "Trafik"),
  byOperation: text("Requests by operation", "İşleme göre istekler"),
  shipped: text("Secret keys that look shipped", "Ürünle dağıtılmış görünen gizli anahtarlar"),
  shippedHint: text(
    "A secret key used from many IP ranges is probably inside a product. Anyone who has it can read the author's account.",
    "Çok sayıda IP aralığından kullanılan bir gizli anahtar büyük olasılıkla bir ürünün içindedir. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
  ),
  noShipped: text("No secret key looks shipped.", "Dağıtılmış görünen gizli anahtar yok."),
  ipRanges: text("IP ranges, 7 days", "IP aralığı (7 gün)"),
}
