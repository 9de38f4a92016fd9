import { count, formatNumber } from "./plurals.ts"

/** Texts of the page where a buyer sees a purchase and releases its sites. */
const en = {
  title: "Your license",
  intro: "See whether your purchase code is valid and where it is used.",
  hint: "It is in the e-mail about your purchase.",
  submit: "Show",
  problems: {
    empty: "Enter your purchase code.",
    unknown:
      "Unknown purchase code. Copy it again from the e-mail about your purchase. After a new purchase it can take a few minutes.",
  },
  states: {
    valid: "This purchase code is valid.",
    refunded: "This purchase was refunded or charged back. The code is invalid.",
    expired: "Your subscription ended. The code is invalid until you renew it.",
    suspended: "This purchase code cannot be validated because its author is suspended.",
  },
  sites: {
    none: "Not used on any site.",
    masked: "Names are masked, because others may know this code.",
    latest: (n: number) => `These are the ${n.toLocaleString("en")} sites seen last.`,
    left: (n: number) =>
      n === 0
        ? "You cannot release more sites: five within 30 days are allowed."
        : `You can release ${count(n, "more site", "more sites")} within 30 days.`,
    released: "Released",
    change: { release: "Release", reclaim: "Use it here again" },
  },
  confirm: {
    release: {
      title: (site: string) => `Release ${site}?`,
      text: "Its slot becomes free immediately. The product there stops being active, unless a slot is free when it validates again.",
      noSlot: "This site takes no slot, so releasing it frees none.",
    },
    reclaim: {
      title: (site: string) => `Use the code on ${site} again?`,
      text: (losing: string) =>
        `${losing} was activated later and loses its slot. Then validate the code again in the product’s settings.`,
    },
  },
  done: {
    release: (site: string) => `${site} was released.`,
    reclaim: (site: string) =>
      `The slot for ${site} is free. Validate the code again in the product’s settings there.`,
  },
  absent: "This has changed in the meantime. Look at the sites below.",
  tooMany: (day: string) =>
    `Five sites were released within 30 days. You can release the next one on ${day}.`,
}

const tr: typeof en = {
  title: "Lisansınız",
  intro: "Satın alma kodunuzun geçerli olup olmadığını ve nerede kullanıldığını görün.",
  hint: "Kod, satın alma e-postanızdadır.",
  submit: "Göster",
  problems: {
    empty: "Satın alma kodunuzu girin.",
    unknown:
      "Bilinmeyen satın alma kodu. Kodu satın alma e-postanızdan yeniden kopyalayın. Yeni bir satın almadan sonra birkaç dakika sürebilir.",
  },
  states: {
    valid: "Bu satın alma kodu geçerli.",
    refunded: "Bu satın alma iade ya da ters ibraz edildi. Kod geçersiz.",
    expired: "Aboneliğiniz sona erdi. Yenileyene kadar kod geçersizdir.",
    suspended: "Yazarının hesabı askıya alındığı için bu satın alma kodu doğrulanamıyor.",
  },
  sites: {
    none: "Hiçbir sitede kullanılmıyor.",
    masked: "Bu kodu başkaları da bilebileceği için adlar gizlenir.",
    latest: (n) => `Son görülen ${formatNumber(n)} site gösteriliyor.`,
    left: (n) =>
      n === 0
        ? "Başka site bırakamazsınız: 30 günde beş site bırakılabilir."
        : `30 gün içinde ${formatNumber(n)} site daha bırakabilirsiniz.`,
    released: "Bırakıldı",
    change: { release: "Bırak", reclaim: "Yeniden burada kullan" },
  },
  confirm: {
    release: {
      title: (site) => `${site} bırakılsın mı?`,
      text: "Etkinleştirme hakkı hemen boşalır. Oradaki ürün, yeniden doğrulandığında boş hak yoksa etkin olmaz.",
      noSlot: "Bu site hak kullanmıyor; bırakılması bir hak boşaltmaz.",
    },
    reclaim: {
      title: (site) => `Kod yeniden ${site} sitesinde kullanılsın mı?`,
      text: (losing) =>
        `Daha sonra etkinleşen ${losing} hakkını kaybeder. Ardından kodu, ürünün ayarlarında yeniden doğrulayın.`,
    },
  },
  done: {
    release: (site) => `${site} bırakıldı.`,
    reclaim: (site) =>
      `${site} için hak boşaldı. Kodu, oradaki ürünün ayarlarında yeniden doğrulayın.`,
  },
  absent: "Bu sırada bir değişiklik oldu. Aşağıdaki sitelere bakın.",
  tooMany: (day) =>
    `30 gün içinde beş site bırakıldı. Sonraki siteyi şu tarihte bırakabilirsiniz: ${day}.`,
}

export const license = { en, tr }
