import type { ConsoleTexts } from "./console-en.ts"

export const lists: ConsoleTexts["lists"] = {
  every: "Tümü",
  none: "Bu filtreye uyan bir şey yok.",
  endFilter: " (tümünü göster)",
  more: "Devamı",
  itemName: "Ürünün adı veya ID'si",
  itemId: "ID",
}

export const search: ConsoleTexts["search"] = {
  label: "Kod, anahtar, yazar, ürün, yönetici veya sayfa arayın",
  intro:
    "Bir satın alma kodu veya onu içeren bir mesaj; bir anahtar; bir yazarın, ürünün, anahtarın, yöneticinin veya sayfanın adı ya da bir ID. Anahtar yalnızca aranır, saklanmaz. Bir anahtarı son dört karakteriyle bulmak için yazarının sayfasını açın.",
}

export const purchases: ConsoleTexts["purchases"] = {
  title: "Satışlar",
  intro: "Bir satın alma kodunu, içinde geçtiği mesajı ya da bir ürünün ID’sini yapıştırın.",
  label: "Satın alma kodu veya ürün ID’si",
  submit: "Bul",
  empty: "Önce bir kod veya ID yapıştırın.",
  unknown:
    "Bu koda ait bir satış da, bu ID’ye sahip bir ürün de yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın.",
  test: "Bu bir test kodu. Yalnızca test anahtarlarıyla çalışır; hiçbir alıcıda yoktur.",
  caseVariants: "Birkaç kod bundan yalnızca büyük ve küçük harflerle ayrılıyor:",
  inText: "Yapıştırdığınız metnin içinde bulundu.",
  others: "Metinde başka kodlar da var:",
  noBuyer: "bilinmiyor",
  purchase: "Satış",
  chooseAuthor: "Kimin satışları?",
  chooseAuthorHint: "Bir yazarın veya bir ürünün satışları listelenir. En çok istek alan yazarlar:",
  allAuthors: "Tüm yazarlar",
  history: "Bu satışta neler oldu",
  feedState: "Mağazanıza göre",
  operatorOverride: "Yöneticilere göre",
  nothing: "–",
  refunds: {
    note: "Neden",
    noteHint: "Yöneticiler bunu bu satışta ve denetim kaydında görür. Alıcılar ve yazarlar görmez.",
    refund: {
      submit: "İade edildi olarak işaretle",
      title: "Bu satış iade edildi olarak işaretlensin mi?",
      text: (code, item, author) =>
        `${author} adlı yazarın “${item}” ürününe ait ${code} kodu bütün sunucularda bir saniye içinde geçersiz olur. Mağazanız ne bildirirse bildirsin, bir yönetici işareti kaldırana kadar böyle kalır.`,
    },
    "take-back": {
      submit: "İade işaretini kaldır",
      title: "İade işareti kaldırılsın mı?",
      text: (code, item, author) =>
        `${author} adlı yazarın “${item}” ürününe ait ${code} kodu için bütün sunucularda bir saniye içinde yeniden mağazanızın bildirdiği geçerli olur.`,
    },
  },
  itemTitle: (id) => `Ürün ${id}`,
  hiddenHint: "Yayında değil: alıcıların kodları geçerli kalır.",
  visible: "Yayında",
  sold: "Satış",
}

export const keys: ConsoleTexts["keys"] = {
  title: "Anahtarlar",
  intro:
    "Bir yerde bulunan anahtarı tek başına ya da bir program satırıyla yapıştırın. Anahtar saklanmaz.",
  submit: "Bu anahtar kimin?",
  none: "Bu anahtar hiçbir hesapta yok. Eksiksiz kopyalandığından emin olun.",
  publicTest: "Bu, dokümantasyondaki test anahtarı. Hiçbir hesaba ait değil.",
  lastCharacters: "Sonu",
  active: "Çalışıyor",
  inactive: "Durdurulmuş veya süresi dolmuş",
  activeOrRotated: "Durdurulmamış, süresi dolmamış",
  calls: "İstek sayısı (7 gün)",
  shipped:
    "Bu anahtar bir ürünle dağıtılmış görünüyor: bu hafta pek çok ağdan kullanıldı. Onu bilen herkes yazarın hesabını okuyabilir.",
}
