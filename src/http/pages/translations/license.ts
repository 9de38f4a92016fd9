import { count, filled, formatNumber, text } from "./text.ts"

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
    latest: text(
      (n: number) => `These are the ${n.toLocaleString("en")} sites seen last.`,
      (n) => `Son görülen ${formatNumber(n)} site gösteriliyor.`,
    ),
    left: text(
      (n: number) =>
        n === 0
          ? "You cannot release more sites: five within 30 days are allowed."
          : `You can release ${count(n, "more site", "more sites")} within 30 days.`,
      (n) =>
        n === 0
          ? "Başka site bırakamazsınız: 30 günde beş site bırakılabilir."
          : `30 gün içinde ${formatNumber(n)} site daha bırakabilirsiniz.`,
    ),
    released: text("Released", "Bırakıldı"),
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
