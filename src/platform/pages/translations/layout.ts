import { counted, filled, text } from "./text.ts"

export const navigation = {
  label: text("Workspace", "Çalışma alanı"),
  settings: text("Settings", "Ayarlar"),
  docs: text("Docs", "Dokümantasyon"),
  signOut: text("Sign out", "Çıkış yap"),
  menu: text("Menu", "Menü"),
  language: text("English", "Türkçe"),
  teams: text("Workspaces", "Çalışma alanları"),
  visit: filled<[username: string, role: string]>(
    "You are in the workspace of {username} as an operator ({role}). What you change is in the audit log.",
    "{username} çalışma alanındasınız (yönetici, {role}). Değişiklikleriniz işlem kaydına yazılır.",
  ),
  forbidden: text(
    "Your role does not allow this. Ask an owner of the account.",
    "Rolünüz buna izin vermiyor. Hesabın sahibine başvurun.",
  ),
  skip: text("Skip to content", "İçeriğe geç"),
  support: text("Get help", "Yardım iste"),
  console: text("Console", "Konsol"),
  toStatus: text("Go to the home page", "Ana sayfaya git"),
  home: text("Home", "Ana sayfa"),
  data: text("Data", "Veri"),
  logs: text("Logs", "Kayıtlar"),
  general: text("General", "Genel"),
  theme: {
    title: text("Theme", "Tema"),
    system: text("System", "Sistem"),
    light: text("Light", "Açık"),
    dark: text("Dark", "Koyu"),
  },
}

export const search = {
  title: text("Search", "Ara"),
  label: text("Search for a code, item, key or page", "Kod, ürün, anahtar veya sayfa arayın"),
  intro: text(
    "Enter a purchase code or a message that contains one, an item name or ID, a key, its name or its last four characters, or a page name. Pazar does not store the key.",
    "Bir satın alma kodu veya onu içeren bir mesaj; bir ürünün adı veya ID'si; bir anahtar, adı veya son dört karakteri; ya da bir sayfanın adını yazın. Pazar anahtarı saklamaz.",
  ),
  pages: text("Pages", "Sayfalar"),
  none: text("No results.", "Sonuç yok."),
  more: filled<[n: number]>(
    "Only the first {n} results of each kind are listed. Refine your search.",
    "Her türden yalnızca ilk {n} sonuç gösteriliyor. Aramanızı daraltın.",
  ),
  console: {
    label: text(
      "Search for a code, buyer, key, author, item, operator or page",
      "Kod, alıcı, anahtar, yazar, ürün, yönetici veya sayfa arayın",
    ),
    intro: text(
      "Enter a purchase code or a message that contains one, the beginning of a buyer’s name, a key, a name of an author, item, key, operator or page, or an ID. Pazar does not store the key. To find a key by its last four characters, open its author.",
      "Bir satın alma kodu veya onu içeren bir mesaj; bir alıcının adının başını; bir anahtar; bir yazarın, ürünün, anahtarın, yöneticinin veya sayfanın adı ya da bir ID yazın. Pazar anahtarı saklamaz. Bir anahtarı son dört karakteriyle bulmak için yazarını açın.",
    ),
  },
}

export const lists = {
  none: text("No results match this filter.", "Bu filtreye uyan sonuç yok."),
  allStates: text("All statuses", "Tüm durumlar"),
  apply: text("Apply", "Uygula"),
  rows: counted("result", "results", "sonuç"),
  first: text("First page", "İlk sayfa"),
  previous: text("Previous", "Önceki"),
  next: text("Next", "Sonraki"),
  pages: text("Pages", "Sayfalar"),
  menu: filled("Actions for {name}", "İşlemler: {name}"),
  csv: { download: text("CSV", "CSV"), inUtc: filled("{head} (UTC)", "{head} (UTC)") },
}

/** Column headings that several pages share. */
export const columns = {
  url: text("URL", "URL"),
  buyer: text("Buyer", "Alıcı"),
  requests: text("Requests", "İstek"),
  code: text("Code", "Kod"),
  item: text("Item", "Ürün"),
  key: text("Key", "Anahtar"),
  lastRequest: text("Last request", "Son istek"),
  lastSeen: text("Last seen", "Son görülme"),
  license: text("License", "Lisans"),
  name: text("Name", "Ad"),
  ipRange: text("IP range", "IP aralığı"),
  price: text("Price", "Fiyat"),
  reason: text("Error", "Hata"),
  state: text("Status", "Durum"),
  time: text("When", "Zaman"),
  version: text("Version", "Sürüm"),
}

/** Texts of the days of a list or chart. */
export const range = {
  label: text("Date range", "Tarih aralığı"),
  last: text(
    (n: number) => (n === 1 ? "Today" : `Last ${n} days`),
    (n) => (n === 1 ? "Bugün" : `Son ${n} gün`),
  ),
  anyTime: text("Any time", "Tüm zamanlar"),
  custom: text("Custom range", "Özel aralık"),
  ends: { from: text("From", "Başlangıç"), to: text("To", "Bitiş") },
}

