const en = {
  title: "Operators",
  operator: "Operator",
  you: "(you)",
  link: (name: string, when: string) =>
    `Send this link to ${name}. It works once, until ${when}. This page shows it for five minutes, or until you create another link.`,
  taken: "An operator with this name already exists.",
  badName: "1 to 64 letters, digits, dots, dashes, _ or @, without spaces.",
  emailHint: "For password links and alerts. Optional.",
  email: {
    title: (name: string) => `E-mail address of ${name}`,
    text: "Password links and alerts are sent to this address. Leave the field empty to send none.",
    submit: "Save",
  },
  role: "Role",
  roles: {
    admin: { name: "Admin", text: "Everything, including operators, webhooks and settings." },
    support: {
      name: "Support",
      text: "Looks up authors and purchases, invites authors, releases sites, redelivers webhook events.",
    },
    viewer: { name: "Viewer", text: "Reads pages and downloads lists. Changes nothing." },
  },
  forbidden: (role: string) =>
    `Your role, ${role}, does not allow this. Ask an admin to do it or to change your role.`,
  changeRole: {
    title: (name: string) => `Change the role of ${name}`,
    text: "The new role applies from the operator's next request.",
    submit: "Change role",
  },
  lastAdmin: "This operator is the last admin. Make another operator an admin first.",
  invite: {
    title: "Invite an operator",
    text: "Creates a link that works once within seven days. The operator sets a password with it and is signed in.",
    submit: "Invite operator",
  },
  newLink: {
    title: (name: string) => `New link for ${name}`,
    text: "Creates another link that works once within seven days. The operator sets a password with it and is signed in. Earlier links work until a password is set.",
    submit: "Create link",
  },
  reset: {
    title: (name: string) => `Reset the password of ${name}`,
    text: "Creates a link that works once within seven days. The operator sets a new password with it. The old password works until then. A new password ends the operator's sessions; 2FA stays enabled.",
    submit: "Reset password",
  },
  remove: {
    title: (name: string) => `Delete ${name}`,
    text: "The operator is signed out everywhere immediately. Password, links and 2FA are deleted. Events of the operator stay in the audit log.",
    submit: "Delete",
  },
  rule: {
    requiredText: "2FA is required: operators must set it up before they can use the console.",
    optionalText: "2FA is optional. Without it, a stolen password is enough to sign in.",
    require: {
      title: "Require 2FA?",
      text: "Every operator without 2FA, including you, must set it up before using the console.",
      submit: "Require 2FA",
    },
    drop: {
      title: "Make 2FA optional?",
      text: "Each operator decides. 2FA stays enabled for operators who have set it up.",
      submit: "Make 2FA optional",
    },
  },
  signIn: {
    intro: (site: string) => `For operators of ${site}.`,
    help: "Forgot your password? Another operator can send you a link.",
  },
  invitationGone:
    "This link was already used or has expired. Ask another operator for a new one, or run “pazar operator password NAME --link”.",
}

const tr: typeof en = {
  title: "Yöneticiler",
  operator: "Yönetici",
  you: "(siz)",
  link: (name, when) =>
    `Bu bağlantıyı ${name} adlı yöneticiye gönderin. Bağlantı ${when} tarihine kadar geçerlidir, bir kez kullanılır. Bu sayfada beş dakika ya da başka bir bağlantı oluşturana kadar gösterilir.`,
  taken: "Bu adda bir yönetici zaten var.",
  badName: "1–64 harf, rakam, nokta, tire, _ veya @; boşluk olmadan.",
  emailHint: "Parola bağlantıları ve uyarılar için. İsteğe bağlı.",
  email: {
    title: (name) => `${name} adlı yöneticinin e-posta adresi`,
    text: "Parola bağlantıları ve uyarılar bu adrese gönderilir. Gönderilmemesi için alanı boş bırakın.",
    submit: "Kaydet",
  },
  role: "Rol",
  roles: {
    admin: {
      name: "Tam yetkili",
      text: "Yöneticiler, webhook'lar ve ayarlar dahil her şeyi yapar.",
    },
    support: {
      name: "Destek",
      text: "Yazarlara ve satışlara bakar, yazar davet eder, site bırakır, webhook olaylarını yeniden gönderir.",
    },
    viewer: {
      name: "İzleyici",
      text: "Sayfaları okur, listeleri indirir. Hiçbir şeyi değiştirmez.",
    },
  },
  forbidden: (role) =>
    `${role} rolünüz buna izin vermiyor. Tam yetkili bir yöneticiden bunu yapmasını ya da rolünüzü değiştirmesini isteyin.`,
  changeRole: {
    title: (name) => `${name} adlı yöneticinin rolü`,
    text: "Yeni rol, yöneticinin bir sonraki isteğinden itibaren geçerlidir.",
    submit: "Rolü değiştir",
  },
  lastAdmin: "Bu kişi tek tam yetkili yönetici. Önce başka bir yöneticiye tam yetki verin.",
  invite: {
    title: "Yönetici davet edin",
    text: "Yöneticinin parola belirleyip giriş yapacağı bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır.",
    submit: "Yönetici davet et",
  },
  newLink: {
    title: (name) => `${name} için yeni bağlantı`,
    text: "Yöneticinin parola belirleyip giriş yapacağı bir bağlantı daha oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Önceki bağlantılar parola belirlenene kadar geçerlidir.",
    submit: "Bağlantı oluştur",
  },
  reset: {
    title: (name) => `${name} adlı yöneticinin parolası sıfırlansın mı?`,
    text: "Yöneticinin yeni bir parola belirleyeceği bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Eski parola o zamana kadar geçerlidir. Yeni parola yöneticinin oturumlarını kapatır; iki adımlı doğrulama etkin kalır.",
    submit: "Parolayı sıfırla",
  },
  remove: {
    title: (name) => `${name} silinsin mi?`,
    text: "Yöneticinin bütün oturumları hemen kapanır. Parolası, bağlantıları ve iki adımlı doğrulaması silinir. Yöneticinin işlemleri denetim kaydında kalır.",
    submit: "Sil",
  },
  rule: {
    requiredText: "Yöneticiler konsolu kullanmadan önce iki adımlı doğrulamayı kurmalıdır.",
    optionalText: "İki adımlı doğrulama isteğe bağlı. Yoksa çalınan parola giriş için yeter.",
    require: {
      title: "İki adımlı doğrulama zorunlu olsun mu?",
      text: "İki adımlı doğrulaması olmayan her yönetici, siz de dahil, konsolu kullanmadan önce onu kurmalıdır.",
      submit: "Zorunlu kıl",
    },
    drop: {
      title: "İki adımlı doğrulama isteğe bağlı olsun mu?",
      text: "Her yönetici kendisi karar verir. Kuran yöneticilerde etkin kalır.",
      submit: "İsteğe bağlı yap",
    },
  },
  signIn: {
    intro: (site) => `${site} pazaryeri yöneticileri için.`,
    help: "Parolanızı mı unuttunuz? Başka bir yönetici size bağlantı gönderebilir.",
  },
  invitationGone:
    "Bu bağlantı kullanılmış veya süresi dolmuş. Başka bir yöneticiden yenisini isteyin ya da “pazar operator password AD --link” komutunu çalıştırın.",
}

export const operators = { en, tr }
