import { text } from "./text.ts"

export const notices = {
  password: text(
    "The password was changed. All other sessions were signed out.",
    "Parola değiştirildi, diğer bütün oturumlar kapatıldı.",
  ),
  first_password: text(
    "Your password is set. Sign in with it and a 2FA code.",
    "Parolanız belirlendi. Onunla ve iki adımlı doğrulama koduyla giriş yapın.",
  ),
  welcome: text(
    "Your password is set, and you are signed in.",
    "Parolanız belirlendi ve giriş yaptınız.",
  ),
  operator_invited: text("The link was created.", "Bağlantı oluşturuldu."),
  operator_email: text("The e-mail address was saved.", "E-posta adresi kaydedildi."),
  operator_role: text("The role was changed.", "Rol değiştirildi."),
  link_sent: text("The link is on its way by e-mail.", "Bağlantı e-postayla gönderiliyor."),
  operator_removed: text("The operator was deleted.", "Pazaryeri yöneticisi silindi."),
  signing_key_rotated: text("The signing key was rotated.", "İmza anahtarı yenilendi."),
  second_factor_required: text(
    "2FA is now required for every operator.",
    "İki adımlı doğrulama artık her yönetici için zorunlu.",
  ),
  second_factor_optional: text("2FA is now optional.", "İki adımlı doğrulama artık isteğe bağlı."),
  signed_out: text("You were signed out everywhere.", "Bütün oturumlarınız kapatıldı."),
  second_factor_on: text(
    "2FA was enabled. Each sign-in now requires a code.",
    "İki adımlı doğrulama etkinleştirildi. Artık her girişte kod gerekir.",
  ),
  second_factor_off: text("2FA was disabled.", "İki adımlı doğrulama devre dışı bırakıldı."),
  invite: text("The invitation was created.", "Davet oluşturuldu."),
  "sign-in-link": text("The sign-in link was created.", "Giriş bağlantısı oluşturuldu."),
  "remove-factor": text(
    "2FA of the author was removed.",
    "Yazarın iki adımlı doğrulaması kaldırıldı.",
  ),
  suspend: text("The author was suspended.", "Yazar askıya alındı."),
  resume: text("The author was resumed.", "Yazarın hesabı yeniden açıldı."),
  revoke: text("The key was revoked.", "Anahtar iptal edildi."),
  renamed: text("The key was renamed.", "Anahtar yeniden adlandırıldı."),
  refund: text("The purchase was marked as refunded.", "Satış iade edildi olarak işaretlendi."),
  "take-back": text("The refund was undone.", "İade işareti kaldırıldı."),
  "release-all": text("All sites were released.", "Bütün siteler bırakıldı."),
  restore: text("The site is active again.", "Site yeniden etkin."),
  limit: text(
    "The site limit of this purchase was saved.",
    "Bu satın almanın site sınırı kaydedildi.",
  ),
  "no-limit": text(
    "The site limit was not saved. Enter a number from 1 to 10,000, or leave the field empty.",
    "Site sınırı kaydedilmedi. 1 ile 10.000 arasında bir sayı girin ya da alanı boş bırakın.",
  ),
  "no-slot": text(
    "The site was not restored: another site uses its slot.",
    "Site geri alınamadı: etkinleştirme hakkını başka bir site kullanıyor.",
  ),
  sites: text(
    "The site limit was saved and applies now.",
    "Site sınırı kaydedildi ve geçerli oldu.",
  ),
  webhook_created: text(
    "The webhook was created. Configure its secret on your server, then send a test event.",
    "Webhook oluşturuldu. İmza anahtarını sunucunuza yazıp bir test olayı gönderin.",
  ),
  webhook_changed: text("The webhook was updated.", "Webhook güncellendi."),
  webhook_rotated: text(
    "The secret was rotated. Configure the new one on your server within a day.",
    "İmza anahtarı yenilendi. Yenisini bir gün içinde sunucunuza yazın.",
  ),
  webhook_enabled: text("The webhook was enabled.", "Webhook etkinleştirildi."),
  webhook_disabled: text(
    "The webhook was disabled. Pending messages are kept; new events are not delivered.",
    "Webhook devre dışı bırakıldı. Bekleyen iletiler saklanır; yeni olaylar gönderilmez.",
  ),
  webhook_removed: text("The webhook was deleted.", "Webhook silindi."),
}
