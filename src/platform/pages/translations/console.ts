import { filled, text } from "./text.ts"

/** The home page of the console. */
export const home = {
  noWarnings: text("Nothing needs attention.", "İlgilenmeniz gereken bir şey yok."),
  notWritable: text(
    "The database is not writable: sign-ins, imports and changes fail. See the log of the server.",
    "Veritabanına yazılamıyor: girişler, içe aktarmalar ve değişiklikler başarısız oluyor. Sunucunun günlüğüne bakın.",
  ),
  checks: {
    configuration: text("Settings", "Ayarlar"),
    disk: text("Disk", "Disk"),
    "file limit": text("File limit", "Dosya sınırı"),
    permissions: text("Permissions", "İzinler"),
    clock: text("Clock", "Saat"),
    waiting: text("Pending records", "Bekleyen kayıtlar"),
    imports: text("Imports", "İçe aktarmalar"),
    pulls: text("Database syncs", "Veritabanı eşitlemeleri"),
    webhooks: text("Webhooks", "Webhook'lar"),
    backups: text("Backups", "Yedekler"),
    upgrade: text("Version", "Sürüm"),
    writes: text("Database", "Veritabanı"),
    "master key": text("Master key", "Ana anahtar"),
  },
  problem: text("Problem", "Sorun"),
  solve: text("Solution", "Çözüm"),
  importAgain: text(
    "Correct the data or its source and import it again.",
    "Verileri ya da kaynağı düzeltip yeniden içe aktarın.",
  ),
  moreTasks: filled<[n: number]>("{n} more", "{n} sorun daha"),
  requests: text("Requests today (UTC)", "Bugünkü istekler (UTC)"),
  successRate: text("Success rate today", "Bugünkü başarı oranı"),
  errors: text("Errors today", "Bugünkü hatalar"),
  yesterday: filled("yesterday {value}", "dün {value}"),
  errorsNote: filled<[server: string, before: string]>(
    "{server} server errors; yesterday {before}",
    "{server} sunucu hatası; dün {before}",
  ),
  latency: text("p99 of validations", "Doğrulamaların 99. yüzdeliği"),
  latencyNote: text("this server, since it started", "bu sunucu, başladığından beri"),
  busiest: text("Busiest authors since yesterday", "Dünden beri en yoğun yazarlar"),
  noRequests: text("No requests since yesterday.", "Dünden beri istek yok."),
  latestImports: text("Latest imports", "Son içe aktarmalar"),
  latestChanges: text("Latest changes", "Son değişiklikler"),
  machine: text("Servers and database", "Sunucular ve veritabanı"),
  readiness: text("This server", "Bu sunucu"),
  ready: text("Ready", "Hazır"),
  notReady: text("Not ready", "Hazır değil"),
  store: text("Database", "Veritabanı"),
  schema: text("Schema version", "Şema sürümü"),
  disk: text("Disk", "Disk"),
  diskFree: filled<[free: string, store: string]>(
    "{free} free; database size {store}",
    "{free} boş; veritabanı boyutu {store}",
  ),
  lastBackup: text("Last backup", "Son yedek"),
  postgresBackup: text(
    "Use the tools of PostgreSQL. Their backups are not shown here.",
    "PostgreSQL araçlarını kullanın. Bu yedekler burada gösterilmez.",
  ),
  nodes: text("Servers using this database", "Bu veritabanını kullanan sunucular"),
  noNodes: text(
    "No server has reported yet. Servers report once a minute.",
    "Henüz hiçbir sunucu bildirim göndermedi. Sunucular dakikada bir bildirim gönderir.",
  ),
  host: text("Host", "Makine"),
  threads: text("Threads", "İş parçacığı"),
  since: text("Running since", "Çalışmaya başladı"),
}

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
  created: text("Created", "Oluşturulma"),
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
  revoke: filled<[username: string, calls: number]>(
    "Requests with this key of {username} are rejected within a second: {calls request|requests} in the last 7 days. You cannot undo this.",
    "{username} adlı yazarın bu anahtarıyla gönderilen istekler bir saniye içinde reddedilir: son 7 günde {calls} istek. Bu işlem geri alınamaz.",
  ),
}

