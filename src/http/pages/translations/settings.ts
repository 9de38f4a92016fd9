import { count, formatNumber, text } from "./text.ts"

export const settings = {
  profile: {
    title: text("Profile", "Profil"),
    intro: text(
      "The API returns this data about you. You can change it in your marketplace.",
      "API'nin hakkınızda döndürdüğü bilgiler. Pazaryerinizden değiştirebilirsiniz.",
    ),
    username: text("Username", "Kullanıcı adı"),
    email: text("E-mail", "E-posta"),
    balance: text("Balance", "Bakiye"),
    registered: text("Member since", "Üyelik başlangıcı"),
  },
  security: {
    title: text("Security", "Güvenlik"),
    password: text("Change password", "Parolayı değiştir"),
    current: text("Current password", "Mevcut parola"),
    ends: text(
      "Changing it signs out all other sessions.",
      "Parola değişince diğer bütün oturumlarınız kapanır.",
    ),
    sessions: text("Sessions", "Açık oturumlarınız"),
    browser: text("Browser", "Tarayıcı"),
    since: text("Signed in", "Giriş"),
    thisOne: text("This browser", "Bu tarayıcı"),
    setPassword: text("Set a password", "Parola belirleyin"),
    setHint: text(
      "With a password you can also sign in here directly.",
      "Parolanız olursa buradan doğrudan da giriş yapabilirsiniz.",
    ),
    noPassword: text(
      "Your account has no password. To set one, sign in again from your marketplace and come back here within five minutes.",
      "Hesabınızda parola yok. Parola belirlemek için pazaryerinizden yeniden giriş yapın ve beş dakika içinde bu sayfaya dönün.",
    ),
    signOut: text("Sign out", "Oturumu kapat"),
    signOutAll: text("Sign out everywhere", "Her yerden çıkış yap"),
    signOutAllHint: text(
      "Signs out all sessions, including this one.",
      "Bu oturum dahil bütün oturumları kapatır.",
    ),
    unknownDevice: text("Unknown browser", "Bilinmeyen tarayıcı"),
  },
  language: {
    title: text("Language", "Dil"),
  },
  counts: {
    keys: text(
      (n: number) => `${count(n, "valid key", "valid keys")}.`,
      (n) => `${formatNumber(n)} geçerli anahtar.`,
    ),
    manageKeys: text("Manage keys", "Anahtarları yönet"),
    webhooks: text(
      (n: number) => `${count(n, "webhook", "webhooks")}.`,
      (n) => `${formatNumber(n)} webhook.`,
    ),
    manageWebhooks: text("Manage webhooks", "Webhook'ları yönet"),
    sessions: text(
      (n: number) => `${count(n, "open session", "open sessions")}.`,
      (n) => `${formatNumber(n)} açık oturum.`,
    ),
    manageSecurity: text("Password, 2FA and sessions", "Parola, iki adımlı doğrulama ve oturumlar"),
  },
  activity: {
    title: text("Activity", "İşlem geçmişi"),
    none: text(
      "No changes yet. Creating a key is the first.",
      "Anahtarlarınızla ilgili henüz bir işlem yapılmadı.",
    ),
    what: text("What", "İşlem"),
    from: text("From", "Nereden"),
    operator: text("your marketplace", "pazaryeriniz"),
    actions: {
      created: text("Created", "Oluşturuldu"),
      revealed: text("Revealed", "Gösterildi"),
      renamed: text("Renamed", "Yeniden adlandırıldı"),
      replaced: text("Rotated", "Yenisiyle değiştirildi"),
      revoked: text("Revoked", "İptal edildi"),
    },
  },
}
