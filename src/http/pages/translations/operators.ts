import { filled, text } from "./text.ts"

export const operators = {
  title: text("Operators", "Yöneticiler"),
  operator: text("Operator", "Yönetici"),
  you: text("(you)", "(siz)"),
  link: text(
    (name: string, when: string) =>
      `Send this link to ${name}. It works once, until ${when}. This page shows it for five minutes, or until you create another link.`,
    (name, when) =>
      `Bu bağlantıyı ${name} adlı yöneticiye gönderin. Bağlantı ${when} tarihine kadar geçerlidir, bir kez kullanılır. Bu sayfada beş dakika ya da başka bir bağlantı oluşturana kadar gösterilir.`,
  ),
  taken: text("An operator with this name already exists.", "Bu adda bir yönetici zaten var."),
  badName: text(
    "1 to 64 letters, digits, dots, dashes, _ or @, without spaces.",
    "1–64 harf, rakam, nokta, tire, _ veya @; boşluk olmadan.",
  ),
  emailHint: text(
    "For password links and alerts. Optional.",
    "Parola bağlantıları ve uyarılar için. İsteğe bağlı.",
  ),
  email: {
    title: filled("E-mail address of {name}", "{name} adlı yöneticinin e-posta adresi"),
    text: text(
      "Password links and alerts are sent to this address. Leave the field empty to send none.",
      "Parola bağlantıları ve uyarılar bu adrese gönderilir. Gönderilmemesi için alanı boş bırakın.",
    ),
    submit: text("Save", "Kaydet"),
  },
  role: text("Role", "Rol"),
  roles: {
    admin: {
      name: text("Admin", "Tam yetkili"),
      text: text(
        "Everything, including operators, webhooks and settings.",
        "Yöneticiler, webhook'lar ve ayarlar dahil her şeyi yapar.",
      ),
    },
    support: {
      name: text("Support", "Destek"),
      text: text(
        "Looks up authors and purchases, invites authors, releases sites, redelivers webhook events.",
        "Yazarlara ve satışlara bakar, yazar davet eder, site bırakır, webhook olaylarını yeniden gönderir.",
      ),
    },
    viewer: {
      name: text("Viewer", "İzleyici"),
      text: text(
        "Reads pages and downloads lists. Changes nothing.",
        "Sayfaları okur, listeleri indirir. Hiçbir şeyi değiştirmez.",
      ),
    },
  },
  forbidden: filled(
    "Your role, {role}, does not allow this. Ask an admin to do it or to change your role.",
    "{role} rolünüz buna izin vermiyor. Tam yetkili bir yöneticiden bunu yapmasını ya da rolünüzü değiştirmesini isteyin.",
  ),
  changeRole: {
    title: filled("Change the role of {name}", "{name} adlı yöneticinin rolü"),
    text: text(
      "The new role applies from the operator's next request.",
      "Yeni rol, yöneticinin bir sonraki isteğinden itibaren geçerlidir.",
    ),
    submit: text("Change role", "Rolü değiştir"),
  },
  lastAdmin: text(
    "This operator is the last admin. Make another operator an admin first.",
    "Bu kişi tek tam yetkili yönetici. Önce başka bir yöneticiye tam yetki verin.",
  ),
  invite: {
    title: text("Invite an operator", "Yönetici davet edin"),
    text: text(
      "Creates a link that works once within seven days. The operator sets a password with it and is signed in.",
      "Yöneticinin parola belirleyip giriş yapacağı bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır.",
    ),
    submit: text("Invite operator", "Yönetici davet et"),
  },
  newLink: {
    title: filled("New link for {name}", "{name} için yeni bağlantı"),
    text: text(
      "Creates another link that works once within seven days. The operator sets a password with it and is signed in. Earlier links work until a password is set.",
      "Yöneticinin parola belirleyip giriş yapacağı bir bağlantı daha oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Önceki bağlantılar parola belirlenene kadar geçerlidir.",
    ),
    submit: text("Create link", "Bağlantı oluştur"),
  },
  reset: {
    title: filled(
      "Reset the password of {name}",
      "{name} adlı yöneticinin parolası sıfırlansın mı?",
    ),
    text: text(
      "Creates a link that works once within seven days. The operator sets a new password with it. The old password works until then. A new password ends the operator's sessions; 2FA stays enabled.",
      "Yöneticinin yeni bir parola belirleyeceği bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Eski parola o zamana kadar geçerlidir. Yeni parola yöneticinin oturumlarını kapatır; iki adımlı doğrulama etkin kalır.",
    ),
    submit: text("Reset password", "Parolayı sıfırla"),
  },
  remove: {
    title: filled("Delete {name}", "{name} silinsin mi?"),
    text: text(
      "The operator is signed out everywhere immediately. Password, links and 2FA are deleted. Events of the operator stay in the audit log.",
      "Yöneticinin bütün oturumları hemen kapanır. Parolası, bağlantıları ve iki adımlı doğrulaması silinir. Yöneticinin işlemleri denetim kaydında kalır.",
    ),
    submit: text("Delete", "Sil"),
  },
  rule: {
    requiredText: text(
      "2FA is required: operators must set it up before they can use the console.",
      "Yöneticiler konsolu kullanmadan önce iki adımlı doğrulamayı kurmalıdır.",
    ),
    optionalText: text(
      "2FA is optional. Without it, a stolen password is enough to sign in.",
      "İki adımlı doğrulama isteğe bağlı. Yoksa çalınan parola giriş için yeter.",
    ),
    require: {
      title: text("Require 2FA?", "İki adımlı doğrulama zorunlu olsun mu?"),
      text: text(
        "Every operator without 2FA, including you, must set it up before using the console.",
        "İki adımlı doğrulaması olmayan her yönetici, siz de dahil, konsolu kullanmadan önce onu kurmalıdır.",
      ),
      submit: text("Require 2FA", "Zorunlu kıl"),
    },
    drop: {
      title: text("Make 2FA optional?", "İki adımlı doğrulama isteğe bağlı olsun mu?"),
      text: text(
        "Each operator decides. 2FA stays enabled for operators who have set it up.",
        "Her yönetici kendisi karar verir. Kuran yöneticilerde etkin kalır.",
      ),
      submit: text("Make 2FA optional", "İsteğe bağlı yap"),
    },
  },
  signIn: {
    intro: filled("For operators of {site}.", "{site} pazaryeri yöneticileri için."),
    help: text(
      "Forgot your password? Another operator can send you a link.",
      "Parolanızı mı unuttunuz? Başka bir yönetici size bağlantı gönderebilir.",
    ),
  },
  invitationGone: text(
    "This link was already used or has expired. Ask another operator for a new one, or run “pazar operator password NAME --link”.",
    "Bu bağlantı kullanılmış veya süresi dolmuş. Başka bir yöneticiden yenisini isteyin ya da “pazar operator password AD --link” komutunu çalıştırın.",
  ),
}
