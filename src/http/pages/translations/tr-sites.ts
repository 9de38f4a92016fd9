import { number } from "./counting.ts"
import type { Words } from "./en.ts"

export const sites: Words["sites"] = {
  title: "Siteler",
  none: "Henüz site yok. Ürününüz bir sitede kodu doğrulayıp adresini gönderdiğinde o site burada görünür.",
  used: (n) => `${number(n)} sitede kullanılıyor. Sınır yok.`,
  usedOf: (n, limit) => `${number(n)} sitede kullanılıyor. Sınır: ${number(limit)} site.`,
  itemLimit: "Ürünün sınırını değiştir",
  site: "Site",
  first: "İlk görülme",
  given: "Sayılmıyor",
  givenHint: "Sayılmıyor: 30 gündür görülmediği için yeri yeniden boş.",
  test: "Test siteleri",
  testHint:
    "Yerel adresler, noktasız adlar ve staging.example.com gibi adlar. Hiçbir zaman sayılmazlar.",
  release: "Bırak",
  releaseHint:
    "Bırakılan site artık sayılmaz. Ürün orada hâlâ kullanılıyorsa, sayılan siteler sınırın altında kaldığı sürece bir sonraki doğrulamada geri gelir.",
  releaseAll: "Bütün siteleri bırak",
  releaseAllHint:
    "Liste uydurma sitelerle doluysa bunu kullanın. Gerçekten kullanılan siteler, sınıra kadar, bir sonraki doğrulamada geri gelir.",
  released: "Site bırakıldı.",
  releasedAll: "Bütün siteler bırakıldı.",
  limit: {
    title: "Satın alma başına site sayısı",
    intro:
      "Site, alıcının ürününüzü kurduğu yerdir; örneğin shop.example.com. Her satın almanın kaç sitede kullanılabileceğini sınırlayabilirsiniz.",
    guide: "Sınır nasıl çalışır",
    sites: "Site sayısı",
    sitesHint: "Sınır istemiyorsanız boş bırakın. Test siteleri hiçbir zaman sayılmaz.",
    others: "Bazı lisanslar için farklı sayılar",
    othersHint: "Boş bırakılan alanda yukarıdaki sayı geçerlidir.",
    other: "Başka bir lisans türü, pazaryerinizdeki adıyla",
    otherSites: "Bu tür için site sayısı",
    problem: "1 ile 200 arasında bir sayı girin ya da alanı boş bırakın.",
    noName: "Lisans türünün adını da yazın.",
    preview: "Etkisini göster",
    confirm: "Bu sınır kaydedilsin mi?",
    confirmNone: "Sınır kaldırılsın mı?",
    told: (n) =>
      n === null
        ? "Bir satın alma istenen sayıda sitede kullanılabilir."
        : `Bir satın alma ${number(n)} sitede kullanılabilir.`,
    toldOf: (licence, n) => `“${licence}” lisansıyla: ${number(n)} site.`,
    over: (over, purchases, n) =>
      n === null
        ? `Bugün ${number(purchases)} satın almadan ${number(over)} tanesi bundan çok sitede.`
        : `Bugün ${number(purchases)} satın almadan ${number(over)} tanesi ${number(n)} siteden çok yerde.`,
    effect:
      "Son 30 günde görülen siteler çalışmaya devam eder. Sınırı aşan başka bir site, bir yer boşalana kadar reddedilir.",
    saved: "Sınır kaydedildi ve hemen geçerli oldu.",
    most: "En çok sitede kullanılan kodlar",
    noneWide: "Bu ürünün hiçbir kodu birden çok sitede kullanılmıyor.",
    see: "Sitelerini göster",
  },
  many: (code, n, limit) =>
    `${code} kodu ${number(n)} sitede kullanılıyor.${limit === null ? "" : ` Sınır: ${number(limit)} site.`}`,
}
