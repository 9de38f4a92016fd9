import { filled, text } from "./text.ts"

export const check = {
  title: text("Check a code", "Kod sorgula"),
  label: text(
    "Purchase code, or a message that contains one",
    "Satın alma kodu ya da kodun geçtiği mesaj",
  ),
  purchaseCode: text("Purchase code", "Satın alma kodu"),
  submit: text("Check", "Sorgula"),
  results: {
    valid: text("Valid", "Geçerli"),
    refunded: text("Refunded", "İade edilmiş"),
    expired: text("Expired", "Süresi dolmuş"),
    test: text("Test code", "Test kodu"),
    unknown: text("Unknown code", "Bilinmeyen kod"),
  },
  problems: {
    invalid: text(
      "This is too long to be a purchase code.",
      "Bu, satın alma kodu olamayacak kadar uzun.",
    ),
    empty: text("Paste a code first.", "Önce bir kod yapıştırın."),
  },
  explanations: {
    refunded: text(
      "This purchase was refunded or charged back. The code is invalid.",
      "Bu satış iade ya da ters ibraz edilmiş. Kod geçersiz.",
    ),
    expired: text(
      "The subscription ended. The code is invalid until the buyer renews it.",
      "Abonelik sona ermiş. Alıcı yenileyene kadar kod geçersizdir.",
    ),
    test: text(
      "It works with test keys only. No buyer has this code.",
      "Yalnızca test anahtarlarıyla çalışır. Bu kod hiçbir alıcıya verilmemiştir.",
    ),
    unknown: text(
      "No purchase of your items has this code. If you pasted a message, paste only the code. Or ask the buyer to copy it again from the order e-mail.",
      "Ürünlerinizin hiçbir satışında bu kod yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın. Ya da alıcıdan kodu sipariş e-postasından yeniden kopyalamasını isteyin.",
    ),
  },
  supportEnded: filled("Support ended {day}", "Destek süresi doldu: {day}"),
  inText: text("Found in the text that you pasted.", "Kod, yapıştırdığınız metnin içinde bulundu."),
  others: text("The text contains more of your codes:", "Metinde size ait başka kodlar da var:"),
  licenses: {
    Regular: text("Regular", "Normal"),
    Extended: text("Extended", "Genişletilmiş"),
  },
  support: text("Supported until", "Destek bitişi"),
  noSupport: text("No support", "Destek yok"),
  downloaded: text("Downloaded", "İndirildi"),
  bought: text("Bought on", "Satın alma tarihi"),
  validUntil: text("Valid until", "Geçerlilik bitişi"),
}
