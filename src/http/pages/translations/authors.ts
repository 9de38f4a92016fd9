import { count, filled, formatNumber, text } from "./text.ts"

export const authors = {
  title: text("Authors", "Yazarlar"),
  search: text("Name, e-mail or username", "Ad, e-posta veya kullanıcı adı"),
  none: text(
    "No authors yet. Import them with “pazar import FILE”.",
    "Henüz yazar yok. “pazar import DOSYA” ile içe aktarın.",
  ),
  author: text("Author", "Yazar"),
  active: text("Active", "Etkin"),
  invited: text("Invited", "Davetli"),
  noPassword: text("No password", "Parolası yok"),
  suspended: text("Suspended", "Askıda"),
  requests: text("Requests, 7 days", "İstek (7 gün)"),
  suspendedByShop: text("Suspended by import", "İçe aktarma askıya aldı"),
  suspendedByOperator: text("Suspended by an operator", "Bir yönetici askıya aldı"),
  lastSeen: text("Last active", "Son etkinlik"),
  tabs: text("Pages of this author", "Bu yazarın sayfaları"),
  created: text("Created", "Oluşturuldu"),
  allEvents: text("All events", "Bütün kayıtlar"),
  links: {
    invite: filled(
      "Send this link to the author. It works once, until {when}. This page shows it for five minutes, or until you create another link.",
      "Bu bağlantıyı yazara gönderin. Bağlantı {when} tarihine kadar geçerlidir, bir kez kullanılır. Bu sayfada beş dakika ya da başka bir bağlantı oluşturana kadar gösterilir.",
    ),
    "sign-in-link": filled(
      "This link signs the author in, once, until {when}.",
      "Bu bağlantıyla {when} tarihine kadar bir kez yazar olarak giriş yapılabilir.",
    ),
  },
  actions: {
    invite: {
      title: filled("Invite {name}", "{name} için davet"),
      text: text(
        "Creates a link that works once within seven days. The author sets a password with it, which ends the author's sessions and other links.",
        "Yazarın parola belirleyeceği bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Parola belirlenince yazarın oturumları ve diğer bağlantıları sona erer.",
      ),
      submit: text("Create invitation", "Davet oluştur"),
    },
    "sign-in-link": {
      title: filled("Sign-in link for {name}", "{name} için giriş bağlantısı"),
      text: text(
        "Creates a link that works once within two minutes and signs in without a password. It requires a code if the author uses 2FA. Whoever opens it acts as this author.",
        "Parolasız giriş sağlayan bir bağlantı oluşturur. Bağlantı iki dakika geçerlidir, bir kez kullanılır. Yazar iki adımlı doğrulama kullanıyorsa kod gerekir. Bağlantıyı açan kişi bu yazar olarak işlem yapar.",
      ),
      submit: text("Create sign-in link", "Giriş bağlantısı oluştur"),
    },
    "remove-factor": {
      title: filled("Remove 2FA of {name}", "{name} için iki adımlı doğrulamayı kaldır"),
      text: text(
        "For an author who lost both phone and recovery codes. The password or a link is then enough to sign in. Make sure that the request is from the author.",
        "Telefonunu ve kurtarma kodlarını kaybeden yazarlar için. Bundan sonra parola ya da bağlantı giriş için yeterlidir. İsteğin yazardan geldiğinden emin olun.",
      ),
      submit: text("Remove 2FA", "İki adımlı doğrulamayı kaldır"),
    },
    suspend: {
      title: filled("Suspend {name}", "{name} askıya alınsın mı?"),
      text: text(
        "All keys of this author are rejected within a second, so products cannot validate purchases with them. Sessions end and sign-ins are rejected. No data is deleted. This override takes precedence over imports until an operator resumes the author.",
        "Bu yazarın bütün anahtarları bir saniye içinde reddedilir; ürünler bu anahtarlarla satın almaları doğrulayamaz. Oturumlar kapanır, girişler reddedilir. Hiçbir veri silinmez. Bu karar, bir yönetici hesabı yeniden açana kadar içe aktarmalardan önce gelir.",
      ),
      submit: text("Suspend", "Askıya al"),
    },
    resume: {
      title: filled("Resume {name}", "{name} hesabı yeniden açılsın mı?"),
      text: text(
        "The author's keys are accepted again within a second, and the author can sign in. A later import can suspend the author again.",
        "Yazarın anahtarları bir saniye içinde yeniden kabul edilir ve yazar giriş yapabilir. Sonraki bir içe aktarma yazarı yeniden askıya alabilir.",
      ),
      submit: text("Resume", "Yeniden aç"),
    },
  },
  revoke: text(
    (username: string, calls: number) =>
      `Requests with this key of ${username} are rejected within a second: ${count(calls, "request", "requests")} in the last 7 days. You cannot undo this.`,
    (username, calls) =>
      `${username} adlı yazarın bu anahtarıyla gönderilen istekler bir saniye içinde reddedilir: son 7 günde ${formatNumber(calls)} istek. Bu işlem geri alınamaz.`,
  ),
}
