import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

export const sites: PageTexts["sites"] = {
  title: "Siteler",
  none: "Henüz site yok. Ürününüz bir sitede kodu doğrulayıp adresini gönderdiğinde o site burada görünür.",
  used: (n) => `${formatNumber(n)} sitede kullanılıyor. Sınır yok.`,
  usedOf: (n, limit) =>
    `${formatNumber(n)} sitede kullanılıyor. Sınır: ${formatNumber(limit)} site.`,
  itemLimit: "Ürünün sınırını değiştir",
  site: "Site",
  first: "İlk görülme",
  notCounted: "Sayılmıyor",
  notCountedHint: "Sayılmıyor: 30 gündür görülmediği için yeri yeniden boş.",
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
    perPurchase: (n) =>
      n === null
        ? "Bir satın alma istenen sayıda sitede kullanılabilir."
        : `Bir satın alma ${formatNumber(n)} sitede kullanılabilir.`,
    perLicense: (licence, n) => `“${licence}” lisansıyla: ${formatNumber(n)} site.`,
    over: (over, purchases, n) =>
      n === null
        ? `Bugün ${formatNumber(purchases)} satın almadan ${formatNumber(over)} tanesi bundan çok sitede.`
        : `Bugün ${formatNumber(purchases)} satın almadan ${formatNumber(over)} tanesi ${formatNumber(n)} siteden çok yerde.`,
    effect:
      "Son 30 günde görülen siteler çalışmaya devam eder. Sınırı aşan başka bir site, bir yer boşalana kadar reddedilir.",
    saved: "Sınır kaydedildi ve hemen geçerli oldu.",
    most: "En çok sitede kullanılan kodlar",
    noneWide: "Bu ürünün hiçbir kodu birden çok sitede kullanılmıyor.",
    see: "Sitelerini göster",
  },
  many: (code, n, limit) =>
    `${code} kodu ${formatNumber(n)} sitede kullanılıyor.${limit === null ? "" : ` Sınır: ${formatNumber(limit)} site.`}`,
}