export const words = {
  never: text("Never", "Hiç"),
  yes: text("Yes", "Evet"),
  no: text("No", "Hayır"),
  copy: text("Copy", "Kopyala"),
  copied: text("Copied", "Kopyalandı"),
  save: text("Save", "Kaydet"),
  cancel: text("Cancel", "Vazgeç"),
  undo: text("Undo", "Geri al"),
  sendEmail: text("Send by e-mail", "E-postayla gönder"),
  requests: counted("request", "requests", "istek"),
}

export const notices = {
  password: text(
    "The password was changed. All other sessions were signed out.",
    "Parola değiştirildi, diğer bütün oturumlar kapatıldı.",
  ),
  first_password: text(
    "Your password is set. Enter a 2FA code to sign in.",
    "Parolanız belirlendi. Giriş yapmak için iki adımlı doğrulama kodunu yazın.",
  ),
  welcome: text(
    "Your password is set, and you are signed in.",
    "Parolanız belirlendi ve giriş yaptınız.",
  ),
  joined: text("You have joined.", "Katıldınız."),
  operator_invited: text("The link was created.", "Bağlantı oluşturuldu."),
  alerts_on: text("You receive alerts from now on.", "Bundan sonra uyarı e-postası alacaksınız."),
  alerts_off: text("You no longer receive alerts.", "Artık uyarı e-postası almayacaksınız."),
  operator_email: text("The e-mail address was saved.", "E-posta adresi kaydedildi."),
  operator_role: text("The role was changed.", "Rol değiştirildi."),
  link_sent: text("The link is on its way by e-mail.", "Bağlantı e-postayla gönderiliyor."),
  member_role: text("The role was changed.", "Rol değiştirildi."),
  member_removed: text("The person was removed.", "Kişi kaldırıldı."),
  invitation_withdrawn: text("The invitation was withdrawn.", "Davet geri alındı."),
  operator_removed: text("The operator was deleted.", "Pazaryeri yöneticisi silindi."),
  signing_key_rotated: text("The signing key was rotated.", "İmza anahtarı yenilendi."),
  second_factor_required: text(
    "2FA is now required for every operator.",
    "İki adımlı doğrulama artık her yönetici için zorunlu.",
  ),
  second_factor_optional: text("2FA is now optional.", "İki adımlı doğrulama artık isteğe bağlı."),
  identity_connected: text(
    "From now on you can also sign in this way.",
    "Bundan sonra bu yolla da giriş yapabilirsiniz.",
  ),
  identity_removed: text("The connection was removed.", "Bağlantı kesildi."),
  signed_out: text("You were signed out everywhere.", "Bütün oturumlarınız kapatıldı."),
  second_factor_on: text(
    "2FA was enabled. Each sign-in now requires a code.",
    "İki adımlı doğrulama etkinleştirildi. Artık her girişte kod gerekir.",
  ),
  passkey_added: text(
    "The passkey was added. You can sign in with it.",
    "Geçiş anahtarı eklendi. Onunla giriş yapabilirsiniz.",
  ),
  passkey_removed: text("The passkey was removed.", "Geçiş anahtarı kaldırıldı."),
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
  item_key: text("The key no longer validates this item.", "Anahtar artık bu ürünü doğrulamıyor."),
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

export const errors = {
  403: {
    title: text("Not allowed", "İzin verilmedi"),
    text: text(
      "The form was sent from another site or was open for too long. Go back, reload the page and try again.",
      "Form başka bir siteden gönderildi ya da çok uzun süre açık kaldı. Geri dönüp sayfayı yenileyin ve yeniden deneyin.",
    ),
  },
  404: {
    title: text("Not found", "Bulunamadı"),
    text: text(
      "This page does not exist, or you do not have access to it. Check the URL, or continue here:",
      "Bu sayfa yok ya da erişiminiz yok. URL'yi kontrol edin ya da buradan devam edin:",
    ),
  },
  405: {
    title: text("Request not supported", "Bu istek desteklenmiyor"),
    text: text(
      "This URL does not accept this kind of request. Go back and try again.",
      "Bu URL bu tür istekleri kabul etmez. Geri dönüp yeniden deneyin.",
    ),
  },
  413: {
    title: text("Too large", "Çok büyük"),
    text: text(
      "You sent more than this page accepts. Shorten it and try again.",
      "Gönderdiğiniz veri bu sayfa için çok büyük. Kısaltıp yeniden deneyin.",
    ),
  },
  421: {
    title: text("Wrong host", "Yanlış sunucu adı"),
    text: text(
      "These pages have another URL. Open them from the link that you received.",
      "Bu sayfaların URL'si başka. Sayfaları size gönderilen bağlantıdan açın.",
    ),
  },
  500: {
    title: text("Something went wrong", "Bir hata oluştu"),
    text: text(
      "The server had an error. Try again in a moment.",
      "Sunucuda bir hata oluştu. Birazdan yeniden deneyin.",
    ),
  },
  503: {
    title: text("Temporarily unavailable", "Şu anda kullanılamıyor"),
    text: text(
      "The service cannot respond right now. Try again in a moment.",
      "Hizmet şu anda yanıt veremiyor. Birazdan yeniden deneyin.",
    ),
  },
  home: text("Go to the start page", "Ana sayfaya git"),
  overview: text("Go to the overview", "Genel bakışa git"),
}
