import { text } from "./text.ts"

export const purchases = {
  search: text(
    "Code, message with a code, item ID or buyer",
    "Kod, kod içeren mesaj, ürün ID’si veya alıcı",
  ),
  empty: text("No purchase has this code.", "Bu kodla bir satış yok."),
  invalid: text("No purchase has this code.", "Bu kodla bir satış yok."),
  matching: text(
    "Several codes differ from this one only in upper and lower case:",
    "Birkaç kod bundan yalnızca büyük ve küçük harflerle ayrılıyor:",
  ),
  unknown: text(
    "No purchase has this code, and no item has this ID. If you pasted a message, paste only the code.",
    "Bu kodla bir satış ya da bu ID ile bir ürün yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın.",
  ),
  test: text(
    "This is a test code. It works with test keys only; no buyer has it.",
    "Bu bir test kodu. Yalnızca test anahtarlarıyla çalışır; hiçbir alıcıda yoktur.",
  ),
  others: text("The text contains more codes:", "Metinde başka kodlar da var:"),
  purchase: text("Purchase", "Satış"),
  history: text("History", "Geçmiş"),
  feedState: text("Imported state", "İçe aktarılan durum"),
  operatorOverride: text("Operator override", "Yönetici kararı"),
  refunds: {
    note: text("Note", "Not"),
    noteHint: text(
      "Only operators see the note, here and in the audit log.",
      "Notu yalnızca yöneticiler görür: burada ve denetim kaydında.",
    ),
    refund: {
      submit: text("Mark as refunded", "İade edildi olarak işaretle"),
      title: text(
        "Mark this purchase as refunded?",
        "Bu satış iade edildi olarak işaretlensin mi?",
      ),
      text: text(
        (code: string, item: string, author: string) =>
          `The code ${code} of “${item}” by ${author} is invalid within a second, on every server. This override takes precedence over imports until an operator undoes it.`,
        (code, item, author) =>
          `${author} adlı yazarın “${item}” ürününe ait ${code} kodu bütün sunucularda bir saniye içinde geçersiz olur. Bu karar, bir yönetici kaldırana kadar içe aktarmalardan önce gelir.`,
      ),
    },
    "take-back": {
      submit: text("Undo refund", "İade işaretini kaldır"),
      title: text("Undo this refund?", "İade işareti kaldırılsın mı?"),
      text: text(
        (code: string, item: string, author: string) =>
          `The imported state of the code ${code} of “${item}” by ${author} applies again within a second, on every server.`,
        (code, item, author) =>
          `${author} adlı yazarın “${item}” ürününe ait ${code} kodu için bütün sunucularda bir saniye içinde yeniden içe aktarılan durum geçerli olur.`,
      ),
    },
  },
}
