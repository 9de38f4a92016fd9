import { count, filled, formatNumber, text } from "./text.ts"

/** Texts about the sites where a code is activated. */
export const sites = {
  title: text("Sites", "Siteler"),
  none: text(
    "No sites yet. A site appears here when your product validates the code and sends the site.",
    "Henüz site yok. Ürününüz kodu doğrularken site bilgisini gönderdiğinde site burada görünür.",
  ),
  used: filled<[n: number]>(
    "Active on {n site|sites}. No site limit.",
    "{n} sitede etkin. Site sınırı yok.",
  ),
  usedOf: filled<[n: number, limit: number]>(
    "Active on {n site|sites}. The site limit is {limit}.",
    "{n} sitede etkin. Site sınırı: {limit}.",
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
    perLicense: filled<[license: string, n: number]>(
      "With the license “{license}”: {n site|sites}.",
      "“{license}” lisansıyla: {n} site.",
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

/** Texts of the page where a buyer sees a purchase and releases its sites. */
export const license = {
  title: text("Your license", "Lisansınız"),
  intro: text(
    "See whether your purchase code is valid and where it is used.",
    "Satın alma kodunuzun geçerli olup olmadığını ve nerede kullanıldığını görün.",
  ),
  hint: text("It is in the e-mail about your purchase.", "Kod, satın alma e-postanızdadır."),
  submit: text("Show", "Göster"),
  problems: {
    empty: text("Enter your purchase code.", "Satın alma kodunuzu girin."),
    unknown: text(
      "Unknown purchase code. Copy it again from the e-mail about your purchase. After a new purchase it can take a few minutes.",
      "Bilinmeyen satın alma kodu. Kodu satın alma e-postanızdan yeniden kopyalayın. Yeni bir satın almadan sonra birkaç dakika sürebilir.",
    ),
  },
  states: {
    valid: text("This purchase code is valid.", "Bu satın alma kodu geçerli."),
    refunded: text(
      "This purchase was refunded or charged back. The code is invalid.",
      "Bu satın alma iade ya da ters ibraz edildi. Kod geçersiz.",
    ),
    expired: text(
      "Your subscription ended. The code is invalid until you renew it.",
      "Aboneliğiniz sona erdi. Yenileyene kadar kod geçersizdir.",
    ),
    suspended: text(
      "This purchase code cannot be validated because its author is suspended.",
      "Yazarının hesabı askıya alındığı için bu satın alma kodu doğrulanamıyor.",
    ),
  },
  sites: {
    none: text("Not used on any site.", "Hiçbir sitede kullanılmıyor."),
    masked: text(
      "Names are masked, because others may know this code.",
      "Bu kodu başkaları da bilebileceği için adlar gizlenir.",
    ),
    latest: filled<[n: number]>(
      "These are the {n} sites seen last.",
      "Son görülen {n} site gösteriliyor.",
    ),
    left: text(
      (n: number) =>
        n === 0
          ? "You cannot release more sites from here: five within 30 days are allowed."
          : `You can release ${count(n, "more site", "more sites")} within 30 days.`,
      (n) =>
        n === 0
          ? "Buradan başka site bırakamazsınız: 30 günde beş site bırakılabilir."
          : `30 gün içinde ${formatNumber(n)} site daha bırakabilirsiniz.`,
    ),
    change: {
      release: text("Release", "Bırak"),
      reclaim: text("Use it here again", "Yeniden burada kullan"),
    },
  },
  confirm: {
    release: {
      title: filled("Release {site}?", "{site} bırakılsın mı?"),
      text: text(
        "Its slot becomes free immediately. The product there stops being active, unless a slot is free when it validates again.",
        "Etkinleştirme hakkı hemen boşalır. Oradaki ürün, yeniden doğrulandığında boş hak yoksa etkin olmaz.",
      ),
      noSlot: text(
        "This site takes no slot, so releasing it frees none.",
        "Bu site hak kullanmıyor; bırakılması bir hak boşaltmaz.",
      ),
    },
    reclaim: {
      title: filled(
        "Use the code on {site} again?",
        "Kod yeniden {site} sitesinde kullanılsın mı?",
      ),
      text: filled(
        "{losing} was activated later and loses its slot. Then validate the code again in the product’s settings.",
        "Daha sonra etkinleşen {losing} hakkını kaybeder. Ardından kodu, ürünün ayarlarında yeniden doğrulayın.",
      ),
    },
  },
  done: {
    release: filled("{site} was released.", "{site} bırakıldı."),
    reclaim: filled(
      "The slot for {site} is free. Validate the code again in the product’s settings there.",
      "{site} için hak boşaldı. Kodu, oradaki ürünün ayarlarında yeniden doğrulayın.",
    ),
  },
  absent: text(
    "This has changed in the meantime. Look at the sites below.",
    "Bu sırada bir değişiklik oldu. Aşağıdaki sitelere bakın.",
  ),
  tooMany: filled(
    "Five sites were released within 30 days. You can release the next one on {day}.",
    "30 gün içinde beş site bırakıldı. Sonraki siteyi şu tarihte bırakabilirsiniz: {day}.",
  ),
}

/** Texts of the page for offline activation. */
export const activation = {
  title: text("Offline activation", "Çevrimdışı etkinleştirme"),
  intro: text(
    "For products that cannot connect to this server. Enter your purchase code, then paste the receipt into the product’s settings.",
    "Bu sunucuya bağlanamayan ürünler için. Satın alma kodunuzu girin, etkinleştirme belgesini ürünün ayarlarına yapıştırın.",
  ),
  site: text("The receipt is for this site only:", "Belge yalnızca şu site için geçerlidir:"),
  submit: text("Get a receipt", "Belge al"),
  receipt: text("Receipt", "Etkinleştirme belgesi"),
  pasteSoon: text(
    "Paste it soon. It is valid for a limited time.",
    "Belgeyi kısa sürede yapıştırın; sınırlı bir süre geçerlidir.",
  ),
  license: text("See your license and its sites", "Lisansınızı ve sitelerini görün"),
  outcomes: {
    no_script: text(
      "This page requires JavaScript. Enable it and open the link again.",
      "Bu sayfa JavaScript gerektirir. Etkinleştirip bağlantıyı yeniden açın.",
    ),
    no_link: text(
      "This URL is incomplete. Open the link in the product’s settings again.",
      "Bu URL eksik. Ürünün ayarlarındaki bağlantıyı yeniden açın.",
    ),
    validating: text("Checking the code…", "Kod doğrulanıyor…"),
    ok: text(
      "The code is valid. Copy the receipt and paste it into your product.",
      "Kod geçerli. Belgeyi kopyalayın ve ürününüze yapıştırın.",
    ),
    unknown_code: text(
      "This purchase code is invalid. Check it.",
      "Bu satın alma kodu geçersiz. Kodu kontrol edin.",
    ),
    revoked_code: text(
      "This purchase was refunded or charged back.",
      "Bu satın alma iade ya da ters ibraz edildi.",
    ),
    expired_code: text(
      "The subscription of this purchase has ended.",
      "Bu satın almanın aboneliği sona erdi.",
    ),
    site_limit: text(
      "This purchase code has reached its site limit. See your license below to release another site. A site not seen for 30 days frees its slot.",
      "Bu satın alma kodunun site sınırı dolu. Başka bir siteyi bırakmak için aşağıdan lisansınızı açın. 30 gün görülmeyen bir sitenin etkinleştirme hakkı kendiliğinden boşalır.",
    ),
    key: text(
      "The product’s key is no longer valid. Update the product, or ask its author.",
      "Ürünün anahtarı artık geçerli değil. Ürünü güncelleyin ya da yazarına danışın.",
    ),
    unknown: text(
      "The code cannot be validated right now. It may still be valid. Try again in a few minutes.",
      "Kod şu anda doğrulanamıyor. Kod yine de geçerli olabilir. Birkaç dakika sonra yeniden deneyin.",
    ),
  },
}
