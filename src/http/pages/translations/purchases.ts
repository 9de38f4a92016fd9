const en = {
  search: "Code, message with a code, item ID or buyer",
  empty: "No purchase has this code.",
  invalid: "No purchase has this code.",
  matching: "Several codes differ from this one only in upper and lower case:",
  unknown:
    "No purchase has this code, and no item has this ID. If you pasted a message, paste only the code.",
  test: "This is a test code. It works with test keys only; no buyer has it.",
  others: "The text contains more codes:",
  purchase: "Purchase",
  history: "History",
  feedState: "Imported state",
  operatorOverride: "Operator override",
  refunds: {
    note: "Note",
    noteHint: "Only operators see the note, here and in the audit log.",
    refund: {
      submit: "Mark as refunded",
      title: "Mark this purchase as refunded?",
      text: (code: string, item: string, author: string) =>
        `The code ${code} of “${item}” by ${author} is invalid within a second, on every server. This override takes precedence over imports until an operator undoes it.`,
    },
    "take-back": {
      submit: "Undo refund",
      title: "Undo this refund?",
      text: (code: string, item: string, author: string) =>
        `The imported state of the code ${code} of “${item}” by ${author} applies again within a second, on every server.`,
    },
  },
}

const tr: typeof en = {
  search: "Kod, kod içeren mesaj, ürün ID’si veya alıcı",
  empty: "Bu kodla bir satış yok.",
  invalid: "Bu kodla bir satış yok.",
  matching: "Birkaç kod bundan yalnızca büyük ve küçük harflerle ayrılıyor:",
  unknown:
    "Bu kodla bir satış ya da bu ID ile bir ürün yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın.",
  test: "Bu bir test kodu. Yalnızca test anahtarlarıyla çalışır; hiçbir alıcıda yoktur.",
  others: "Metinde başka kodlar da var:",
  purchase: "Satış",
  history: "Geçmiş",
  feedState: "İçe aktarılan durum",
  operatorOverride: "Yönetici kararı",
  refunds: {
    note: "Not",
    noteHint: "Notu yalnızca yöneticiler görür: burada ve denetim kaydında.",
    refund: {
      submit: "İade edildi olarak işaretle",
      title: "Bu satış iade edildi olarak işaretlensin mi?",
      text: (code, item, author) =>
        `${author} adlı yazarın “${item}” ürününe ait ${code} kodu bütün sunucularda bir saniye içinde geçersiz olur. Bu karar, bir yönetici kaldırana kadar içe aktarmalardan önce gelir.`,
    },
    "take-back": {
      submit: "İade işaretini kaldır",
      title: "İade işareti kaldırılsın mı?",
      text: (code, item, author) =>
        `${author} adlı yazarın “${item}” ürününe ait ${code} kodu için bütün sunucularda bir saniye içinde yeniden içe aktarılan durum geçerli olur.`,
    },
  },
}

export const purchases = { en, tr }
