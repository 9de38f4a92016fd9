import { counted, filled, text } from "./text.ts"

export const sales = {
  title: text("Sales", "Satışlar"),
  search: text("Purchase code or buyer", "Satın alma kodu veya alıcı"),
  allItems: text("All items", "Tüm ürünler"),
  noItem: text(
    "You have no item with this name or ID.",
    "Bu ada veya ID’ye sahip bir ürününüz yok.",
  ),
  states: {
    valid: text("Valid", "Geçerli"),
    refunded: text("Refunded", "İade edildi"),
    expired: text("Expired", "Süresi doldu"),
  },
  none: text(
    "No sales yet. A sale appears here when your marketplace imports it.",
    "Henüz satış yok. Pazaryeriniz bir satışı içe aktardığında burada görünür.",
  ),
  noMatch: text("No sales match.", "Eşleşen satış yok."),
  currency: text("Currency", "Para birimi"),
  date: text("Sold", "Satış tarihi"),
  supportEnd: text("Support until", "Destek bitişi"),
  sites: text("Sites", "Site"),
  searched: filled<[n: number]>(
    "Each page searches {n sale|sales}.",
    "Her sayfada {n} satış aranır.",
  ),
  searchedBuyers: filled<[n: number]>(
    "Finds buyers whose name begins with this text, up to {n sale|sales}.",
    "Adı bu metinle başlayan alıcıların en çok {n} satışını bulur.",
  ),
  count: counted("sale", "sales", "satış"),
  refunded: filled<[n: number, amounts: readonly string[]]>(
    "{n} refunded ({amounts})",
    "{n} iade ({amounts})",
  ),
  ofItem: text("Latest sales", "Son satışlar"),
  allOfItem: text("All sales", "Tüm satışlar"),
  noneOfItem: text("No sales of this item yet.", "Bu ürün henüz satılmadı."),
}

export const items = {
  title: text("Items", "Ürünler"),
  search: text("Search by name or ID", "Ada veya ID'ye göre arayın"),
  published: text("Published", "Yayımlanma"),
  states: { visible: text("Visible", "Yayında"), hidden: text("Hidden", "Yayında değil") },
  noMatch: filled("No item matches “{text}”.", "“{text}” ile eşleşen ürün yok."),
  none: text(
    "No items yet. Items appear here when your marketplace imports them.",
    "Henüz ürün yok. Pazaryeriniz içe aktardığında burada görünür.",
  ),
  regular: text("Regular license", "Normal lisans"),
  extended: text("Extended license", "Genişletilmiş lisans"),
  category: text("Category", "Kategori"),
  id: text("ID", "ID"),
  demo: text("Open the demo", "Demoyu aç"),
  hiddenNote: text(
    "The API does not return hidden items. Purchase codes of hidden items stay valid.",
    "API, yayında olmayan ürünleri döndürmez. Bu ürünlerin satın alma kodları geçerli kalır.",
  ),
  movedKeys: {
    title: text("Keys of a previous author in use", "Önceki yazarın kullanılan anahtarları"),
    intro: text(
      "These validation keys were created for this item. Sold products contain them, so they stay valid for it.",
      "Bu doğrulama anahtarları bu ürün için oluşturuldu. Satılmış ürünlerde bulundukları için bu ürünü doğrulamaya devam ederler.",
    ),
    revoke: text("Revoke for this item", "Bu ürün için iptal et"),
    why: text(
      "Products with this key can no longer validate this item until they are updated. The key’s other items are not affected. You cannot undo this.",
      "Bu anahtarı içeren ürünler güncellenene kadar bu ürünü doğrulayamaz. Anahtarın diğer ürünleri etkilenmez. Bu işlem geri alınamaz.",
    ),
  },
  asJson: text("API response for this item", "Bu ürünün API yanıtı"),
}

export const purchases = {
  search: text("Code, buyer or author", "Kod, alıcı veya yazar"),
  empty: text("No purchase has this code.", "Bu kodla bir satış yok."),
  invalid: text("No purchase has this code.", "Bu kodla bir satış yok."),
  matching: text(
    "Several codes differ from this one only in upper and lower case:",
    "Birkaç kod bundan yalnızca büyük ve küçük harflerle ayrılıyor:",
  ),
  unknown: text(
    "No purchase has this code or a buyer whose name begins with this text. If you pasted a message, paste only the code.",
    "Bu kodla veya adı bu metinle başlayan bir alıcıyla satış yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın.",
  ),
  test: text(
    "This is a test code. It works with test keys only; no buyer has it.",
    "Bu bir test kodu. Yalnızca test anahtarlarıyla çalışır; hiçbir alıcıda yoktur.",
  ),
  allAuthors: text("All authors", "Tüm yazarlar"),
  several: text("Several match. Choose one:", "Birkaç eşleşme var. Birini seçin:"),
  salesOf: text("Sales of:", "Satışları:"),
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
      text: filled<[code: string, item: string, author: string]>(
        "The code {code} of “{item}” by {author} is invalid within a second, on every server. This override takes precedence over imports until an operator undoes it.",
        "{author} adlı yazarın “{item}” ürününe ait {code} kodu bütün sunucularda bir saniye içinde geçersiz olur. Bu karar, bir yönetici kaldırana kadar içe aktarmalardan önce gelir.",
      ),
    },
    "take-back": {
      submit: text("Undo refund", "İade işaretini kaldır"),
      title: text("Undo this refund?", "İade işareti kaldırılsın mı?"),
      text: filled<[code: string, item: string, author: string]>(
        "The imported state of the code {code} of “{item}” by {author} applies again within a second, on every server.",
        "{author} adlı yazarın “{item}” ürününe ait {code} kodu için bütün sunucularda bir saniye içinde yeniden içe aktarılan durum geçerli olur.",
      ),
    },
  },
}

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
  licenses: { Regular: text("Regular", "Normal"), Extended: text("Extended", "Genişletilmiş") },
  support: text("Supported until", "Destek bitişi"),
  noSupport: text("No support", "Destek yok"),
  downloaded: text("Downloaded", "İndirildi"),
  bought: text("Bought on", "Satın alma tarihi"),
  validUntil: text("Valid until", "Geçerlilik bitişi"),
}
