const en = {
  title: "Keys",
  none: "This key does not exist. Check that it was copied completely.",
  shipped:
    "This key looks shipped in a product: it was used from many IP ranges this week. Anyone who has it can read the author's account.",
}

const tr: typeof en = {
  title: "Anahtarlar",
  none: "Böyle bir anahtar yok. Eksiksiz kopyalandığını kontrol edin.",
  shipped:
    "Bu anahtar bir ürünle dağıtılmış görünüyor: bu hafta çok sayıda IP aralığından kullanıldı. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
}

export const consoleKeys = { en, tr }
