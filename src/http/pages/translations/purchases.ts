const en = {
  title: "Purchases",
  intro: "Paste a purchase code, a message that contains one, or an item ID.",
  label: "Purchase code or item ID",
  submit: "Look up",
  empty: "Paste a code or an ID first.",
  unknown:
    "No purchase has this code, and no item has this ID. If you pasted a message, paste only the code.",
  test: "This is a test code. It works with test keys only; no buyer has it.",
  caseVariants: "Several codes differ from this one only in upper and lower case:",
  inText: "Found in the text that you pasted.",
  others: "The text contains more codes:",
  noBuyer: "unknown",
  purchase: "Purchase",
  chooseAuthor: "Choose an author",
  chooseAuthorHint: "Purchases are listed by author or item. These authors had the most requests.",
  allAuthors: "All authors",
  history: "History",
  feedState: "Imported state",
  operatorOverride: "Operator override",
  nothing: "–",
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
  itemTitle: (id: number) => `Item ${id}`,
  hiddenHint: "Hidden: its purchase codes stay valid.",
  visible: "Visible",
  sold: "Sold",
}

const tr: typeof en = {
  title: "Satışlar",
  intro: "Bir satın alma kodunu, onu içeren bir mesajı ya da bir ürün ID’sini yapıştırın.",
  label: "Satın alma kodu veya ürün ID’si",
  submit: "Bul",
  empty: "Önce bir kod veya ID yapıştırın.",
  unknown:
    "Bu kodla bir satış ya da bu ID ile bir ürün yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın.",
  test: "Bu bir test kodu. Yalnızca test anahtarlarıyla çalışır; hiçbir alıcıda yoktur.",
  caseVariants: "Birkaç kod bundan yalnızca büyük ve küçük harflerle ayrılıyor:",
  inText: "Yapıştırdığınız metnin içinde bulundu.",
  others: "Metinde başka kodlar da var:",
  noBuyer: "bilinmiyor",
  purchase: "Satış",
  chooseAuthor: "Yazar seçin",
  chooseAuthorHint: "Satışlar yazara veya ürüne göre listelenir. En çok istek gönderen yazarlar:",
  allAuthors: "Tüm yazarlar",
  history: "Geçmiş",
  feedState: "İçe aktarılan durum",
  operatorOverride: "Yönetici kararı",
  nothing: "–",
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
  itemTitle: (id) => `Ürün ${id}`,
  hiddenHint: "Yayında değil: satın alma kodları geçerli kalır.",
  visible: "Yayında",
  sold: "Satış",
}

export const purchases = { en, tr }
