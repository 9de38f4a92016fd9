import { number } from "../../pages/translations/counting.ts"
import type { keys as enKeys, purchases as enPurchases } from "./en-purchases.ts"

export const purchases: typeof enPurchases = {
  title: "Satışlar ve ürünler",
  intro: "Bir satın alma kodunu, içinde geçtiği mesajı ya da bir ürünün numarasını yapıştırın.",
  label: "Satın alma kodu veya ürün numarası",
  submit: "Bul",
  problems: {
    blank: "Önce bir kod veya numara yapıştırın.",
    invalid: "Bu, satın alma kodu olamayacak kadar uzun.",
  },
  unknown: "Bu koda ait bir satış da, bu numaraya sahip bir ürün de yok.",
  test: "Bu bir test kodu. Yalnızca test anahtarlarıyla çalışır; hiçbir alıcıda yoktur.",
  alike: "Birkaç kod bundan yalnızca büyük ve küçük harflerle ayrılıyor:",
  inText: "Yapıştırdığınız metnin içinde bulundu.",
  others: "Metinde başka kodlar da var:",
  author: "Yazar",
  state: "Durum",
  buyer: "Alıcı",
  noBuyer: "bilinmiyor",
  byStore: "Mağazanıza göre",
  byOperator: "Yöneticilere göre",
  nothing: "belirtilmemiş",
  refunds: {
    refund: {
      submit: "İade edildi olarak işaretle",
      title: "Bu satış iade edildi olarak işaretlensin mi?",
      text: (code, item, author) =>
        `${author} adlı yazarın “${item}” ürününe ait ${code} kodu bütün sunucularda hemen geçersiz olur. Mağazanız ne bildirirse bildirsin, bir yönetici işareti kaldırana kadar böyle kalır.`,
    },
    "take-back": {
      submit: "İade işaretini kaldır",
      title: "İade işareti kaldırılsın mı?",
      text: (code, item, author) =>
        `${author} adlı yazarın “${item}” ürününe ait ${code} kodu için bütün sunucularda hemen yeniden mağazanızın bildirdiği geçerli olur.`,
    },
  },
  itemTitle: (id) => `Ürün ${id}`,
  hidden: "Yayında değil: alıcıların kodları geçerli kalır.",
  visible: "Yayında",
  sold: "Satış",
  lastAsked: "Kodun son sorgulandığı gün",
  neverAsked: "henüz kayıtlı bir sorgu yok",
  asked: "Bu ürünün kodlarının son sorgulanması",
  never: "son 30 günde sorgulanmadı",
  askedCalls: (n) => `son 30 günde ${number(n)} başarılı doğrulama`,
}

export const keys: typeof enKeys = {
  title: "Anahtarlar",
  intro:
    "Bir yerde bulunan anahtarı tek başına ya da bir program satırıyla yapıştırın. Anahtar saklanmaz.",
  label: "Anahtar",
  submit: "Bu anahtar kimin?",
  blank: "Önce bir anahtar yapıştırın.",
  none: "Bu anahtar hiçbir hesapta yok. Eksiksiz kopyalandığından emin olun.",
  publicTest: "Bu, dokümantasyondaki test anahtarı. Hiçbir hesaba ait değil.",
  author: "Yazar",
  key: "Anahtar",
  state: "Durum",
  kind: "Tür",
  items: "Ürünler",
  networks: "Ağ sayısı (7 gün)",
  calls: "İstek sayısı (24 saat)",
  shipped:
    "Bu anahtar bir ürünle dağıtılmış görünüyor: bu hafta pek çok ağdan kullanıldı. Onu bilen herkes yazarın hesabını okuyabilir.",
}
