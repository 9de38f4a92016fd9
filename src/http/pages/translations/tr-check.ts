import type { Words } from "./en.ts"

export const check: Words["check"] = {
  title: "Kod sorgula",
  intro: "Satın alma kodunu ya da kodun geçtiği mesajı yapıştırın; alıcının ne aldığını görün.",
  label: "Satın alma kodu",
  example: "Kodlar 8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21 gibidir.",
  submit: "Sorgula",
  verdicts: {
    valid: "Geçerli",
    refunded: "İade edilmiş",
    test: "Test kodu",
    unknown: "Bilinmeyen kod",
  },
  problems: {
    invalid: "Bu, satın alma kodu olamayacak kadar uzun.",
    blank: "Önce bir kod yapıştırın.",
  },
  explanations: {
    refunded: "Bu satışın bedeli iade edilmiş ya da ters ibraz edilmiş. Kod artık geçerli değil.",
    test: "Yalnızca test anahtarlarıyla çalışır. Bu kod hiçbir alıcıya verilmemiştir.",
    unknown:
      "Ürünlerinizin hiçbiri bu kodla satılmamış. Alıcıdan kodu sipariş e-postasından yeniden kopyalamasını isteyin.",
  },
  supportEnded: (day) => `Destek süresi doldu: ${day}`,
  inText: "Kod, yapıştırdığınız metnin içinde bulundu.",
  others: "Metinde size ait başka kodlar da var:",
  cleaned: (parts) => `Dikkate alınmayanlar: ${parts.join(", ")}.`,
  cleanings: {
    blanks: "baştaki ve sondaki boşluklar",
    invisible: "görünmez karakterler",
    dashes: "uzun çizgiler",
    lookalikes: "bitişik ve benzer karakterler",
    case: "büyük harfler",
  },
  code: "Kod",
  buyer: "Alıcı",
  item: "Ürün",
  licence: "Lisans",
  licences: { Regular: "Normal", Extended: "Genişletilmiş" },
  price: "Fiyat",
  support: "Destek bitişi",
  noSupport: "Destek yok",
  downloaded: "İndirildi",
  bought: "Satın alma tarihi",
  recent: "Son sorgularınız",
  result: "Sonuç",
  checked: "Sorgulandı",
}
