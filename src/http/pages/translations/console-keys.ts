import { text } from "./text.ts"

export const consoleKeys = {
  title: text("Keys", "Anahtarlar"),
  none: text(
    "This key does not exist. Check that it was copied completely.",
    "Böyle bir anahtar yok. Eksiksiz kopyalandığını kontrol edin.",
  ),
  shipped: text(
    "This key looks shipped in a product: it was used from many IP ranges this week. Anyone who has it can read the author's account.",
    "Bu anahtar bir ürünle dağıtılmış görünüyor: bu hafta çok sayıda IP aralığından kullanıldı. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
  ),
}
