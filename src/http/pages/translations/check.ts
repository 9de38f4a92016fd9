const en = {
  title: "Check a code",
  label: "Purchase code, or a message that contains one",
  purchaseCode: "Purchase code",
  submit: "Check",
  results: {
    valid: "Valid",
    refunded: "Refunded",
    expired: "Expired",
    test: "Test code",
    unknown: "Unknown code",
  },
  problems: {
    invalid: "This is too long to be a purchase code.",
    empty: "Paste a code first.",
  },
  explanations: {
    refunded: "This purchase was refunded or charged back. The code is invalid.",
    expired: "The subscription ended. The code is invalid until the buyer renews it.",
    test: "It works with test keys only. No buyer has this code.",
    unknown:
      "No purchase of your items has this code. If you pasted a message, paste only the code. Or ask the buyer to copy it again from the order e-mail.",
  },
  supportEnded: (day: string) => `Support ended ${day}`,
  inText: "Found in the text that you pasted.",
  others: "The text contains more of your codes:",
  licenses: { Regular: "Regular", Extended: "Extended" },
  support: "Supported until",
  noSupport: "No support",
  downloaded: "Downloaded",
  bought: "Bought on",
  validUntil: "Valid until",
}

const tr: typeof en = {
  title: "Kod sorgula",
  label: "Satın alma kodu ya da kodun geçtiği mesaj",
  purchaseCode: "Satın alma kodu",
  submit: "Sorgula",
  results: {
    valid: "Geçerli",
    refunded: "İade edilmiş",
    expired: "Süresi dolmuş",
    test: "Test kodu",
    unknown: "Bilinmeyen kod",
  },
  problems: {
    invalid: "Bu, satın alma kodu olamayacak kadar uzun.",
    empty: "Önce bir kod yapıştırın.",
  },
  explanations: {
    refunded: "Bu satış iade ya da ters ibraz edilmiş. Kod geçersiz.",
    expired: "Abonelik sona ermiş. Alıcı yenileyene kadar kod geçersizdir.",
    test: "Yalnızca test anahtarlarıyla çalışır. Bu kod hiçbir alıcıya verilmemiştir.",
    unknown:
      "Ürünlerinizin hiçbir satışında bu kod yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın. Ya da alıcıdan kodu sipariş e-postasından yeniden kopyalamasını isteyin.",
  },
  supportEnded: (day) => `Destek süresi doldu: ${day}`,
  inText: "Kod, yapıştırdığınız metnin içinde bulundu.",
  others: "Metinde size ait başka kodlar da var:",
  licenses: { Regular: "Normal", Extended: "Genişletilmiş" },
  support: "Destek bitişi",
  noSupport: "Destek yok",
  downloaded: "İndirildi",
  bought: "Satın alma tarihi",
  validUntil: "Geçerlilik bitişi",
}

export const check = { en, tr }
