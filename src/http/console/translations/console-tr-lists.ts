import type { ConsoleTexts } from "./console-en.ts"

export const lists: ConsoleTexts["lists"] = {
  every: "Tümü",
  none: "Bu filtreye uyan sonuç yok.",
  endFilter: " (tümünü göster)",
  more: "Devamı",
  itemName: "Ürünün adı veya ID'si",
}

export const search: ConsoleTexts["search"] = {
  label: "Kod, anahtar, yazar, ürün, yönetici veya sayfa arayın",
  intro:
    "Bir satın alma kodu veya onu içeren bir mesaj; bir anahtar; bir yazarın, ürünün, anahtarın, yöneticinin veya sayfanın adı ya da bir ID yazın. Pazar anahtarı saklamaz. Bir anahtarı son dört karakteriyle bulmak için yazarını açın.",
}

export const purchases: ConsoleTexts["purchases"] = {
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

export const keys: ConsoleTexts["keys"] = {
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
