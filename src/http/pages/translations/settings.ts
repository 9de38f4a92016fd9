import { count, formatNumber } from "./plurals.ts"

const en = {
  profile: {
    title: "Profile",
    intro: "The API returns this data about you. You can change it in your marketplace.",
    username: "Username",
    email: "E-mail",
    balance: "Balance",
    registered: "Member since",
  },
  security: {
    title: "Security",
    password: "Change password",
    current: "Current password",
    ends: "Changing it signs out all other sessions.",
    sessions: "Sessions",
    browser: "Browser",
    since: "Signed in",
    thisOne: "This browser",
    setPassword: "Set a password",
    setHint: "With a password you can also sign in here directly.",
    noPassword:
      "Your account has no password. To set one, sign in again from your marketplace and come back here within five minutes.",
    signOut: "Sign out",
    signOutAll: "Sign out everywhere",
    signOutAllHint: "Signs out all sessions, including this one.",
    unknownDevice: "Unknown browser",
  },
  language: {
    title: "Language",
  },
  counts: {
    keys: (n: number) => `${count(n, "valid key", "valid keys")}.`,
    manageKeys: "Manage keys",
    webhooks: (n: number) => `${count(n, "webhook", "webhooks")}.`,
    manageWebhooks: "Manage webhooks",
    sessions: (n: number) => `${count(n, "open session", "open sessions")}.`,
    manageSecurity: "Password, 2FA and sessions",
  },
  activity: {
    title: "Activity",
    none: "No changes yet. Creating a key is the first.",
    what: "What",
    from: "From",
    operator: "your marketplace",
    actions: {
      created: "Created",
      revealed: "Revealed",
      renamed: "Renamed",
      replaced: "Rotated",
      revoked: "Revoked",
    },
  },
}

const tr: typeof en = {
  profile: {
    title: "Profil",
    intro: "API'nin hakkınızda döndürdüğü bilgiler. Pazaryerinizden değiştirebilirsiniz.",
    username: "Kullanıcı adı",
    email: "E-posta",
    balance: "Bakiye",
    registered: "Üyelik başlangıcı",
  },
  security: {
    title: "Güvenlik",
    password: "Parolayı değiştir",
    current: "Mevcut parola",
    ends: "Parola değişince diğer bütün oturumlarınız kapanır.",
    sessions: "Açık oturumlarınız",
    browser: "Tarayıcı",
    since: "Giriş",
    thisOne: "Bu tarayıcı",
    setPassword: "Parola belirleyin",
    setHint: "Parolanız olursa buradan doğrudan da giriş yapabilirsiniz.",
    noPassword:
      "Hesabınızda parola yok. Parola belirlemek için pazaryerinizden yeniden giriş yapın ve beş dakika içinde bu sayfaya dönün.",
    signOut: "Oturumu kapat",
    signOutAll: "Her yerden çıkış yap",
    signOutAllHint: "Bu oturum dahil bütün oturumları kapatır.",
    unknownDevice: "Bilinmeyen tarayıcı",
  },
  language: {
    title: "Dil",
  },
  counts: {
    keys: (n) => `${formatNumber(n)} geçerli anahtar.`,
    manageKeys: "Anahtarları yönet",
    webhooks: (n) => `${formatNumber(n)} webhook.`,
    manageWebhooks: "Webhook'ları yönet",
    sessions: (n) => `${formatNumber(n)} açık oturum.`,
    manageSecurity: "Parola, iki adımlı doğrulama ve oturumlar",
  },
  activity: {
    title: "İşlem geçmişi",
    none: "Anahtarlarınızla ilgili henüz bir işlem yapılmadı.",
    what: "İşlem",
    from: "Nereden",
    operator: "pazaryeriniz",
    actions: {
      created: "Oluşturuldu",
      revealed: "Gösterildi",
      renamed: "Yeniden adlandırıldı",
      replaced: "Yenisiyle değiştirildi",
      revoked: "İptal edildi",
    },
  },
}

export const settings = { en, tr }
