import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

export const sites: PageTexts["sites"] = {
  title: "Siteler",
  none: "Henüz site yok. Ürününüz kodu doğrularken site bilgisini gönderdiğinde site burada görünür.",
  used: (n) => `${formatNumber(n)} sitede etkin. Site sınırı yok.`,
  usedOf: (n, limit) => `${formatNumber(n)} sitede etkin. Site sınırı: ${formatNumber(limit)}.`,
  itemLimit: "Ürünün site sınırını değiştir",
  site: "Site",
  first: "İlk görülme",
  notCounted: "Sayılmıyor",
  notCountedHint: "Sayılmıyor: 30 gündür görülmediği için etkinleştirme hakkı boşaldı.",
  test: "Test siteleri",
  testHint:
    "Yerel adresler, noktasız adlar ve staging.example.com gibi adlar. Hiçbir zaman sayılmazlar.",
  release: "Bırak",
  releaseHint:
    "Bırakılan sitenin etkinleştirme hakkı boşalır. Ürün orada hâlâ çalışıyorsa, boş hak varsa sonraki doğrulamada yeniden etkinleşir.",
  releaseAll: "Bütün siteleri bırak",
  releaseAllHint:
    "Liste uydurma sitelerle doluysa kullanın. Gerçek siteler, site sınırına kadar, sonraki doğrulamada yeniden etkinleşir.",
  released: "Site bırakıldı.",
  releasedAll: "Bütün siteler bırakıldı.",
  limit: {
    title: "Site sınırı",
    intro:
      "Site, ürününüzün kurulu olduğu yerdir; örneğin shop.example.com. Site sınırı, her satın almanın etkinleştirebileceği site sayısıdır.",
    guide: "Site sınırı nasıl çalışır",
    sites: "Satın alma başına site",
    sitesHint: "Sınır istemiyorsanız boş bırakın. Test siteleri hiçbir zaman sayılmaz.",
    others: "Lisans türüne göre site sınırı",
    othersHint: "Boş alanlarda yukarıdaki sayı geçerlidir.",
    other: "Başka bir lisans türü, pazaryerinizdeki adıyla",
    otherSites: "Bu tür için satın alma başına site",
    problem: "1 ile 200 arasında bir sayı girin ya da alanı boş bırakın.",
    noName: "Lisans türünün adını da yazın.",
    preview: "Önizleme",
    confirm: "Bu site sınırı kaydedilsin mi?",
    confirmNone: "Site sınırı kaldırılsın mı?",
    perPurchase: (n) =>
      n === null
        ? "Bir satın alma istenen sayıda siteyi etkinleştirebilir."
        : `Bir satın alma ${formatNumber(n)} siteyi etkinleştirebilir.`,
    perLicense: (license, n) => `“${license}” lisansıyla: ${formatNumber(n)} site.`,
    over: (over, purchases, n) =>
      n === null
        ? `Bugün ${formatNumber(purchases)} satın almadan ${formatNumber(over)} tanesi bundan çok sitede.`
        : `Bugün ${formatNumber(purchases)} satın almadan ${formatNumber(over)} tanesi ${formatNumber(n)} siteden fazlasında.`,
    effect:
      "Son 30 günde görülen siteler etkin kalır. Başka siteler, etkinleştirme hakkı boşalana kadar reddedilir.",
    saved: "Site sınırı kaydedildi ve geçerli oldu.",
    most: "En çok sitede kullanılan kodlar",
    noneWide: "Bu ürünün hiçbir kodu birden çok sitede etkin değil.",
    see: "Siteleri göster",
  },
  many: (code, n, limit) =>
    `${code} kodu ${formatNumber(n)} sitede etkin.${limit === null ? "" : ` Site sınırı: ${formatNumber(limit)}.`}`,
}
