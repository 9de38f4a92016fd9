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
  calls: "İstek (7 gün)",
  sorts: {
    calls: "En çok istek",
    seen: "Son sayfa veya anahtar kullanımı",
    name: "Kullanıcı adı",
  },
  suspendedByShop: "Mağazanız askıya aldı",
  suspendedByOperator: "Bir yönetici askıya aldı",
  lastSeen: "Son sayfa veya anahtar kullanımı",
  noSession: "Açık oturumu yok",
}

export const author: ConsoleTexts["author"] = {
  tabs: "Bu yazara ait olanlar",
  logTitle: (username) => `${username}: başarısız istekler`,
  logIntro:
    "Son yedi günün başarısız istekleri. Bir günün burada aynı görünen istekleri tek satırdır. Başka yazarların kodları maskelenir.",
  noLog: "Son yedi günde başarısız istek yok.",
  created: "Oluşturuldu",
  noKeys: "Bu yazarın anahtarı yok.",
  otherKeys: (n) => `${formatNumber(n)} anahtar daha var.`,
  allEvents: "Bütün kayıtlar",
  links: {
    invite: (when) =>
      `Bu bağlantıyı yazara gönderin. Bağlantı ${when} tarihine kadar geçerlidir, bir kez kullanılır ve burada beş dakika ya da siz başka bir bağlantı oluşturana kadar gösterilir.`,
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
      text: "Parolasız giriş sağlayan bir bağlantı oluşturur; yazarın iki adımlı doğrulaması varsa kod istenir. Bağlantı iki dakika geçerlidir, bir kez kullanılır. Onu açan kişi bu yazar olarak işlem yapar.",
      submit: "Giriş bağlantısı oluştur",
    },
    "remove-factor": {
      title: (name) => `${name} için iki adımlı doğrulamayı kaldır`,
      text: "Telefonunu ve kurtarma kodlarını kaybeden yazarlar için. Bundan sonra giriş için parola ya da bağlantı tek başına yeterli olur. İsteğin yazardan geldiğinden emin olun.",
      submit: "İki adımlı doğrulamayı kaldır",
    },
    suspend: {
      title: (name) => `${name} askıya alınsın mı?`,
      text: "Bu yazarın bütün anahtarları bir saniye içinde reddedilir; bu anahtarlarla soran ürünler satın almaları doğrulayamaz. Oturumlar kapanır, girişler reddedilir. Hiçbir şey silinmez. Mağazanız ne bildirirse bildirsin, bir yönetici hesabı yeniden açana kadar böyle kalır.",
      submit: "Askıya al",
    },
    resume: {
      title: (name) => `${name} hesabı yeniden açılsın mı?`,
      text: "Yazarın anahtarları bir saniye içinde yeniden çalışır ve yazar giriş yapabilir. Mağazanız yazarın askıda olduğunu yeniden bildirirse bu geçerli olur.",
      submit: "Yeniden aç",
    },
  },
  revoke: (username, calls) =>
    `${username} adlı yazarın bu anahtarı bir saniye içinde kalıcı olarak geçersiz olur. Son 7 günde ${formatNumber(calls)} istekte kullanıldı.`,
}

export const audit: ConsoleTexts["audit"] = {
  title: "Denetim kaydı",
  intro:
    "Yazarların, yöneticilerin ve yönetici belirteci taşıyan programların yaptığı işlemler ve mağazanızın o sırada bildirdikleri, en yeniden eskiye. Kayıtlar 400 gün saklanır.",
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
    feed: "Beslemeler",
    token: "Yönetici belirteçleri",
    webhook: "Webhook'lar",
  },
  filter: "Filtrele",
  none: "Henüz bir kayıt yok.",
  noMatch: "Bu filtreyle eşleşen kayıt yok.",
  older: "Daha eskiler",
  when: "Ne zaman",
  who: "Kim",
  what: "Ne",
  subject: "İlgili kayıt",
  somebody: "Biri",
  actors: {
    author: (name) => `Yazar ${name}`,
    operator: (name) => `Yönetici ${name}`,
    command: () => "Komut satırı",
    token: (name) => `Belirteç ${name}`,
    feed: (name) => `Besleme ${name}`,
  },
  feedState(isByFeed, kind) {
    const states =
      kind === "account" ? ["askıda değil", "askıda"] : ["iade edilmedi", "iade edildi"]
    return `Mağazanıza göre: ${states[Number(isByFeed)]}`
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
      feed_word: "Mağazanızın bildirimi değişti",
      second_factor_on: "İki adımlı doğrulama açıldı",
      second_factor_off: "İki adımlı doğrulama kapatıldı",
    },
    item: { site_limit: "Site sınırı belirlendi" },
    purchase: {
      refunded: "İade edildi olarak işaretlendi",
      refund_taken_back: "İade işareti kaldırıldı",
      feed_word: "Mağazanızın bildirimi değişti",
      site_released: "Site bırakıldı",
    },
    operator: {
      created: "Yönetici oluşturuldu",
      invited: "Yönetici için bağlantı oluşturuldu",
      password: "Yönetici parolası belirlendi",
      removed: "Yönetici silindi",
      second_factor_on: "İki adımlı doğrulama açıldı",
      second_factor_off: "İki adımlı doğrulama kapatıldı",
      second_factor_required: "Bütün yöneticiler için iki adımlı doğrulama zorunlu kılındı",
      second_factor_optional: "İki adımlı doğrulama zorunlu olmaktan çıkarıldı",
      signed_in: "Yönetime giriş yapıldı",
      sign_in_failed: "Yönetime başarısız giriş",
      sign_in_slowed: "Yönetime giriş bekletildi",
    },
    feed: {
      pushed: "Besleme gönderildi",
      keys: "Besleme anahtar belirledi",
      passwords: "Besleme parola belirledi (0.12 öncesi)",
    },
    token: {
      created: "Belirteç oluşturuldu",
      replaced: "Belirteç değiştirildi",
      removed: "Belirteç silindi",
    },
    webhook: {
      created: "Webhook oluşturuldu",
      changed: "Webhook değiştirildi",
      revealed: "Webhook imza anahtarı gösterildi",
      replaced: "Webhook imza anahtarı değiştirildi",
      turned_off: "Webhook kapatıldı",
      turned_on: "Webhook açıldı",
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
