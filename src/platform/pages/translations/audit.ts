import { counted, filled, text } from "./text.ts"

export const audit = {
  title: text("Audit log", "Denetim kaydı"),
  what: text("Action", "İşlem"),
  everything: text("All actions", "Tüm işlemler"),
  anybody: text("Anyone", "Herkes"),
  yesterday: text("Yesterday", "Dün"),
  kinds: {
    key: text("Keys", "Anahtarlar"),
    account: text("Accounts", "Hesaplar"),
    person: text("People", "Kişiler"),
    item: text("Items", "Ürünler"),
    purchase: text("Purchases", "Satışlar"),
    operator: text("Operators", "Yöneticiler"),
    feed: text("Imports", "İçe aktarmalar"),
    token: text("Operator tokens", "Yönetici belirteçleri"),
    signing_key: text("Signing keys", "İmza anahtarları"),
    webhook: text("Webhooks", "Webhook'lar"),
  },
  none: text("No events yet.", "Henüz bir kayıt yok."),
  who: text("Who", "Kim"),
  subject: text("Subject", "İlgili kayıt"),
  somebody: text("Unknown", "Bilinmiyor"),
  actors: {
    author: filled("{name}", "{name}"),
    operator: filled("Operator {name}", "Yönetici {name}"),
    command: filled("Command line", "Komut satırı"),
    token: filled("Token {name}", "Belirteç {name}"),
    feed: filled("Import {name}", "İçe aktarma {name}"),
  },
  /** The imported state before an operator override, or the new one. */
  feedState: text(
    (isByFeed: boolean, kind: string) =>
      `Imported state: ${isByFeed ? "" : "not "}${kind === "account" ? "suspended" : "refunded"}`,
    (isByFeed, kind) => {
      const states =
        kind === "account" ? ["askıda değil", "askıda"] : ["iade edilmedi", "iade edildi"]
      return `İçe aktarılan durum: ${states[Number(isByFeed)]}`
    },
  ),
  actions: {
    key: {
      created: text("Key created", "Anahtar oluşturuldu"),
      revealed: text("Key revealed", "Anahtar gösterildi"),
      renamed: text("Key renamed", "Anahtarın adı değişti"),
      replaced: text("Key rotated", "Anahtar yenisiyle değiştirildi"),
      revoked: text("Key revoked", "Anahtar iptal edildi"),
    },
    account: {
      invited: text("Invitation created", "Davet oluşturuldu"),
      sign_in_link: text("Sign-in link created", "Giriş bağlantısı oluşturuldu"),
      member_owner: text("Member: owner", "Ekip üyesi: sahip"),
      member_developer: text("Member: developer", "Ekip üyesi: geliştirici"),
      member_support: text("Member: support", "Ekip üyesi: destek"),
      member_removed: text("Member removed", "Ekip üyesi çıkarıldı"),
      suspended: text("Suspended", "Askıya alındı"),
      resumed: text("Resumed", "Yeniden açıldı"),
      feed_word: text("State changed by import", "İçe aktarma durumu değiştirdi"),
    },
    person: {
      email: text("E-mail address changed", "E-posta adresi değişti"),
      password: text("Password set", "Parola belirlendi"),
      invited: text("Link to a new password created", "Yeni parola bağlantısı oluşturuldu"),
      removed: text("Person deleted", "Kişi silindi"),
      rejected: text("Rejected: not allowed", "Reddedildi: yetkisi yok"),
      passkey_added: text("Passkey added", "Geçiş anahtarı eklendi"),
      passkey_removed: text("Passkey removed", "Geçiş anahtarı kaldırıldı"),
      second_factor_on: text("2FA enabled", "İki adımlı doğrulama etkinleştirildi"),
      second_factor_off: text("2FA disabled", "İki adımlı doğrulama devre dışı bırakıldı"),
      identity_connected: text("Single sign-on connected", "Tek oturum açma bağlandı"),
      identity_removed: text("Single sign-on disconnected", "Tek oturum açma bağlantısı kesildi"),
    },
    item: {
      moved: text("Item moved to another author", "Ürün başka bir yazara taşındı"),
      key_revoked: text(
        "Previous author’s key revoked for an item",
        "Önceki yazarın anahtarı bir ürün için iptal edildi",
      ),
      site_limit: text("Site limit set", "Site sınırı belirlendi"),
    },
    purchase: {
      refunded: text("Marked as refunded", "İade edildi olarak işaretlendi"),
      refund_taken_back: text("Refund undone", "İade işareti kaldırıldı"),
      feed_word: text("State changed by import", "İçe aktarma durumu değiştirdi"),
      site_released: text("Site released", "Site bırakıldı"),
      site_restored: text("Release undone", "Bırakma geri alındı"),
      site_limit: text("Site limit set", "Site sınırı belirlendi"),
    },
    operator: {
      invited: text("Operator invited", "Yönetici davet edildi"),
      removed: text("Operator deleted", "Yönetici silindi"),
      role_admin: text("Role set to admin", "Rol: tam yetkili"),
      role_support: text("Role set to support", "Rol: destek"),
      role_viewer: text("Role set to viewer", "Rol: izleyici"),
      second_factor_required: text(
        "2FA required for operators",
        "İki adımlı doğrulama yöneticiler için zorunlu kılındı",
      ),
      second_factor_optional: text(
        "2FA made optional for operators",
        "İki adımlı doğrulama yöneticiler için isteğe bağlı yapıldı",
      ),
      signed_in: text("Operator sign-in", "Yönetici girişi"),
      sign_in_failed: text("Operator sign-in failed", "Başarısız yönetici girişi"),
      sign_in_slowed: text("Operator sign-in rate limited", "Yönetici girişi sınırlandı"),
      rejected: text("Rejected: not allowed", "Reddedildi: yetkisi yok"),
    },
    feed: {
      pushed: text("Records pushed", "Kayıtlar gönderildi"),
      keys: text("Keys imported", "Anahtarlar içe aktarıldı"),
    },
    token: {
      created: text("Token created", "Belirteç oluşturuldu"),
      replaced: text("Token rotated", "Belirteç yenilendi"),
      removed: text("Token deleted", "Belirteç silindi"),
    },
    signing_key: {
      rotated: text("Signing key rotated", "İmza anahtarı yenilendi"),
      removed: text("Compromised signing key removed", "Ele geçirilmiş imza anahtarı silindi"),
    },
    webhook: {
      created: text("Webhook created", "Webhook oluşturuldu"),
      changed: text("Webhook updated", "Webhook güncellendi"),
      revealed: text("Webhook secret revealed", "Webhook imza anahtarı gösterildi"),
      replaced: text("Webhook secret rotated", "Webhook imza anahtarı yenilendi"),
      turned_off: text("Webhook disabled", "Webhook devre dışı bırakıldı"),
      turned_on: text("Webhook enabled", "Webhook etkinleştirildi"),
      redelivered: text("Webhook event redelivered", "Webhook olayı yeniden gönderildi"),
      removed: text("Webhook deleted", "Webhook silindi"),
    },
  },
  many: {
    signed_in: counted("time", "times", "kez"),
    sign_in_failed: counted("time", "times", "kez"),
    rejected: counted("time", "times", "kez"),
    redelivered: counted("time", "times", "kez"),
    sign_in_slowed: counted("time", "times", "kez"),
    invited: counted("invitation", "invitations", "davet"),
    pushed: counted("record", "records", "kayıt"),
    keys: counted("key", "keys", "anahtar"),
  },
}