export const operators = {
  title: text("Operators", "Yöneticiler"),
  operator: text("Operator", "Yönetici"),
  you: text("(you)", "(siz)"),
  link: filled<[name: string, when: string]>(
    "Send this link to {name}. It works once, until {when}. This page shows it for five minutes, or until you create another link.",
    "Bu bağlantıyı {name} adlı yöneticiye gönderin. Bağlantı {when} tarihine kadar geçerlidir, bir kez kullanılır. Bu sayfada beş dakika ya da başka bir bağlantı oluşturana kadar gösterilir.",
  ),
  taken: text("An operator with this name already exists.", "Bu adda bir yönetici zaten var."),
  invited: text("Invited", "Davet edilenler"),
  withdraw: text("Withdraw", "Geri al"),
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
  usePasskey: text(
    "Operators need a second factor. Sign out, and sign in with your passkey. If you lost it, an admin can remove it.",
    "Yöneticilere ikinci adım zorunludur. Çıkış yapıp geçiş anahtarınızla girin. Kaybettiyseniz bir yönetici kaldırabilir.",
  ),
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
    without: filled<[names: string]>("Without 2FA: {names}.", "Kurmayanlar: {names}."),
    require: {
      title: text("Require 2FA?", "İki adımlı doğrulama zorunlu olsun mu?"),
      text: text(
        "Every operator without 2FA must set it up before using the console.",
        "İki adımlı doğrulaması olmayan her yönetici, konsolu kullanmadan önce onu kurmalıdır.",
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

export const serverSettings = {
  title: text("Server settings", "Sunucu ayarları"),
  intro: text(
    "Settings are environment variables. Restart the server to change one. Secrets are not shown.",
    "Ayarlar ortam değişkenleridir. Birini değiştirmek için sunucuyu yeniden başlatın. Gizli değerler gösterilmez.",
  ),
  name: text("Setting", "Ayar"),
  value: text("Value", "Değer"),
  origin: text("Source", "Kaynak"),
  origins: {
    environment: text("environment", "ortam"),
    file: text("a file", "dosya"),
    default: text("default", "varsayılan"),
  },
  file: filled("file {path}", "{path} dosyası"),
}

export const signingKeys = {
  title: text("Signing keys", "İmza anahtarları"),
  intro: text(
    "The current key signs validation responses. Products pin it and the next one, and follow endorsements to later keys.",
    "Doğrulama yanıtlarını geçerli anahtar imzalar. Ürünler onu ve sonrakini sabitler, daha sonraki anahtarlara onaylarla ulaşır.",
  ),
  keySet: text("Published keys", "Yayımlanan anahtarlar"),
  states: {
    current: text("Current", "Geçerli"),
    next: text("Next", "Sonraki"),
    retired: text("Retired", "Eski"),
  },
  since: text("Signs since", "İmza başlangıcı"),
  retired: text("Retired", "Kullanım sonu"),
  rotate: {
    title: text("Rotate the signing key?", "İmza anahtarı yenilensin mi?"),
    text: text(
      "The next key signs from now on, and a new next key is created. Products keep working: the retired key stays published. If a key was compromised, run “pazar signing-key rotate --compromised ID” instead.",
      "Bundan sonra sonraki anahtar imzalar ve yeni bir sonraki anahtar oluşturulur. Ürünler çalışmaya devam eder: eski anahtar yayında kalır. Anahtar ele geçirildiyse bunun yerine “pazar signing-key rotate --compromised ID” komutunu çalıştırın.",
    ),
    submit: text("Rotate the signing key", "İmza anahtarını yenile"),
  },
}

export const traffic = {
  title: text("Traffic", "Trafik"),
  byOperation: text("Requests by operation", "İşleme göre istekler"),
  shipped: text("Secret keys that look shipped", "Ürünle dağıtılmış görünen gizli anahtarlar"),
  shippedHint: text(
    "A secret key used from many IP ranges is probably inside a product. Anyone who has it can read the author's account.",
    "Çok sayıda IP aralığından kullanılan bir gizli anahtar büyük olasılıkla bir ürünün içindedir. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
  ),
  noShipped: text("No secret key looks shipped.", "Dağıtılmış görünen gizli anahtar yok."),
  ipRanges: text("IP ranges, 7 days", "IP aralığı (7 gün)"),
}
