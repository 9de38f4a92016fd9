const en = {
  title: "Keys",
  intro: "Paste a key, alone or in a line of code, to find its owner. Pazar does not store it.",
  submit: "Find the owner",
  none: "This key does not exist. Check that it was copied completely.",
  lastCharacters: "Ends in",
  inactive: "Revoked or expired",
  activeOrRotated: "Valid",
  shipped:
    "This key looks shipped in a product: it was used from many IP ranges this week. Anyone who has it can read the author's account.",
}

const tr: typeof en = {
  title: "Anahtarlar",
  intro:
    "Sahibini bulmak için anahtarı tek başına ya da bir kod satırıyla yapıştırın. Pazar anahtarı saklamaz.",
  submit: "Sahibini bul",
  none: "Böyle bir anahtar yok. Eksiksiz kopyalandığını kontrol edin.",
  lastCharacters: "Sonu",
  inactive: "İptal edilmiş veya süresi dolmuş",
  activeOrRotated: "Geçerli",
  shipped:
    "Bu anahtar bir ürünle dağıtılmış görünüyor: bu hafta çok sayıda IP aralığından kullanıldı. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
}

export const consoleKeys = { en, tr }
