import { count, formatNumber } from "./plurals.ts"

/** Texts about the sites where a code is activated. */
const en = {
  title: "Sites",
  none: "No sites yet. A site appears here when your product validates the code and sends the site.",
  used: (n: number) => `Active on ${count(n, "site", "sites")}. No site limit.`,
  usedOf: (n: number, limit: number) =>
    `Active on ${count(n, "site", "sites")}. The site limit is ${limit.toLocaleString("en")}.`,
  itemLimit: "Change the site limit of the item",
  ownLimit: "Site limit of this purchase",
  ownLimitHint: "Leave empty to apply the site limit of the item.",
  site: "Site",
  first: "First seen",
  states: { active: "Active", unused: "Unused", test: "Test site" },
  release: "Release",
  releaseHint:
    "A released site is activated again by its next validation, while a slot is free. Test sites and unused ones, not seen for 30 days, take no slot.",
  releaseAll: "Release all sites",
  released: (site: string) => `${site} was released.`,
  limit: {
    title: "Site limit",
    intro:
      "A site is an installation of your product, such as shop.example.com. The site limit is the number of sites that each purchase can activate.",
    guide: "How the site limit works",
    sites: "Sites per purchase",
    sitesHint: "Leave empty for no limit. Test sites never count.",
    others: "Site limits by license type",
    othersHint: "If a field is empty, the number above applies.",
    other: "Other license type, exactly as your marketplace names it",
    otherSites: "Sites per purchase for this type",
    problem: "Enter a number from 1 to 10,000, or leave the field empty.",
    noName: "Enter the license type, too.",
    preview: "Preview",
    confirm: "Save this site limit?",
    confirmNone: "Remove the site limit?",
    perPurchase: (n: number | null) =>
      n === null
        ? "A purchase can activate any number of sites."
        : `A purchase can activate ${count(n, "site", "sites")}.`,
    perLicense: (license: string, n: number) =>
      `With the license “${license}”: ${count(n, "site", "sites")}.`,
    over: (over: number, purchases: number, n: number | null) => {
      const of = `${over.toLocaleString("en")} of ${count(purchases, "purchase", "purchases")} ${over === 1 ? "is" : "are"}`
      return n === null
        ? `${of} on more sites than that today.`
        : `${of} on more than ${count(n, "site", "sites")} today.`
    },
    effect:
      "Sites seen in the last 30 days stay active. Further sites are rejected until a slot is free.",
    saved: "The site limit was saved and applies now.",
    most: "Codes on the most sites",
    noneWide: "No code of this item is active on more than one site.",
  },
  many: (item: string, code: string, n: number, limit: number | null) =>
    `${item}: the code ${code} is active on ${count(n, "site", "sites")}.${limit === null ? "" : ` The site limit is ${limit.toLocaleString("en")}.`}`,
}

const tr: typeof en = {
  title: "Siteler",
  none: "Henüz site yok. Ürününüz kodu doğrularken site bilgisini gönderdiğinde site burada görünür.",
  used: (n) => `${formatNumber(n)} sitede etkin. Site sınırı yok.`,
  usedOf: (n, limit) => `${formatNumber(n)} sitede etkin. Site sınırı: ${formatNumber(limit)}.`,
  itemLimit: "Ürünün site sınırını değiştir",
  ownLimit: "Bu satın almanın site sınırı",
  ownLimitHint: "Ürünün site sınırı geçerli olsun istiyorsanız boş bırakın.",
  site: "Site",
  first: "İlk görülme",
  states: { active: "Etkin", unused: "Kullanılmıyor", test: "Test sitesi" },
  release: "Bırak",
  releaseHint:
    "Bırakılan site, boş hak varsa sonraki doğrulamada yeniden etkinleşir. Test siteleri ve 30 gündür görülmediği için kullanılmıyor sayılan siteler hak harcamaz.",
  releaseAll: "Bütün siteleri bırak",
  released: (site) => `${site} bırakıldı.`,
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
    problem: "1 ile 10.000 arasında bir sayı girin ya da alanı boş bırakın.",
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
  },
  many: (item, code, n, limit) =>
    `${item}: ${code} kodu ${formatNumber(n)} sitede etkin.${limit === null ? "" : ` Site sınırı: ${formatNumber(limit)}.`}`,
}

export const sites = { en, tr }
