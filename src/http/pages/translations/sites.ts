import { count, filled, formatNumber, text } from "./text.ts"

/** Texts about the sites where a code is activated. */
export const sites = {
  title: text("Sites", "Siteler"),
  none: text(
    "No sites yet. A site appears here when your product validates the code and sends the site.",
    "Henüz site yok. Ürününüz kodu doğrularken site bilgisini gönderdiğinde site burada görünür.",
  ),
  used: text(
    (n: number) => `Active on ${count(n, "site", "sites")}. No site limit.`,
    (n) => `${formatNumber(n)} sitede etkin. Site sınırı yok.`,
  ),
  usedOf: text(
    (n: number, limit: number) =>
      `Active on ${count(n, "site", "sites")}. The site limit is ${limit.toLocaleString("en")}.`,
    (n, limit) => `${formatNumber(n)} sitede etkin. Site sınırı: ${formatNumber(limit)}.`,
  ),
  itemLimit: text("Change the site limit of the item", "Ürünün site sınırını değiştir"),
  ownLimit: text("Site limit of this purchase", "Bu satın almanın site sınırı"),
  ownLimitHint: text(
    "Leave empty to apply the site limit of the item.",
    "Ürünün site sınırı geçerli olsun istiyorsanız boş bırakın.",
  ),
  site: text("Site", "Site"),
  first: text("First seen", "İlk görülme"),
  states: {
    active: text("Active", "Etkin"),
    unused: text("Unused", "Kullanılmıyor"),
    test: text("Test site", "Test sitesi"),
  },
  release: text("Release", "Bırak"),
  releaseHint: text(
    "A released site is activated again by its next validation, while a slot is free. Test sites and unused ones, not seen for 30 days, take no slot.",
    "Bırakılan site, boş hak varsa sonraki doğrulamada yeniden etkinleşir. Test siteleri ve 30 gündür görülmediği için kullanılmıyor sayılan siteler hak harcamaz.",
  ),
  releaseAll: text("Release all sites", "Bütün siteleri bırak"),
  released: filled("{site} was released.", "{site} bırakıldı."),
  limit: {
    title: text("Site limit", "Site sınırı"),
    intro: text(
      "A site is an installation of your product, such as shop.example.com. The site limit is the number of sites that each purchase can activate.",
      "Site, ürününüzün kurulu olduğu yerdir; örneğin shop.example.com. Site sınırı, her satın almanın etkinleştirebileceği site sayısıdır.",
    ),
    guide: text("How the site limit works", "Site sınırı nasıl çalışır"),
    sites: text("Sites per purchase", "Satın alma başına site"),
    sitesHint: text(
      "Leave empty for no limit. Test sites never count.",
      "Sınır istemiyorsanız boş bırakın. Test siteleri hiçbir zaman sayılmaz.",
    ),
    others: text("Site limits by license type", "Lisans türüne göre site sınırı"),
    othersHint: text(
      "If a field is empty, the number above applies.",
      "Boş alanlarda yukarıdaki sayı geçerlidir.",
    ),
    other: text(
      "Other license type, exactly as your marketplace names it",
      "Başka bir lisans türü, pazaryerinizdeki adıyla",
    ),
    otherSites: text("Sites per purchase for this type", "Bu tür için satın alma başına site"),
    problem: text(
      "Enter a number from 1 to 10,000, or leave the field empty.",
      "1 ile 10.000 arasında bir sayı girin ya da alanı boş bırakın.",
    ),
    noName: text("Enter the license type, too.", "Lisans türünün adını da yazın."),
    preview: text("Preview", "Önizleme"),
    confirm: text("Save this site limit?", "Bu site sınırı kaydedilsin mi?"),
    confirmNone: text("Remove the site limit?", "Site sınırı kaldırılsın mı?"),
    perPurchase: text(
      (n: number | null) =>
        n === null
          ? "A purchase can activate any number of sites."
          : `A purchase can activate ${count(n, "site", "sites")}.`,
      (n) =>
        n === null
          ? "Bir satın alma istenen sayıda siteyi etkinleştirebilir."
          : `Bir satın alma ${formatNumber(n)} siteyi etkinleştirebilir.`,
    ),
    perLicense: text(
      (license: string, n: number) =>
        `With the license “${license}”: ${count(n, "site", "sites")}.`,
      (license, n) => `“${license}” lisansıyla: ${formatNumber(n)} site.`,
    ),
    over: text(
      (over: number, purchases: number, n: number | null) => {
        const of = `${over.toLocaleString("en")} of ${count(purchases, "purchase", "purchases")} ${over === 1 ? "is" : "are"}`
        return n === null
          ? `${of} on more sites than that today.`
          : `${of} on more than ${count(n, "site", "sites")} today.`
      },
      (over, purchases, n) =>
        n === null
          ? `Bugün ${formatNumber(purchases)} satın almadan ${formatNumber(over)} tanesi bundan çok sitede.`
          : `Bugün ${formatNumber(purchases)} satın almadan ${formatNumber(over)} tanesi ${formatNumber(n)} siteden fazlasında.`,
    ),
    effect: text(
      "Sites seen in the last 30 days stay active. Further sites are rejected until a slot is free.",
      "Son 30 günde görülen siteler etkin kalır. Başka siteler, etkinleştirme hakkı boşalana kadar reddedilir.",
    ),
    most: text("Codes on the most sites", "En çok sitede kullanılan kodlar"),
    noneWide: text(
      "No code of this item is active on more than one site.",
      "Bu ürünün hiçbir kodu birden çok sitede etkin değil.",
    ),
  },
  many: text(
    (item: string, code: string, n: number, limit: number | null) =>
      `${item}: the code ${code} is active on ${count(n, "site", "sites")}.${limit === null ? "" : ` The site limit is ${limit.toLocaleString("en")}.`}`,
    (item, code, n, limit) =>
      `${item}: ${code} kodu ${formatNumber(n)} sitede etkin.${limit === null ? "" : ` Site sınırı: ${formatNumber(limit)}.`}`,
  ),
}
