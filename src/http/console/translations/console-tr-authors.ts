import { formatNumber } from "../../pages/translations/plurals.ts"
import type { ConsoleTexts } from "./console-en.ts"

export const authors: ConsoleTexts["authors"] = {
  title: "Yazarlar",
  search: "Ad, e-posta veya kullanıcı adı",
  none: "Henüz yazar yok. “pazar import DOSYA” ile içe aktarın.",
  noMatch: (text) => `“${text}” ile eşleşen yazar yok.`,
  total: (n) => `${formatNumber(n)} yazar`,
  author: "Yazar",
  active: "Etkin",
  invited: "Davetli",
  noPassword: "Parolası yok",
  suspended: "Askıda",
  requests: "İstek (7 gün)",
  sorts: {
    calls: "En çok istek",
    seen: "Son etkinlik",
    name: "Kullanıcı adı",
  },
  suspendedByShop: "İçe aktarma askıya aldı",
  suspendedByOperator: "Bir yönetici askıya aldı",
  lastSeen: "Son etkinlik",
  noSession: "Oturum yok",
}

export const author: ConsoleTexts["author"] = {
  tabs: "Bu yazarın sayfaları",
  logTitle: (username) => `${username}: başarısız istekler`,
  logIntro:
    "Son 7 gün. Bir günün değerleri aynı olan istekleri tek kayıttır. Başka yazarların kodları maskelenir.",
  noLog: "Son 7 günde başarısız istek yok.",
  created: "Oluşturuldu",
  noKeys: "Bu yazarın anahtarı yok.",
  otherKeys: (n) => `${formatNumber(n)} anahtar daha var.`,
  allEvents: "Bütün kayıtlar",
  links: {
    invite: (when) =>
      `Bu bağlantıyı yazara gönderin. Bağlantı ${when} tarihine kadar geçerlidir, bir kez kullanılır. Bu sayfada beş dakika ya da başka bir bağlantı oluşturana kadar gösterilir.`,
    "sign-in-link": (when) =>
      `Bu bağlantıyla ${when} tarihine kadar bir kez yazar olarak giriş yapılabilir.`,
  },
  actions: {
    invite: {
      title: (name) => `${name} için davet`,
      text: "Yazarın parola belirleyeceği bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Parola belirlenince yazarın oturumları ve diğer bağlantıları sona erer.",
      submit: "Davet oluştur",
    },
    "sign-in-link": {
      title: (name) => `${name} için giriş bağlantısı`,
      text: "Parolasız giriş sağlayan bir bağlantı oluşturur. Bağlantı iki dakika geçerlidir, bir kez kullanılır. Yazar iki adımlı doğrulama kullanıyorsa kod gerekir. Bağlantıyı açan kişi bu yazar olarak işlem yapar.",
      submit: "Giriş bağlantısı oluştur",
    },
    "remove-factor": {
      title: (name) => `${name} için iki adımlı doğrulamayı kaldır`,
      text: "Telefonunu ve kurtarma kodlarını kaybeden yazarlar için. Bundan sonra parola ya da bağlantı giriş için yeterlidir. İsteğin yazardan geldiğinden emin olun.",
      submit: "İki adımlı doğrulamayı kaldır",
    },
    suspend: {
      title: (name) => `${name} askıya alınsın mı?`,
      text: "Bu yazarın bütün anahtarları bir saniye içinde reddedilir; ürünler bu anahtarlarla satın almaları doğrulayamaz. Oturumlar kapanır, girişler reddedilir. Hiçbir veri silinmez. Bu karar, bir yönetici hesabı yeniden açana kadar içe aktarmalardan önce gelir.",
      submit: "Askıya al",
    },
    resume: {
      title: (name) => `${name} hesabı yeniden açılsın mı?`,
      text: "Yazarın anahtarları bir saniye içinde yeniden kabul edilir ve yazar giriş yapabilir. Sonraki bir içe aktarma yazarı yeniden askıya alabilir.",
      submit: "Yeniden aç",
    },
  },
  revoke: (username, calls) =>
    `${username} adlı yazarın bu anahtarıyla gönderilen istekler bir saniye içinde reddedilir: son 7 günde ${formatNumber(calls)} istek. Bu işlem geri alınamaz.`,
}

export const audit: ConsoleTexts["audit"] = {
  title: "Denetim kaydı",
  intro:
    "Yazarların, yöneticilerin, yönetici belirteçlerinin ve içe aktarmaların işlemleri, en yeniden eskiye. Kayıtlar 400 gün saklanır.",
  username: "Yazarın kullanıcı adı",
  unknown: "Bu kullanıcı adına sahip bir yazar yok.",
  kind: "Tür",
  everything: "Hepsi",
  allOf: (kind) => `${kind}: tümü`,
  kinds: {
    key: "Anahtarlar",
    account: "Hesaplar",
    item: "Ürünler",
    purchase: "Satışlar",
    operator: "Yöneticiler",
    feed: "İçe aktarmalar",
    token: "Yönetici belirteçleri",
    webhook: "Webhook'lar",
  },
  filter: "Filtrele",
  none: "Henüz bir kayıt yok.",
  noMatch: "Bu filtreyle eşleşen kayıt yok.",
  older: "Daha eskiler",
  who: "Kim",
  subject: "İlgili kayıt",
  somebody: "Bilinmiyor",
  actors: {
    author: (name) => `Yazar ${name}`,
    operator: (name) => `Yönetici ${name}`,
    command: () => "Komut satırı",
    token: (name) => `Belirteç ${name}`,
    feed: (name) => `İçe aktarma ${name}`,
  },
  feedState(isByFeed, kind) {
    const states =
      kind === "account" ? ["askıda değil", "askıda"] : ["iade edilmedi", "iade edildi"]
    return `İçe aktarılan durum: ${states[Number(isByFeed)]}`
  },
  actions: {
    key: {
      created: "Anahtar oluşturuldu",
      revealed: "Anahtar gösterildi",
      renamed: "Anahtarın adı değişti",
      replaced: "Anahtar yenisiyle değiştirildi",
      revoked: "Anahtar iptal edildi",
    },
    account: {
      invited: "Davet oluşturuldu",
      sign_in_link: "Giriş bağlantısı oluşturuldu",
      password: "Parola belirlendi",
      suspended: "Askıya alındı",
      resumed: "Yeniden açıldı",
      feed_word: "İçe aktarma durumu değiştirdi",
      second_factor_on: "İki adımlı doğrulama etkinleştirildi",
      second_factor_off: "İki adımlı doğrulama devre dışı bırakıldı",
    },
    item: { site_limit: "Site sınırı belirlendi" },
    purchase: {
      refunded: "İade edildi olarak işaretlendi",
      refund_taken_back: "İade işareti kaldırıldı",
      feed_word: "İçe aktarma durumu değiştirdi",
      site_released: "Site bırakıldı",
    },
    operator: {
      created: "Yönetici oluşturuldu",
      invited: "Yönetici için bağlantı oluşturuldu",
      password: "Yönetici parolası belirlendi",
      removed: "Yönetici silindi",
      second_factor_on: "İki adımlı doğrulama etkinleştirildi",
      second_factor_off: "İki adımlı doğrulama devre dışı bırakıldı",
      second_factor_required: "İki adımlı doğrulama yöneticiler için zorunlu kılındı",
      second_factor_optional: "İki adımlı doğrulama yöneticiler için isteğe bağlı yapıldı",
      signed_in: "Konsola giriş",
      sign_in_failed: "Konsola başarısız giriş",
      sign_in_slowed: "Konsola giriş sınırlandı",
    },
    feed: {
      pushed: "Kayıtlar gönderildi",
      keys: "Anahtarlar içe aktarıldı",
      passwords: "Parolalar içe aktarıldı (0.12 öncesi)",
    },
    token: {
      created: "Belirteç oluşturuldu",
      replaced: "Belirteç yenilendi",
      removed: "Belirteç silindi",
    },
    webhook: {
      created: "Webhook oluşturuldu",
      changed: "Webhook güncellendi",
      revealed: "Webhook imza anahtarı gösterildi",
      replaced: "Webhook imza anahtarı yenilendi",
      turned_off: "Webhook devre dışı bırakıldı",
      turned_on: "Webhook etkinleştirildi",
      removed: "Webhook silindi",
    },
  },
  many: {
    signed_in: (n) => `${formatNumber(n)} kez`,
    sign_in_failed: (n) => `${formatNumber(n)} kez`,
    sign_in_slowed: (n) => `${formatNumber(n)} kez`,
    invited: (n) => `${formatNumber(n)} davet`,
    pushed: (n) => `${formatNumber(n)} kayıt`,
    keys: (n) => `${formatNumber(n)} anahtar`,
    passwords: (n) => `${formatNumber(n)} parola`,
  },
}
