/** The Turkish translation of each text, by its English sentence. */
export const tr = {
  // The audit log.
  "Audit log": "Denetim kaydı",
  Action: "İşlem",
  "All actions": "Tüm işlemler",
  Anyone: "Herkes",
  Yesterday: "Dün",
  Keys: "Anahtarlar",
  Accounts: "Hesaplar",
  People: "Kişiler",
  Items: "Ürünler",
  Purchases: "Satışlar",
  Operators: "Yöneticiler",
  Imports: "İçe aktarmalar",
  "Operator tokens": "Yönetici belirteçleri",
  "Signing keys": "İmza anahtarları",
  Webhooks: "Webhook'lar",
  "No events yet.": "Henüz bir kayıt yok.",
  Who: "Kim",
  Subject: "İlgili kayıt",
  Unknown: "Bilinmiyor",
  "{name}": "{name}",
  "Operator {name}": "Yönetici {name}",
  "Command line": "Komut satırı",
  "Token {name}": "Belirteç {name}",
  "Import {name}": "İçe aktarma {name}",
  "Key created": "Anahtar oluşturuldu",
  "Key revealed": "Anahtar gösterildi",
  "Key renamed": "Anahtarın adı değişti",
  "Key rotated": "Anahtar yenisiyle değiştirildi",
  "Key revoked": "Anahtar iptal edildi",
  "Invitation created": "Davet oluşturuldu",
  "Sign-in link created": "Giriş bağlantısı oluşturuldu",
  "Member: owner": "Ekip üyesi: sahip",
  "Member: developer": "Ekip üyesi: geliştirici",
  "Member: support": "Ekip üyesi: destek",
  "Member removed": "Ekip üyesi çıkarıldı",
  "Suspended # action": "Askıya alındı",
  Resumed: "Yeniden açıldı",
  "State changed by import": "İçe aktarma durumu değiştirdi",
  "E-mail address changed": "E-posta adresi değişti",
  "Password set": "Parola belirlendi",
  "Link to a new password created": "Yeni parola bağlantısı oluşturuldu",
  "Person deleted": "Kişi silindi",
  "Rejected: not allowed": "Reddedildi: yetkisi yok",
  "Passkey added": "Geçiş anahtarı eklendi",
  "Passkey removed": "Geçiş anahtarı kaldırıldı",
  "2FA enabled": "İki adımlı doğrulama etkinleştirildi",
  "2FA disabled": "İki adımlı doğrulama devre dışı bırakıldı",
  "Single sign-on connected": "Tek oturum açma bağlandı",
  "Single sign-on disconnected": "Tek oturum açma bağlantısı kesildi",
  "Item moved to another author": "Ürün başka bir yazara taşındı",
  "Previous author’s key revoked for an item": "Önceki yazarın anahtarı bir ürün için iptal edildi",
  "Site limit set": "Site sınırı belirlendi",
  "Marked as refunded": "İade edildi olarak işaretlendi",
  "Refund undone": "İade işareti kaldırıldı",
  "Site released": "Site bırakıldı",
  "Release undone": "Bırakma geri alındı",
  "Operator invited": "Yönetici davet edildi",
  "Operator deleted": "Yönetici silindi",
  "Role set to admin": "Rol: tam yetkili",
  "Role set to support": "Rol: destek",
  "Role set to viewer": "Rol: izleyici",
  "2FA required for operators": "İki adımlı doğrulama yöneticiler için zorunlu kılındı",
  "2FA made optional for operators": "İki adımlı doğrulama yöneticiler için isteğe bağlı yapıldı",
  "Operator sign-in": "Yönetici girişi",
  "Operator sign-in failed": "Başarısız yönetici girişi",
  "Operator sign-in rate limited": "Yönetici girişi sınırlandı",
  "Records pushed": "Kayıtlar gönderildi",
  "Keys imported": "Anahtarlar içe aktarıldı",
  "Token created": "Belirteç oluşturuldu",
  "Token rotated": "Belirteç yenilendi",
  "Token deleted": "Belirteç silindi",
  "Signing key rotated": "İmza anahtarı yenilendi",
  "Compromised signing key removed": "Ele geçirilmiş imza anahtarı silindi",
  "Webhook created": "Webhook oluşturuldu",
  "Webhook updated": "Webhook güncellendi",
  "Webhook secret revealed": "Webhook imza anahtarı gösterildi",
  "Webhook secret rotated": "Webhook imza anahtarı yenilendi",
  "Webhook disabled": "Webhook devre dışı bırakıldı",
  "Webhook enabled": "Webhook etkinleştirildi",
  "Webhook event redelivered": "Webhook olayı yeniden gönderildi",
  "Webhook deleted": "Webhook silindi",
  "{n time|times}": "{n} kez",
  "{n invitation|invitations}": "{n} davet",
  "{n record|records}": "{n} kayıt",
  "{n key|keys}": "{n} anahtar",
  "Imported state: suspended": "İçe aktarılan durum: askıda",
  "Imported state: not suspended": "İçe aktarılan durum: askıda değil",
  "Imported state: refunded": "İçe aktarılan durum: iade edildi",
  "Imported state: not refunded": "İçe aktarılan durum: iade edilmedi",

  // The home page of the console.
  "Nothing needs attention.": "İlgilenmeniz gereken bir şey yok.",
  "The database is not writable: sign-ins, imports and changes fail. See the log of the server.":
    "Veritabanına yazılamıyor: girişler, içe aktarmalar ve değişiklikler başarısız oluyor. Sunucunun günlüğüne bakın.",
  Settings: "Ayarlar",
  Disk: "Disk",
  "File limit": "Dosya sınırı",
  Permissions: "İzinler",
  Clock: "Saat",
  "Pending records": "Bekleyen kayıtlar",
  "Database syncs": "Veritabanı eşitlemeleri",
  Backups: "Yedekler",
  Version: "Sürüm",
  Database: "Veritabanı",
  "Master key": "Ana anahtar",
  Problem: "Sorun",
  Solution: "Çözüm",
  "Correct the data or its source and import it again.":
    "Verileri ya da kaynağı düzeltip yeniden içe aktarın.",
  "{n} more # problems": "{n} sorun daha",
  "Requests today (UTC)": "Bugünkü istekler (UTC)",
  "Success rate today": "Bugünkü başarı oranı",
  "Errors today": "Bugünkü hatalar",
  "yesterday {value}": "dün {value}",
  "{server} server errors; yesterday {before}": "{server} sunucu hatası; dün {before}",
  "p99 of validations": "Doğrulamaların 99. yüzdeliği",
  "this server, since it started": "bu sunucu, başladığından beri",
  "Busiest authors since yesterday": "Dünden beri en yoğun yazarlar",
  "No requests since yesterday.": "Dünden beri istek yok.",
  "Latest imports": "Son içe aktarmalar",
  "Latest changes": "Son değişiklikler",
  "Servers and database": "Sunucular ve veritabanı",
  "This server": "Bu sunucu",
  Ready: "Hazır",
  "Not ready": "Hazır değil",
  "Schema version": "Şema sürümü",
  "{free} free; database size {store}": "{free} boş; veritabanı boyutu {store}",
  "Last backup": "Son yedek",
  "Use the tools of PostgreSQL. Their backups are not shown here.":
    "PostgreSQL araçlarını kullanın. Bu yedekler burada gösterilmez.",
  "Servers using this database": "Bu veritabanını kullanan sunucular",
  "No server has reported yet. Servers report once a minute.":
    "Henüz hiçbir sunucu bildirim göndermedi. Sunucular dakikada bir bildirim gönderir.",
  Host: "Makine",
  Threads: "İş parçacığı",
  "Running since": "Çalışmaya başladı",

  // Authors.
  Authors: "Yazarlar",
  "Name, e-mail or username": "Ad, e-posta veya kullanıcı adı",
  "No authors yet. Import them with “pazar import FILE”.":
    "Henüz yazar yok. “pazar import DOSYA” ile içe aktarın.",
  Author: "Yazar",
  Active: "Etkin",
  Invited: "Davetli",
  "No password": "Parolası yok",
  Suspended: "Askıda",
  "Requests, 7 days": "İstek (7 gün)",
  "Suspended by import": "İçe aktarma askıya aldı",
  "Suspended by an operator": "Bir yönetici askıya aldı",
  "Last active": "Son etkinlik",
  "Created # date": "Oluşturulma",
  "All events # audit": "Bütün kayıtlar",
  "Send this link to the author. It works once, until {when}. This page shows it for five minutes, or until you create another link.":
    "Bu bağlantıyı yazara gönderin. Bağlantı {when} tarihine kadar geçerlidir, bir kez kullanılır. Bu sayfada beş dakika ya da başka bir bağlantı oluşturana kadar gösterilir.",
  "This link signs the author in, once, until {when}.":
    "Bu bağlantıyla {when} tarihine kadar bir kez yazar olarak giriş yapılabilir.",
  "Invite {name}": "{name} için davet",
  "Creates a link that works once within seven days. The author sets a password with it, which ends the author's sessions and other links.":
    "Yazarın parola belirleyeceği bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Parola belirlenince yazarın oturumları ve diğer bağlantıları sona erer.",
  "Create invitation": "Davet oluştur",
  "Sign-in link for {name}": "{name} için giriş bağlantısı",
  "Creates a link that works once within two minutes and signs in without a password. It requires a code if the author uses 2FA. Whoever opens it acts as this author.":
    "Parolasız giriş sağlayan bir bağlantı oluşturur. Bağlantı iki dakika geçerlidir, bir kez kullanılır. Yazar iki adımlı doğrulama kullanıyorsa kod gerekir. Bağlantıyı açan kişi bu yazar olarak işlem yapar.",
  "Create sign-in link": "Giriş bağlantısı oluştur",
  "Remove 2FA of {name}": "{name} için iki adımlı doğrulamayı kaldır",
  "For an author who lost both phone and recovery codes. The password or a link is then enough to sign in. Make sure that the request is from the author.":
    "Telefonunu ve kurtarma kodlarını kaybeden yazarlar için. Bundan sonra parola ya da bağlantı giriş için yeterlidir. İsteğin yazardan geldiğinden emin olun.",
  "Remove 2FA": "İki adımlı doğrulamayı kaldır",
  "Suspend {name}": "{name} askıya alınsın mı?",
  "All keys of this author are rejected within a second, so products cannot validate purchases with them. Sessions end and sign-ins are rejected. No data is deleted. This override takes precedence over imports until an operator resumes the author.":
    "Bu yazarın bütün anahtarları bir saniye içinde reddedilir; ürünler bu anahtarlarla satın almaları doğrulayamaz. Oturumlar kapanır, girişler reddedilir. Hiçbir veri silinmez. Bu karar, bir yönetici hesabı yeniden açana kadar içe aktarmalardan önce gelir.",
  Suspend: "Askıya al",
  "Resume {name}": "{name} hesabı yeniden açılsın mı?",
  "The author's keys are accepted again within a second, and the author can sign in. A later import can suspend the author again.":
    "Yazarın anahtarları bir saniye içinde yeniden kabul edilir ve yazar giriş yapabilir. Sonraki bir içe aktarma yazarı yeniden askıya alabilir.",
  Resume: "Yeniden aç",

  // Operators.
  Operator: "Yönetici",
  "(you)": "(siz)",
  "Send this link to {name}. It works once, until {when}. This page shows it for five minutes, or until you create another link.":
    "Bu bağlantıyı {name} adlı yöneticiye gönderin. Bağlantı {when} tarihine kadar geçerlidir, bir kez kullanılır. Bu sayfada beş dakika ya da başka bir bağlantı oluşturana kadar gösterilir.",
  "An operator with this name already exists.": "Bu adda bir yönetici zaten var.",
  "Invited # list": "Davet edilenler",
  Withdraw: "Geri al",
  "For password links and alerts. Optional.": "Parola bağlantıları ve uyarılar için. İsteğe bağlı.",
  "E-mail address of {name}": "{name} adlı yöneticinin e-posta adresi",
  "Password links and alerts are sent to this address. Leave the field empty to send none.":
    "Parola bağlantıları ve uyarılar bu adrese gönderilir. Gönderilmemesi için alanı boş bırakın.",
  Save: "Kaydet",
  Role: "Rol",
  Admin: "Tam yetkili",
  "Everything, including operators, webhooks and settings.":
    "Yöneticiler, webhook'lar ve ayarlar dahil her şeyi yapar.",
  Support: "Destek",
  "Looks up authors and purchases, invites authors, releases sites, redelivers webhook events.":
    "Yazarlara ve satışlara bakar, yazar davet eder, site bırakır, webhook olaylarını yeniden gönderir.",
  Viewer: "İzleyici",
  "Reads pages and downloads lists. Changes nothing.":
    "Sayfaları okur, listeleri indirir. Hiçbir şeyi değiştirmez.",
  "Operators need a second factor. Sign out, and sign in with your passkey. If you lost it, an admin can remove it.":
    "Yöneticilere ikinci adım zorunludur. Çıkış yapıp geçiş anahtarınızla girin. Kaybettiyseniz bir yönetici kaldırabilir.",
  "Your role, {role}, does not allow this. Ask an admin to do it or to change your role.":
    "{role} rolünüz buna izin vermiyor. Tam yetkili bir yöneticiden bunu yapmasını ya da rolünüzü değiştirmesini isteyin.",
  "Change the role of {name}": "{name} adlı yöneticinin rolü",
  "The new role applies from the operator's next request.":
    "Yeni rol, yöneticinin bir sonraki isteğinden itibaren geçerlidir.",
  "Change role": "Rolü değiştir",
  "This operator is the last admin. Make another operator an admin first.":
    "Bu kişi tek tam yetkili yönetici. Önce başka bir yöneticiye tam yetki verin.",
  "Invite an operator": "Yönetici davet edin",
  "Creates a link that works once within seven days. The operator sets a password with it and is signed in.":
    "Yöneticinin parola belirleyip giriş yapacağı bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır.",
  "Invite operator": "Yönetici davet et",
  "New link for {name}": "{name} için yeni bağlantı",
  "Creates another link that works once within seven days. The operator sets a password with it and is signed in. Earlier links work until a password is set.":
    "Yöneticinin parola belirleyip giriş yapacağı bir bağlantı daha oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Önceki bağlantılar parola belirlenene kadar geçerlidir.",
  "Create link": "Bağlantı oluştur",
  "Reset the password of {name}": "{name} adlı yöneticinin parolası sıfırlansın mı?",
  "Creates a link that works once within seven days. The operator sets a new password with it. The old password works until then. A new password ends the operator's sessions; 2FA stays enabled.":
    "Yöneticinin yeni bir parola belirleyeceği bir bağlantı oluşturur. Bağlantı yedi gün geçerlidir, bir kez kullanılır. Eski parola o zamana kadar geçerlidir. Yeni parola yöneticinin oturumlarını kapatır; iki adımlı doğrulama etkin kalır.",
  "Reset password": "Parolayı sıfırla",
  "Delete {name}": "{name} silinsin mi?",
  "The operator is signed out everywhere immediately. Password, links and 2FA are deleted. Events of the operator stay in the audit log.":
    "Yöneticinin bütün oturumları hemen kapanır. Parolası, bağlantıları ve iki adımlı doğrulaması silinir. Yöneticinin işlemleri denetim kaydında kalır.",
  Delete: "Sil",
  "2FA is required: operators must set it up before they can use the console.":
    "Yöneticiler konsolu kullanmadan önce iki adımlı doğrulamayı kurmalıdır.",
  "2FA is optional. Without it, a stolen password is enough to sign in.":
    "İki adımlı doğrulama isteğe bağlı. Yoksa çalınan parola giriş için yeter.",
  "Without 2FA: {names}.": "Kurmayanlar: {names}.",
  "Require 2FA?": "İki adımlı doğrulama zorunlu olsun mu?",
  "Every operator without 2FA must set it up before using the console.":
    "İki adımlı doğrulaması olmayan her yönetici, konsolu kullanmadan önce onu kurmalıdır.",
  "Require 2FA": "Zorunlu kıl",
  "Make 2FA optional?": "İki adımlı doğrulama isteğe bağlı olsun mu?",
  "Each operator decides. 2FA stays enabled for operators who have set it up.":
    "Her yönetici kendisi karar verir. Kuran yöneticilerde etkin kalır.",
  "Make 2FA optional": "İsteğe bağlı yap",

  // Settings of the server.
  "Server settings": "Sunucu ayarları",
  "Settings are environment variables. Restart the server to change one. Secrets are not shown.":
    "Ayarlar ortam değişkenleridir. Birini değiştirmek için sunucuyu yeniden başlatın. Gizli değerler gösterilmez.",
  Setting: "Ayar",
  Value: "Değer",
  Source: "Kaynak",
  environment: "ortam",
  "a file": "dosya",
  default: "varsayılan",
  "file {path}": "{path} dosyası",

  // Signing keys.
  "The current key signs validation responses. Products pin it and the next one, and follow endorsements to later keys.":
    "Doğrulama yanıtlarını geçerli anahtar imzalar. Ürünler onu ve sonrakini sabitler, daha sonraki anahtarlara onaylarla ulaşır.",
  "Published keys": "Yayımlanan anahtarlar",
  Current: "Geçerli",
  Next: "Sonraki",
  Retired: "Eski",
  "Signs since": "İmza başlangıcı",
  "Retired # date": "Kullanım sonu",
  "Rotate the signing key?": "İmza anahtarı yenilensin mi?",
  "The next key signs from now on, and a new next key is created. Products keep working: the retired key stays published. If a key was compromised, run “pazar signing-key rotate --compromised ID” instead.":
    "Bundan sonra sonraki anahtar imzalar ve yeni bir sonraki anahtar oluşturulur. Ürünler çalışmaya devam eder: eski anahtar yayında kalır. Anahtar ele geçirildiyse bunun yerine “pazar signing-key rotate --compromised ID” komutunu çalıştırın.",
  "Rotate the signing key": "İmza anahtarını yenile",

  // Traffic.
  Traffic: "Trafik",
  "Requests by operation": "İşleme göre istekler",
  "Secret keys that look shipped": "Ürünle dağıtılmış görünen gizli anahtarlar",
  "A secret key used from many IP ranges is probably inside a product. Anyone who has it can read the author's account.":
    "Çok sayıda IP aralığından kullanılan bir gizli anahtar büyük olasılıkla bir ürünün içindedir. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
  "No secret key looks shipped.": "Dağıtılmış görünen gizli anahtar yok.",
  "IP ranges, 7 days": "IP aralığı (7 gün)",

  // The documentation.
  "all pages as one text": "bütün sayfalar tek metin olarak",
  Contents: "İçindekiler",
  "Search the documentation": "Belgelerde ara",
  "No page matches.": "Eşleşen sayfa yok.",
  "Did you mean:": "Bunu mu demek istediniz:",
  "Get started # docs": "Başlangıç",
  Guides: "Rehberler",
  "API reference": "API başvurusu",
  "Operators # docs": "Pazaryeri yöneticileri",
  Parameters: "Parametreler",
  Name: "Ad",
  Type: "Tür",
  Presence: "Bulunma durumu",
  Meaning: "Anlamı",
  required: "zorunlu",
  optional: "isteğe bağlı",
  always: "her zaman",
  "Code samples: {title}": "Kod örnekleri: {title}",
  Run: "Çalıştır",
  "Test code": "Test kodu",
  Item: "Ürün",
  "The request failed: no response.": "İstek başarısız: yanıt gelmedi.",
  Responses: "Yanıtlar",
  Response: "Yanıt",
  "Sample response": "Örnek yanıt",
  "{statuses}: see Error codes": "{statuses}: Hata kodları sayfasına bakın",
  "HTTP status": "HTTP durumu",
  Retry: "Yeniden deneme",
  "after `Retry-After` seconds": "`Retry-After` saniye sonra",
  no: "hayır",
  "What to do": "Ne yapmalı",
  "Send an API key in the header `X-Api-Key`.": "API anahtarını `X-Api-Key` başlığında gönderin.",
  "Check that the key was copied completely and belongs to this marketplace.":
    "Anahtarın eksiksiz kopyalandığını ve bu pazaryerine ait olduğunu kontrol edin.",
  "Replace it with a valid key from the workspace. Products keep their last state.":
    "Çalışma alanından geçerli bir anahtar alıp yerine koyun. Ürünler son durumu korur.",
  "Replace it with the rotated key or create a new one. Products keep their last state.":
    "Yenilenen anahtarı kullanın ya da yeni bir anahtar oluşturun. Ürünler son durumu korur.",
  "Use a secret key, on your own server only, whose scope allows the operation. A validation key can only validate purchases, release sites and create download links. If the item has moved to another author, use a key of that author; products keep their last state.":
    "Yalnızca kendi sunucunuzda, kapsamı bu işleme izin veren bir gizli anahtar kullanın. Doğrulama anahtarı yalnızca satın alma doğrular, site bırakır ve indirme bağlantısı oluşturur. Ürün başka bir yazara taşındıysa o yazarın anahtarını kullanın; ürünler son durumu korur.",
  "Contact the marketplace. Products keep their last state.":
    "Pazaryerine başvurun. Ürünler son durumu korur.",
  "Add the required parameter. Empty values count as missing.":
    "Zorunlu parametreyi ekleyin. Boş değer eksik sayılır.",
  "Correct the value. A purchase code has at most 255 characters, an item ID is an integer, and a nonce has 16 to 128 letters, digits, `-` or `_`.":
    "Değeri düzeltin. Satın alma kodu en çok 255 karakterdir, ürün ID değeri tam sayıdır, nonce 16 ile 128 arasında harf, rakam, `-` ya da `_` içerir.",
  "Publish an item, or use the key of the account that owns the items.":
    "Bir ürün yayımlayın ya da ürünlerin sahibi olan hesabın anahtarını kullanın.",
  "Check the item ID. Hidden items and items of other authors are not returned.":
    "Ürün ID değerini kontrol edin. Yayında olmayan ürünler ve başka yazarların ürünleri döndürülmez.",
  "Treat the code as invalid and ask the buyer to copy it again from the order e-mail. If a release request returned this error, the purchase can still be valid: keep the last state.":
    "Kodu geçersiz sayın ve alıcıdan kodu sipariş e-postasından yeniden kopyalamasını isteyin. Bu hatayı site bırakma isteği döndürdüyse satın alma hâlâ geçerli olabilir: son durumu koruyun.",
  "Treat the code as invalid and disable the features that it unlocked.":
    "Kodu geçersiz sayın ve açtığı özellikleri kapatın.",
  "Treat the code as invalid until the buyer renews the subscription.":
    "Alıcı aboneliği yenileyene kadar kodu geçersiz sayın.",
  "Ask the marketplace for the file: the item has no `download_url`.":
    "Dosyayı pazaryerinden isteyin: ürünün `download_url` alanı yok.",
  "Treat the code as invalid on this site. Let the buyer [release another site](/docs/site-limits).":
    "Kodu bu sitede geçersiz sayın. Alıcının [başka bir siteyi bırakmasını](/docs/site-limits) sağlayın.",
  "Use a method from the header `Allow`.": "`Allow` başlığındaki yöntemlerden birini kullanın.",
  "Compare the path with the [operations](/docs/validate_purchase).":
    "Yolu [işlemlerle](/docs/validate_purchase) karşılaştırın.",
  "Send a body of at most 64 KB.": "En çok 64 KB'lik bir gövde gönderin.",
  "Keep the last state and wait. See [rate limits](/docs/rate-limits). After a release, only releases have to wait.":
    "Son durumu koruyun ve bekleyin. [İstek sınırlarına](/docs/rate-limits) bakın. Site bırakma isteğinden sonra yalnızca bırakma istekleri bekler.",
  "Keep the last state and retry. The error is not about the key or the code.":
    "Son durumu koruyun ve yeniden deneyin. Hatanın anahtarla ya da kodla ilgisi yoktur.",
  "This page as Markdown": "Bu sayfa Markdown olarak",
  "OpenAPI document": "OpenAPI tanımı",
  "For language models: llms.txt": "Dil modelleri için: llms.txt",

  // The start page.
  "Validate purchase codes from your own code": "Satın alma kodlarını kendi kodunuzdan doğrulayın",
  "The author API of {site}: validate purchase codes, and read your account and your items.":
    "{site} yazar API'si: satın alma kodlarını doğrulayın, hesap ve ürün bilgilerinizi okuyun.",
  "Open workspace": "Çalışma alanını aç",
  "Read the docs": "Dokümantasyonu oku",
  Request: "İstek",
  "Run it: it contains a public test key.":
    "Çalıştırın: içinde herkese açık bir test anahtarı var.",
  "Keys you can ship": "Ürününüze koyabileceğiniz anahtarlar",
  "A validation key can only validate purchases of the items you choose, release sites and create download links. It is safe inside a product.":
    "Doğrulama anahtarı yalnızca seçtiğiniz ürünlerin satın almalarını doğrular, site bırakır ve indirme bağlantısı oluşturur. Ürünün içinde güvenle dağıtılabilir.",
  "Test codes": "Test kodları",
  "Valid, refunded, unknown, unavailable: one test code each, separate from real sales.":
    "Geçerli, iade edilmiş, bilinmeyen, hizmet dışı: her biri için bir test kodu, gerçek satışlardan ayrı.",
  "Any language": "Her dilde",
  "HTTP and JSON. Samples in curl, PHP, JavaScript, Python, Java, Go and C#, and clients for PHP and TypeScript.":
    "HTTP ve JSON. curl, PHP, JavaScript, Python, Java, Go ve C# örnekleri; PHP ve TypeScript için hazır istemciler.",

  // Single sign-on.
  "Continue with {host}": "{host} ile devam et",
  "Or choose a password you will sign in with:":
    "Veya giriş yaparken kullanacağınız parolayı belirleyin:",
  "Single sign-on": "Tek oturum açma",
  "Sign in here with your account at {host}, without a password.":
    "{host} hesabınızla parolasız giriş yapabilirsiniz.",
  "ID there": "Oradaki kimlik",
  "Connect {host}": "{host} bağla",
  Disconnect: "Bağlantıyı kes",
  "You have no other way to sign in. Set a password first.":
    "Başka bir giriş yolunuz yok. Önce bir parola belirleyin.",
  "Sign in again": "Yeniden giriş yapın",
  "This browser began to sign in at {host} in another tab, more than ten minutes ago, or not at all. {site} changed nothing.":
    "Bu tarayıcı {host} girişine başka bir sekmede veya on dakikadan önce başlamış ya da hiç başlamamış. {site} hiçbir şeyi değiştirmedi.",
  "The sign-in failed": "Giriş yapılamadı",
  "The response of the provider was wrong or was already used. Try again.":
    "Sağlayıcının yanıtı hatalı veya daha önce kullanılmış. Yeniden deneyin.",
  "Sign-in elsewhere does not work now": "Dış giriş şu anda çalışmıyor",
  "{host} does not respond, or rejects {site}. Try again later, or sign in with your password.":
    "{host} yanıt vermiyor ya da {site} sitesini reddediyor. Daha sonra yeniden deneyin veya parolanızla giriş yapın.",
  "Not connected yet": "Henüz bağlı değil",
  "You are signed in at {host}, but {site} does not know who you are. Open your invitation and continue with {host} there, or sign in with your password and connect {host} under Security.":
    "{host} üzerinde giriş yaptınız ama {site} kim olduğunuzu bilmiyor. Davetinizi açıp oradan {host} ile devam edin veya parolanızla giriş yapıp Güvenlik sayfasında {host} hesabınızı bağlayın.",
  "Connected to somebody else": "Başka birine bağlı",
  "Somebody else at {site} is connected to this account at {host}. Sign in at {host} with another account.":
    "{site} üzerinde başka biri bu {host} hesabına bağlı. {host} üzerinde başka bir hesapla giriş yapın.",

  // Imports.
  "No imports yet. Run “pazar import FILE” on the server.":
    "Henüz içe aktarma yok. Sunucuda “pazar import DOSYA” komutunu çalıştırın.",
  "All sources": "Tüm kaynaklar",
  File: "Dosya",
  "Database sync": "Veritabanı eşitlemesi",
  "API push": "API gönderimi",
  Started: "Başladı",
  Finished: "Bitti",
  "Interrupted or running": "Yarıda kaldı ya da sürüyor",
  Failed: "Başarısız",
  Succeeded: "Başarılı",
  "The input could not be read completely:": "Girdi sonuna kadar okunamadı:",
  "Nothing was saved:": "Hiçbir şey kaydedilmedi:",
  "No deletion or revocation was saved. Other changes were saved:":
    "Hiçbir silme ya da iptal kaydedilmedi. Öteki değişiklikler kaydedildi:",
  Warnings: "Uyarılar",
  "{n line|lines} rejected": "{n} satır reddedildi",
  Accepted: "Kabul edilen",
  Normalized: "Düzeltilen",
  "Pending # count": "Bekleyen",
  Rejected: "Reddedilen",
  Removed: "Silinen",
  "Revoked # count": "İptal edilen",
  Restored: "Yeniden geçerli",
  "These records were sent, but not what they refer to. Import the missing records; until then the codes are unknown.":
    "Bu kayıtlar gönderildi, ama bağlı oldukları kayıtlar eksik. Eksik kayıtları içe aktarın; o zamana kadar kodlar bilinmez.",
  Missing: "Eksik",
  Since: "Bekleme başlangıcı",
  Interval: "Aralık",
  manual: "elle",
  "Last success": "Son başarı",
  Overdue: "Gecikti",
  "Lines read": "Okunan satır",
  "Nothing removed": "Hiçbir kayıt silinmedi",
  author: "yazar",
  item: "ürün",
  purchase: "satış",
  key: "anahtar",
  password: "parola",
  "Rejected lines": "Reddedilen satırlar",
  "Correct these fields at the source and import again. Accepted lines are kept.":
    "Bu alanları kaynakta düzeltip yeniden içe aktarın. Kabul edilen satırlar kalır.",
  "{n line:|lines:}": "{n} satır:",
  "line {line}": "{line}. satır",
  "{kinds more kind|more kinds} of problems, {problems line|lines}.":
    "{kinds} sorun türü daha, {problems} satır.",
  "Import again": "Yeniden içe aktarma",
  "{n item|items}": "{n} ürün",
  "{n purchase|purchases}": "{n} satış",
  "Import {id}": "İçe aktarma {id}",

  // Keys.
  "API Access": "API Erişimi",
  "Name, last four characters or a whole key": "Ad, son dört karakter veya anahtarın tamamı",
  "All types": "Bütün türler",
  "Valid keys": "Geçerli anahtarlar",
  "Inactive keys": "Devre dışı anahtarlar",
  "All keys": "Bütün anahtarlar",
  "{n inactive key still sends|inactive keys still send} requests.":
    "{n} devre dışı anahtar hâlâ istek gönderiyor.",
  "Create a key # another": "Yeni anahtar oluştur",
  "You have no valid key. Create one to send requests.":
    "Geçerli anahtarınız yok. İstek göndermek için bir anahtar oluşturun.",
  Reveal: "Göster",
  Hide: "Gizle",
  "Secret key": "Gizli anahtar",
  "Validation key": "Doğrulama anahtarı",
  "Test key": "Test anahtarı",
  "Imported key": "Aktarılan anahtar",
  Secret: "Gizli",
  Validation: "Doğrulama",
  Test: "Test",
  Imported: "Aktarılan",
  "This key can read your account, items and purchases, validate codes, release sites and create download links. Keep it on your server.":
    "Bu anahtar hesabınızı, ürünlerinizi ve satın almaları okur, kodları doğrular, site bırakır ve indirme bağlantısı oluşturur. Sunucunuzda tutun.",
  "This key can read your account, items and purchases, validate codes, release sites and create download links. Imported from your marketplace's earlier API.":
    "Bu anahtar hesabınızı, ürünlerinizi ve satın almaları okur, kodları doğrular, site bırakır ve indirme bağlantısı oluşturur. Pazaryerinizin önceki API'sinden aktarıldı.",
  "This key can send every request and returns test data only.":
    "Bu anahtarla her istek gönderilebilir; yalnızca test verisi döner.",
  "This key can only validate purchases, release sites and create download links. Safe to ship inside a product.":
    "Bu anahtar yalnızca satın almaları doğrular, site bırakır ve indirme bağlantısı oluşturur. Ürününüzün içine güvenle koyabilirsiniz.",
  "This key can only validate purchases of {n item|items}, release sites and create download links. Safe to ship inside a product.":
    "Bu anahtar yalnızca {n} ürünün satın almalarını doğrular, site bırakır ve indirme bağlantısı oluşturur. Ürününüzün içine güvenle koyabilirsiniz.",
  "Validations without a site are rejected.": "Site bilgisi olmayan doğrulamalar reddedilir.",
  Rotated: "Yenisiyle değiştirildi",
  Revoked: "İptal edildi",
  Expired: "Süresi doldu",
  "Last used": "Son kullanım",
  "Last 7 days": "Son 7 gün",
  Expires: "Bitiş tarihi",
  "All items": "Bütün ürünler",
  "This key looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week. Anyone who has it can read your whole account. Ship a validation key instead, then revoke this one.":
    "Bu anahtar bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta {ipRanges} IP aralığından kullanıldı. Anahtarı ele geçiren herkes bütün hesabınızı okuyabilir. Ürüne bir doğrulama anahtarı koyun, sonra bu anahtarı iptal edin.",
  Everything: "Her şey",
  "All operations of the API.": "API'nin bütün işlemleri.",
  "Help desk": "Destek masası",
  "Validates codes, lists purchases and sites, and releases sites.":
    "Kodları doğrular, satışları ve siteleri listeler, site bırakır.",
  Catalog: "Katalog",
  "Lists and reads items.": "Ürünleri listeler ve okur.",
  "What is it for?": "Anahtarı ne için kullanacaksınız?",
  "My own server": "Kendi sunucum",
  "A product I sell": "Sattığım bir ürün",
  "Trying things out": "Denemeler",
  "What may it do?": "Ne yapabilsin?",
  "For example, where the key is used.": "Örneğin anahtarın kullanıldığı yer.",
  "Which items may it validate?": "Hangi ürünleri doğrulayabilsin?",
  "All my items, including future ones": "Bütün ürünlerim, sonradan eklenenler dahil",
  "Only these:": "Yalnızca bunlar:",
  "Reject validations without a site (recommended with a site limit)":
    "Site bilgisi olmayan doğrulamaları reddet (site sınırı varsa önerilir)",
  "Never # expiry": "Süresiz",
  "In 30 days": "30 gün sonra",
  "In 90 days": "90 gün sonra",
  "In a year": "Bir yıl sonra",
  "Choose at least one of your own items.": "Kendi ürünlerinizden en az birini seçin.",
  "Enter a name for the key.": "Anahtar için bir ad yazın.",
  "Use at most {max} characters.": "En çok {max} karakter kullanın.",
  "You have {max} valid keys. Revoke an unused key first.":
    "{max} geçerli anahtarınız var. Önce kullanmadığınız birini iptal edin.",
  "Your new key": "Yeni anahtarınız",
  "Copy it now. You can also reveal it later on this page.":
    "Şimdi kopyalayın. Daha sonra bu sayfada yeniden görüntüleyebilirsiniz.",
  Done: "Tamam",
  "The old key is valid until {when}.": "Eski anahtar {when} tarihine kadar geçerli.",
  "The old key is no longer valid.": "Eski anahtar artık geçerli değil.",
  "Open the old key": "Eski anahtara git",
  "Confirm your password": "Parolanızı doğrulayın",
  "Revealing a key requires your password.": "Anahtarı göstermek için parolanız gerekir.",
  "You signed in more than five minutes ago, and your account has no password. Sign in again, from your marketplace or with a passkey, and repeat the action, or set a password under Settings, Security within five minutes of signing in.":
    "Giriş yapmanızın üzerinden beş dakikadan fazla geçti ve hesabınızda parola yok. Pazaryerinizden veya geçiş anahtarıyla yeniden giriş yapıp işlemi tekrarlayın ya da girişten sonraki beş dakika içinde Ayarlar, Güvenlik sayfasında bir parola belirleyin.",
  "Create key": "Anahtar oluştur",
  "Rotate key": "Anahtarı yenile",
  "Reveal key": "Anahtarı göster",
  "Revoke key": "Anahtarı iptal et",
  Rename: "Yeniden adlandır",
  Rotate: "Yenile",
  Revoke: "İptal et",
  "Key ID": "Anahtar ID'si",
  "Copy key ID": "Anahtar ID'sini kopyala",
  "Rotate “{name}”": "“{name}” anahtarını yenile",
  "You get a new key with the same permissions and expiry date. The old key stays valid for the overlap period, so you can deploy the new one first.":
    "Yetkileri ve bitiş tarihi aynı olan yeni bir anahtar alırsınız. Eski anahtar geçiş süresi boyunca geçerli kalır; önce yenisini devreye alabilirsiniz.",
  "Overlap period": "Geçiş süresi",
  "You have too many valid keys for an overlap period. Choose none, or revoke unused keys first.":
    "Geçiş süresi için çok fazla geçerli anahtarınız var. Geçiş süresi seçmeyin ya da önce kullanmadığınız anahtarları iptal edin.",
  "None: the old key expires immediately": "Yok: eski anahtarın süresi hemen dolar",
  "1 hour": "1 saat",
  "1 day": "1 gün",
  "7 days": "7 gün",
  "Until it expires": "Süresi dolana kadar",
  "Revoke “{name}”?": "“{name}” iptal edilsin mi?",
  "This key does not exist. Check that it was copied completely.":
    "Böyle bir anahtar yok. Eksiksiz kopyalandığını kontrol edin.",
  "The first {n item|items}, by name. Search for the others; selected items stay selected.":
    "Ada göre ilk {n} ürün. Diğerlerini arayın; seçtikleriniz korunur.",
  "You have no item with this ID: {ids}.": "Bu ID ile bir ürününüz yok: {ids}.",
  "You have no items with these IDs: {ids}.": "Bu ID'lerle ürünleriniz yok: {ids}.",

  // The pages of a key.
  "This key is not yours. If you found it in public, report it to your marketplace.":
    "Bu anahtar sizin değil. Herkese açık bir yerde bulduysanız pazaryerinize bildirin.",
  "This is the public test key of the docs. It does not belong to an account.":
    "Bu, dokümantasyondaki herkese açık test anahtarı. Hiçbir hesaba ait değil.",
  "This is your key “{name}”.": "Bu sizin “{name}” anahtarınız.",
  "Requests, 30 days": "İstek (30 gün)",
  "Looks shipped": "Ürün içinde mi?",
  "Rotated, still used": "Yenisiyle değiştirildi, hâlâ kullanılıyor",
  "Read the account": "Hesap bilgileri",
  "List items": "Ürün listesi",
  "Read an item": "Tek ürün",
  "Validate a purchase": "Satın alma doğrulama",
  "Release a site": "Site bırakma",
  "List purchases": "Satın almaları listeleme",
  "List sites": "Siteleri listeleme",
  "Create a download link": "İndirme bağlantısı oluşturma",
  "Who uses this key?": "Bu anahtarı kim kullanıyor?",
  "{n IP range|IP ranges}": "{n} IP aralığı",
  "No requests this week.": "Bu hafta istek yok.",
  "Show {n} more": "{n} IP aralığı daha göster",
  "No requests yet.": "Henüz istek yok.",
  "By operation": "İşlemlere göre",
  "Items it can validate": "Doğrulayabildiği ürünler",
  "and {n} more": "ve {n} ürün daha",
  "Rotated on {when}.": "{when} tarihinde yenisiyle değiştirildi.",
  "Valid until {when}.": "{when} tarihine kadar geçerli.",
  "Revoked on {when}. Requests with this key are rejected.":
    "{when} tarihinde iptal edildi. Bu anahtarla gelen istekler reddediliyor.",
  "Expired on {when}. Requests with this key are rejected.":
    "Süresi {when} tarihinde doldu. Bu anahtarla gelen istekler reddediliyor.",
  "Replaced by": "Yerine geçen anahtar:",
  "This key leaked": "Anahtar sızdı",
  "Did “{name}” leak?": "“{name}” sızdı mı?",
  "Anyone who has this key can read your account, items and purchases, validate codes, release sites and create download links.":
    "Bu anahtarı ele geçiren herkes hesabınızı, ürünlerinizi ve satın almaları okuyabilir, kodları doğrulayabilir, site bırakabilir ve indirme bağlantısı oluşturabilir.",
  "Anyone who has this key can only validate purchases, release sites and create download links. It is safe to ship inside a product.":
    "Bu anahtarı ele geçiren yalnızca satın almaları doğrulayabilir, site bırakabilir ve indirme bağlantısı oluşturabilir. Ürünün içinde güvenle dağıtılabilir.",
  "This key returns test data only.": "Bu anahtarla yalnızca test verisi döner.",
  "Rotate now": "Hemen yenile",
  "Revoke now": "Hemen iptal et",
  "Open the key # page": "Anahtarın sayfasını aç",
  "This key is inactive. No action is needed.": "Bu anahtar devre dışı. Bir şey yapmanız gerekmez.",
  "Try it now": "Şimdi deneyin",
  "Ready to run: paste the curl command into a terminal, the other samples into a file.":
    "Çalıştırmaya hazır: curl komutunu terminale, diğer örnekleri bir dosyaya yapıştırın.",
  "Replace {placeholder} with one of your purchase codes, then run the sample. Test codes work with test keys only.":
    "{placeholder} yerine kendi satın alma kodlarınızdan birini yazıp örneği çalıştırın. Test kodları yalnızca test anahtarlarıyla çalışır.",
  "Waiting for your first request…": "İlk isteğiniz bekleniyor…",
  "Check now": "Şimdi kontrol et",
  "First request received: {when}.": "İlk istek alındı: {when}.",
  "Who still uses it?": "Hâlâ kim kullanıyor?",
  "Still used": "Hâlâ kullanılıyor",
  "This key is inactive but was sent with {calls request|requests} in the last 7 days. All were rejected.":
    "Bu anahtar devre dışı ama son 7 günde onunla {calls} istek gönderildi. Hepsi reddedildi.",
  "No requests with this key since it became inactive, or in the last 7 days.":
    "Devre dışı kaldığından beri ya da son 7 günde bu anahtarla istek gönderilmedi.",
  "“{name}” is inactive but still used: {calls request|requests} in the last 7 days.":
    "“{name}” devre dışı ama hâlâ kullanılıyor: son 7 günde {calls} istek.",
  "Show who uses it": "Kimin kullandığını göster",
  "No requests in the last 7 days.": "Son 7 günde istek yok.",
  "{n request|requests} in the last 7 days.": "Son 7 günde {n} istek.",
  "This key was not used in the last 7 days. You cannot undo this.":
    "Bu anahtar son 7 günde kullanılmadı. Bu işlem geri alınamaz.",
  "All requests with this key are rejected immediately: {n request|requests} in the last 7 days. You cannot undo this.":
    "Bu anahtarla gönderilen bütün istekler hemen reddedilir: son 7 günde {n} istek. Bu işlem geri alınamaz.",
  "Used from {n IP range|IP ranges} this week.": "Bu hafta {n} IP aralığından kullanıldı.",
  "Used from at least {n IP range|IP ranges} this week.":
    "Bu hafta en az {n} IP aralığından kullanıldı.",
  "This key was not used in the last 7 days.": "Bu anahtar son 7 günde kullanılmadı.",
  "Requests with this key are then rejected immediately: {calls request|requests} from {ipRanges IP range|IP ranges} in the last 7 days.":
    "Bu anahtarla gönderilen istekler hemen reddedilir: son 7 günde {ipRanges} IP aralığından {calls} istek.",

  // Frame and menu.
  Workspace: "Çalışma alanı",
  Docs: "Dokümantasyon",
  "Sign out": "Çıkış yap",
  Menu: "Menü",
  English: "Türkçe",
  Workspaces: "Çalışma alanları",
  "You are in the workspace of {username} as an operator ({role}). What you change is in the audit log.":
    "{username} çalışma alanındasınız (yönetici, {role}). Değişiklikleriniz işlem kaydına yazılır.",
  "Your role does not allow this. Ask an owner of the account.":
    "Rolünüz buna izin vermiyor. Hesabın sahibine başvurun.",
  "Skip to content": "İçeriğe geç",
  "Get help": "Yardım iste",
  Console: "Konsol",
  "Go to the home page": "Ana sayfaya git",
  Home: "Ana sayfa",
  Data: "Veri",
  Logs: "Kayıtlar",
  General: "Genel",
  Theme: "Tema",
  System: "Sistem",
  Light: "Açık",
  Dark: "Koyu",

  // The search.
  Search: "Ara",
  "Search for a code, item, key or page": "Kod, ürün, anahtar veya sayfa arayın",
  "Enter a purchase code or a message that contains one, an item name or ID, a key, its name or its last four characters, or a page name. Pazar does not store the key.":
    "Bir satın alma kodu veya onu içeren bir mesaj; bir ürünün adı veya ID'si; bir anahtar, adı veya son dört karakteri; ya da bir sayfanın adını yazın. Pazar anahtarı saklamaz.",
  Pages: "Sayfalar",
  "No results.": "Sonuç yok.",
  "Only the first {n} results of each kind are listed. Refine your search.":
    "Her türden yalnızca ilk {n} sonuç gösteriliyor. Aramanızı daraltın.",
  "Search for a code, buyer, key, author, item, operator or page":
    "Kod, alıcı, anahtar, yazar, ürün, yönetici veya sayfa arayın",
  "Enter a purchase code or a message that contains one, the beginning of a buyer’s name, a key, a name of an author, item, key, operator or page, or an ID. Pazar does not store the key. To find a key by its last four characters, open its author.":
    "Bir satın alma kodu veya onu içeren bir mesaj; bir alıcının adının başını; bir anahtar; bir yazarın, ürünün, anahtarın, yöneticinin veya sayfanın adı ya da bir ID yazın. Pazar anahtarı saklamaz. Bir anahtarı son dört karakteriyle bulmak için yazarını açın.",

  // Lists.
  "No results match this filter.": "Bu filtreye uyan sonuç yok.",
  "All statuses": "Tüm durumlar",
  Apply: "Uygula",
  "{n result|results}": "{n} sonuç",
  "First page": "İlk sayfa",
  Previous: "Önceki",
  "Actions for {name}": "İşlemler: {name}",
  CSV: "CSV",
  "{head} (UTC)": "{head} (UTC)",

  // Columns that several pages share.
  URL: "URL",
  Buyer: "Alıcı",
  "Requests # column": "İstek",
  Code: "Kod",
  Key: "Anahtar",
  "Last request": "Son istek",
  "Last seen": "Son görülme",
  License: "Lisans",
  "IP range": "IP aralığı",
  Price: "Fiyat",
  Error: "Hata",
  Status: "Durum",
  When: "Zaman",

  // Date ranges.
  "Date range": "Tarih aralığı",
  "Any time": "Tüm zamanlar",
  "Custom range": "Özel aralık",
  From: "Başlangıç",
  To: "Bitiş",
  "Last {n} days": "Son {n} gün",

  // Buttons.
  Never: "Hiç",
  Yes: "Evet",
  No: "Hayır",
  Copy: "Kopyala",
  Copied: "Kopyalandı",
  Cancel: "Vazgeç",
  Undo: "Geri al",
  "Send by e-mail": "E-postayla gönder",
  "{n request|requests}": "{n} istek",

  // What a form changed.
  "The password was changed. All other sessions were signed out.":
    "Parola değiştirildi, diğer bütün oturumlar kapatıldı.",
  "Your password is set. Enter a 2FA code to sign in.":
    "Parolanız belirlendi. Giriş yapmak için iki adımlı doğrulama kodunu yazın.",
  "Your password is set, and you are signed in.": "Parolanız belirlendi ve giriş yaptınız.",
  "You have joined.": "Katıldınız.",
  "The link was created.": "Bağlantı oluşturuldu.",
  "You receive alerts from now on.": "Bundan sonra uyarı e-postası alacaksınız.",
  "You no longer receive alerts.": "Artık uyarı e-postası almayacaksınız.",
  "The e-mail address was saved.": "E-posta adresi kaydedildi.",
  "The role was changed.": "Rol değiştirildi.",
  "The link is on its way by e-mail.": "Bağlantı e-postayla gönderiliyor.",
  "The person was removed.": "Kişi kaldırıldı.",
  "The invitation was withdrawn.": "Davet geri alındı.",
  "The operator was deleted.": "Pazaryeri yöneticisi silindi.",
  "The signing key was rotated.": "İmza anahtarı yenilendi.",
  "2FA is now required for every operator.":
    "İki adımlı doğrulama artık her yönetici için zorunlu.",
  "2FA is now optional.": "İki adımlı doğrulama artık isteğe bağlı.",
  "From now on you can also sign in this way.": "Bundan sonra bu yolla da giriş yapabilirsiniz.",
  "The connection was removed.": "Bağlantı kesildi.",
  "You were signed out everywhere.": "Bütün oturumlarınız kapatıldı.",
  "2FA was enabled. Each sign-in now requires a code.":
    "İki adımlı doğrulama etkinleştirildi. Artık her girişte kod gerekir.",
  "The passkey was added. You can sign in with it.":
    "Geçiş anahtarı eklendi. Onunla giriş yapabilirsiniz.",
  "The passkey was removed.": "Geçiş anahtarı kaldırıldı.",
  "2FA was disabled.": "İki adımlı doğrulama devre dışı bırakıldı.",
  "The invitation was created.": "Davet oluşturuldu.",
  "The sign-in link was created.": "Giriş bağlantısı oluşturuldu.",
  "2FA of the author was removed.": "Yazarın iki adımlı doğrulaması kaldırıldı.",
  "The author was suspended.": "Yazar askıya alındı.",
  "The author was resumed.": "Yazarın hesabı yeniden açıldı.",
  "The key was revoked.": "Anahtar iptal edildi.",
  "The key was renamed.": "Anahtar yeniden adlandırıldı.",
  "The purchase was marked as refunded.": "Satış iade edildi olarak işaretlendi.",
  "The refund was undone.": "İade işareti kaldırıldı.",
  "All sites were released.": "Bütün siteler bırakıldı.",
  "The site is active again.": "Site yeniden etkin.",
  "The site limit of this purchase was saved.": "Bu satın almanın site sınırı kaydedildi.",
  "The site limit was not saved. Enter a number from 1 to 10,000, or leave the field empty.":
    "Site sınırı kaydedilmedi. 1 ile 10.000 arasında bir sayı girin ya da alanı boş bırakın.",
  "The site was not restored: another site uses its slot.":
    "Site geri alınamadı: etkinleştirme hakkını başka bir site kullanıyor.",
  "The key no longer validates this item.": "Anahtar artık bu ürünü doğrulamıyor.",
  "The site limit was saved and applies now.": "Site sınırı kaydedildi ve geçerli oldu.",
  "The webhook was created. Configure its secret on your server, then send a test event.":
    "Webhook oluşturuldu. İmza anahtarını sunucunuza yazıp bir test olayı gönderin.",
  "The webhook was updated.": "Webhook güncellendi.",
  "The secret was rotated. Configure the new one on your server within a day.":
    "İmza anahtarı yenilendi. Yenisini bir gün içinde sunucunuza yazın.",
  "The webhook was enabled.": "Webhook etkinleştirildi.",
  "The webhook was disabled. Pending messages are kept; new events are not delivered.":
    "Webhook devre dışı bırakıldı. Bekleyen iletiler saklanır; yeni olaylar gönderilmez.",
  "The webhook was deleted.": "Webhook silindi.",

  // Error pages.
  "Not allowed": "İzin verilmedi",
  "The form was sent from another site or was open for too long. Go back, reload the page and try again.":
    "Form başka bir siteden gönderildi ya da çok uzun süre açık kaldı. Geri dönüp sayfayı yenileyin ve yeniden deneyin.",
  "Not found": "Bulunamadı",
  "This page does not exist, or you do not have access to it. Check the URL, or continue here:":
    "Bu sayfa yok ya da erişiminiz yok. URL'yi kontrol edin ya da buradan devam edin:",
  "Request not supported": "Bu istek desteklenmiyor",
  "This URL does not accept this kind of request. Go back and try again.":
    "Bu URL bu tür istekleri kabul etmez. Geri dönüp yeniden deneyin.",
  "Too large": "Çok büyük",
  "You sent more than this page accepts. Shorten it and try again.":
    "Gönderdiğiniz veri bu sayfa için çok büyük. Kısaltıp yeniden deneyin.",
  "Wrong host": "Yanlış sunucu adı",
  "These pages have another URL. Open them from the link that you received.":
    "Bu sayfaların URL'si başka. Sayfaları size gönderilen bağlantıdan açın.",
  "Something went wrong": "Bir hata oluştu",
  "The server had an error. Try again in a moment.":
    "Sunucuda bir hata oluştu. Birazdan yeniden deneyin.",
  "Temporarily unavailable": "Şu anda kullanılamıyor",
  "The service cannot respond right now. Try again in a moment.":
    "Hizmet şu anda yanıt veremiyor. Birazdan yeniden deneyin.",
  "Go to the start page": "Ana sayfaya git",
  "Go to the overview": "Genel bakışa git",

  // The team of an account.
  "Nobody signs in to this account yet.": "Bu hesaba henüz kimse giriş yapmıyor.",
  "Invite a colleague": "Ekip arkadaşı davet et",
  "Send invitation": "Davet gönder",
  "Send this link to your colleague. It works once, until {when}, and is shown only now.":
    "Bu bağlantıyı ekip arkadaşınıza iletin. {when} tarihine kadar geçerlidir, bir kez kullanılır ve yalnızca şimdi gösterilir.",
  Invitations: "Davetler",
  "An account can have {n} people and open invitations. Remove one first.":
    "Bir hesapta en çok {n} kişi ve açık davet olabilir. Önce birini kaldırın.",
  "An account keeps at least one owner. Make somebody else an owner first.":
    "Bir hesabın en az bir sahibi olmalıdır. Önce başka birini sahip yapın.",
  "Change the role of {name}?": "{name} için rolü değiştirilsin mi?",
  "The new role takes effect with the next page that they open.":
    "Yeni rol, bir sonraki sayfada geçerli olur.",
  "Remove {name}?": "{name} kaldırılsın mı?",
  "They lose access to this workspace immediately. Keys that they created stay valid.":
    "Bu çalışma alanına erişimi hemen sona erer. Oluşturduğu anahtarlar geçerli kalır.",
  Remove: "Kaldır",
  Owner: "Sahip",
  "Everything, including people.": "Kişiler dahil her şeyi yapar.",
  Developer: "Geliştirici",
  "Everything except people: keys, webhooks, limits and sales.":
    "Kişiler dışında her şeyi yapar: anahtarlar, webhook'lar, sınırlar ve satışlar.",
  "Reads sales, checks codes, releases sites.": "Satışları görür, kod sorgular, site bırakır.",

  // The overview.
  Overview: "Genel bakış",
  Requests: "İstekler",
  "Success rate": "Başarı oranı",
  "Invalid codes": "Geçersiz kodlar",
  Errors: "Hatalar",
  "{client} client, {server} server": "{client} istemci, {server} sunucu",
  "{change} vs. {days day|days} before": "önceki {days} güne göre {change}",
  "none in the {days day|days} before": "önceki {days} günde yok",
  "Get started": "Başlarken",
  "Done:": "Tamamlandı:",
  "Create a key # step": "Bir anahtar oluşturun",
  "Your code sends it with every request.": "Kodunuz her istekte bu anahtarı gönderir.",
  "Create a key": "Anahtar oluştur",
  "Send a request": "Bir istek gönderin",
  "Run the sample on the page of your new key, or one from the docs with your key.":
    "Yeni anahtarınızın sayfasındaki örneği ya da dokümantasyondaki bir örneği kendi anahtarınızla çalıştırın.",
  "Open the docs": "Dokümantasyonu aç",
  "Ship a validation key": "Ürününüze bir doğrulama anahtarı koyun",
  "It can only validate purchases, release sites and create download links, so it is safe inside a product.":
    "Yalnızca satın almaları doğrular, site bırakır ve indirme bağlantısı oluşturur; ürününüzün içine güvenle konur.",
  "Create a validation key": "Doğrulama anahtarı oluştur",
  "No requests on these days.": "Bu günlerde istek yok.",
  "{total request|requests}, {ok} successful.": "{total} istek; {ok} tanesi başarılı.",
  Successful: "Başarılı",
  "Invalid codes # outcome": "Geçersiz kod",
  "Client errors": "İstemci hatası",
  "Server errors": "Sunucu hatası",
  Day: "Gün",
  "Show as a table": "Tablo olarak göster",
  Today: "Bugün",
  "Needs attention": "İlgilenmeniz gerekenler",
  "{n} more": "{n} tane daha",
  "“{name}” looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week.":
    "“{name}” bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta {ipRanges} IP aralığından kullanıldı.",
  "“{name}” expires on {when}.": "“{name}” anahtarının süresi {when} tarihinde doluyor.",
  "“{name}” was rotated, but the old key was used in the last 24 hours.":
    "“{name}” yenisiyle değiştirildi ama eski anahtar son 24 saat içinde kullanıldı.",
  "Open the key": "Anahtara git",
  "Error rate since yesterday: {rate}; in the week before: {before}.":
    "Dünden beri hata oranı: {rate}; önceki hafta: {before}.",
  "Show errors": "Hataları göster",
  "Failed requests by error": "Hataya göre başarısız istekler",
  "All failed requests": "Tüm başarısız istekler",
  "No failed requests on these days.": "Bu günlerde başarısız istek yok.",
  "Busiest keys": "En yoğun anahtarlar",
  "API response": "API yanıtı",
  "{item}: the code {code} is active on {n site|sites}.": "{item}: {code} kodu {n} sitede etkin.",
  "The site limit is {limit}.": "Site sınırı: {limit}.",

  // Failed requests.
  "Failed requests": "Başarısız istekler",
  All: "Tümü",
  "Type of failure": "Hata türü",
  "All except test keys": "Test anahtarları dışında tümü",
  "All errors": "Tüm hatalar",
  "All IP ranges": "Tüm IP aralıkları",
  "No failed requests match.": "Eşleşen başarısız istek yok.",
  "Code, key or IP range": "Kod, anahtar veya IP aralığı",
  Share: "Pay",
  "Keys # column": "Anahtar",
  "First request": "İlk istek",
  Operation: "İşlem",
  several: "birden çok",
  "Item outside the key’s scope": "Ürün, anahtarın kapsamında değil",
  "The code is yours, but this key cannot validate its item.":
    "Kod sizin ama bu anahtar o ürünü doğrulayamaz.",
  "Show failed requests": "Başarısız istekleri göster",
  "Unknown code": "Bilinmeyen kod",
  "Expected: no purchase of your items has this code. Ask the buyer to copy it again.":
    "Beklenen sonuç: ürünlerinizin hiçbir satışında bu kod yok. Alıcıdan kodu yeniden kopyalamasını isteyin.",
  "Refunded code": "İade edilmiş kod",
  "Expected: the purchase was refunded or charged back. No action is needed.":
    "Beklenen sonuç: satış iade ya da ters ibraz edildi. Bir şey yapmanız gerekmez.",
  "Expired code": "Süresi dolmuş kod",
  "Expected: the subscription ended. The code is valid again when the buyer renews it.":
    "Beklenen sonuç: abonelik sona erdi. Alıcı yenilediğinde kod yeniden geçerli olur.",
  "No download": "İndirme yok",
  "The marketplace has no file for this item. Ask it to add a download URL.":
    "Pazaryerinde bu ürünün dosyası yok. İndirme URL’si eklemesini isteyin.",
  "Site limit reached": "Site sınırı doldu",
  "Release one of its sites under Check a code, or raise the site limit on the item’s page.":
    "Kod sorgula sayfasında sitelerinden birini bırakın ya da ürünün sayfasında site sınırını yükseltin.",
  "Revoked key": "İptal edilmiş anahtar",
  "If the requests are yours, replace the key with a valid one.":
    "İstekleri siz gönderiyorsanız geçerli bir anahtar kullanın.",
  "Expired key": "Süresi dolmuş anahtar",
  "If the requests are yours, replace the key with the rotated or a new one.":
    "İstekleri siz gönderiyorsanız yenilenen anahtarı ya da yeni bir anahtarı kullanın.",
  "Your account is suspended": "Hesabınız askıda",
  "Contact your marketplace.": "Pazaryerinize başvurun.",
  "Key not allowed": "Anahtarın yetkisi yok",
  "A validation key can only validate purchases, release sites and create download links. Use a secret key, on your server, whose scope allows the operation. For a purchase: its item has moved to another author.":
    "Doğrulama anahtarı yalnızca satın alma doğrular, site bırakır ve indirme bağlantısı oluşturur. Sunucunuzda, kapsamı bu işleme izin veren bir gizli anahtar kullanın. Satın almalarda: ürün başka bir yazara taşınmıştır.",
  "Missing parameter": "Eksik parametre",
  "Compare the request with the sample in the docs. A common cause is an empty code field.":
    "İsteği dokümantasyondaki örnekle karşılaştırın. Sık görülen neden, boş bırakılan kod alanıdır.",
  "Invalid parameter": "Geçersiz parametre",
  "Compare the request with the sample in the docs. A code has at most 255 characters.":
    "İsteği dokümantasyondaki örnekle karşılaştırın. Bir kod en çok 255 karakterdir.",
  "No published items": "Yayında ürün yok",
  "Publish an item, or ignore this error.": "Bir ürün yayımlayın ya da bu hatayı yok sayın.",
  "Unknown item": "Bilinmeyen ürün",
  "Check the item ID. The item may be hidden or belong to another author.":
    "Ürün ID’sini kontrol edin. Ürün yayında olmayabilir ya da başka bir yazarın olabilir.",
  "Rate limit exceeded": "İstek sınırı aşıldı",
  "Wait for Retry-After seconds and send fewer requests. Cache valid responses for a day.":
    "Retry-After saniye bekleyin ve daha az istek gönderin. Geçerli yanıtları bir gün önbellekte tutun.",
  "Service unavailable": "Hizmet kullanılamıyor",
  "The server had a temporary error. Retry, and keep the last result until then.":
    "Sunucuda geçici bir hata oluştu. Yeniden deneyin, o zamana kadar son sonucu koruyun.",
  "Missing key": "Anahtar gönderilmedi",
  "Send the key with every request.": "Her istekte anahtarı gönderin.",
  "Unknown key": "Bilinmeyen anahtar",
  "Check that the key was copied completely.": "Anahtarın eksiksiz kopyalandığını kontrol edin.",
  "Unknown path": "Bilinmeyen yol",
  "Compare the path with the docs.": "Yolu dokümantasyonla karşılaştırın.",
  "Method not allowed": "Yanlış yöntem",
  "Compare the request with the docs.": "İsteği dokümantasyonla karşılaştırın.",
  "Request too large": "İstek çok büyük",
  "Send a shorter body.": "Daha kısa bir gövde gönderin.",
  "Too many invalid codes, keys or sites": "Çok fazla geçersiz kod, anahtar ya da site",
  "This IP address sent many invalid codes with this key, its IP range sent invalid keys, or the purchase was rejected on 20 sites within a day. Wait for Retry-After seconds and find the sender.":
    "Bu IP adresi bu anahtarla çok sayıda geçersiz kod gönderdi, IP aralığı geçersiz anahtarlar gönderdi ya da satın alma bir günde 20 sitede reddedildi. Retry-After saniye bekleyin ve göndereni bulun.",
  "Unknown site or code": "Bilinmeyen site ya da kod",
  "The code is not active on this site, or no purchase of your items has it: see Check a code. Do not lock the product.":
    "Kod bu sitede etkin değil ya da ürünlerinizin hiçbir satışında yok; Kod sorgula sayfasına bakın. Ürünü kilitlemeyin.",
  "Too many releases or invalid codes": "Çok fazla site bırakma ya da geçersiz kod",
  "Wait for Retry-After seconds. An IP range can release sites of a purchase five times in 30 days, and not for some seconds after many invalid codes. You can always release sites under Check a code.":
    "Retry-After saniye bekleyin. Bir IP aralığı, bir satın almanın sitelerini 30 günde beş kez bırakabilir; çok sayıda geçersiz koddan sonra birkaç saniye bırakamaz. Siz Kod sorgula sayfasında her zaman bırakabilirsiniz.",
  "{calls failed request|failed requests}. Codes of other authors are masked.":
    "{calls} başarısız istek. Başka yazarların kodları maskelenir.",
  "{calls failed request|failed requests}; {listed} of them are listed. The log keeps 7 days and 500 entries. Codes of other authors are masked.":
    "{calls} başarısız istek; {listed} tanesi listeleniyor. Kayıtlar 7 gün ve 500 satırla sınırlıdır. Başka yazarların kodları maskelenir.",

  // Sales.
  Sales: "Satışlar",
  "Purchase code or buyer": "Satın alma kodu veya alıcı",
  "All items # filter": "Tüm ürünler",
  "You have no item with this name or ID.": "Bu ada veya ID’ye sahip bir ürününüz yok.",
  Valid: "Geçerli",
  Refunded: "İade edildi",
  "No sales yet. A sale appears here when your marketplace imports it.":
    "Henüz satış yok. Pazaryeriniz bir satışı içe aktardığında burada görünür.",
  "No sales match.": "Eşleşen satış yok.",
  Currency: "Para birimi",
  Sold: "Satış tarihi",
  "Support until": "Destek bitişi",
  "Sites # column": "Site",
  "Each page searches {n sale|sales}.": "Her sayfada {n} satış aranır.",
  "Finds buyers whose name begins with this text, up to {n sale|sales}.":
    "Adı bu metinle başlayan alıcıların en çok {n} satışını bulur.",
  "{n sale|sales}": "{n} satış",
  "{n} refunded ({amounts})": "{n} iade ({amounts})",
  "Latest sales": "Son satışlar",
  "All sales": "Tüm satışlar",
  "No sales of this item yet.": "Bu ürün henüz satılmadı.",

  // Items.
  "Search by name or ID": "Ada veya ID'ye göre arayın",
  Published: "Yayımlanma",
  Visible: "Yayında",
  Hidden: "Yayında değil",
  "No item matches “{text}”.": "“{text}” ile eşleşen ürün yok.",
  "No items yet. Items appear here when your marketplace imports them.":
    "Henüz ürün yok. Pazaryeriniz içe aktardığında burada görünür.",
  "Regular license": "Normal lisans",
  "Extended license": "Genişletilmiş lisans",
  Category: "Kategori",
  ID: "ID",
  "Open the demo": "Demoyu aç",
  "The API does not return hidden items. Purchase codes of hidden items stay valid.":
    "API, yayında olmayan ürünleri döndürmez. Bu ürünlerin satın alma kodları geçerli kalır.",
  "Keys of a previous author in use": "Önceki yazarın kullanılan anahtarları",
  "These validation keys were created for this item. Sold products contain them, so they stay valid for it.":
    "Bu doğrulama anahtarları bu ürün için oluşturuldu. Satılmış ürünlerde bulundukları için bu ürünü doğrulamaya devam ederler.",
  "Revoke for this item": "Bu ürün için iptal et",
  "Products with this key can no longer validate this item until they are updated. The key’s other items are not affected. You cannot undo this.":
    "Bu anahtarı içeren ürünler güncellenene kadar bu ürünü doğrulayamaz. Anahtarın diğer ürünleri etkilenmez. Bu işlem geri alınamaz.",
  "API response for this item": "Bu ürünün API yanıtı",

  // Purchases in the console.
  "Code, buyer or author": "Kod, alıcı veya yazar",
  "No purchase has this code.": "Bu kodla bir satış yok.",
  "Several codes differ from this one only in upper and lower case:":
    "Birkaç kod bundan yalnızca büyük ve küçük harflerle ayrılıyor:",
  "No purchase has this code or a buyer whose name begins with this text. If you pasted a message, paste only the code.":
    "Bu kodla veya adı bu metinle başlayan bir alıcıyla satış yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın.",
  "This is a test code. It works with test keys only; no buyer has it.":
    "Bu bir test kodu. Yalnızca test anahtarlarıyla çalışır; hiçbir alıcıda yoktur.",
  "All authors": "Tüm yazarlar",
  "Several match. Choose one:": "Birkaç eşleşme var. Birini seçin:",
  "Sales of:": "Satışları:",
  "The text contains more codes:": "Metinde başka kodlar da var:",
  Purchase: "Satış",
  History: "Geçmiş",
  "Imported state": "İçe aktarılan durum",
  "Operator override": "Yönetici kararı",
  Note: "Not",
  "Only operators see the note, here and in the audit log.":
    "Notu yalnızca yöneticiler görür: burada ve denetim kaydında.",
  "Mark as refunded": "İade edildi olarak işaretle",
  "Mark this purchase as refunded?": "Bu satış iade edildi olarak işaretlensin mi?",
  "The code {code} of “{item}” by {author} is invalid within a second, on every server. This override takes precedence over imports until an operator undoes it.":
    "{author} adlı yazarın “{item}” ürününe ait {code} kodu bütün sunucularda bir saniye içinde geçersiz olur. Bu karar, bir yönetici kaldırana kadar içe aktarmalardan önce gelir.",
  "Undo refund": "İade işaretini kaldır",
  "Undo this refund?": "İade işareti kaldırılsın mı?",
  "The imported state of the code {code} of “{item}” by {author} applies again within a second, on every server.":
    "{author} adlı yazarın “{item}” ürününe ait {code} kodu için bütün sunucularda bir saniye içinde yeniden içe aktarılan durum geçerli olur.",

  // The check of a code.
  "Check a code": "Kod sorgula",
  "Purchase code, or a message that contains one": "Satın alma kodu ya da kodun geçtiği mesaj",
  "Purchase code": "Satın alma kodu",
  Check: "Sorgula",
  "Refunded # result": "İade edilmiş",
  "Expired # result": "Süresi dolmuş",
  "This is too long to be a purchase code.": "Bu, satın alma kodu olamayacak kadar uzun.",
  "Paste a code first.": "Önce bir kod yapıştırın.",
  "This purchase was refunded or charged back. The code is invalid. # author":
    "Bu satış iade ya da ters ibraz edilmiş. Kod geçersiz.",
  "The subscription ended. The code is invalid until the buyer renews it.":
    "Abonelik sona ermiş. Alıcı yenileyene kadar kod geçersizdir.",
  "It works with test keys only. No buyer has this code.":
    "Yalnızca test anahtarlarıyla çalışır. Bu kod hiçbir alıcıya verilmemiştir.",
  "No purchase of your items has this code. If you pasted a message, paste only the code. Or ask the buyer to copy it again from the order e-mail.":
    "Ürünlerinizin hiçbir satışında bu kod yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın. Ya da alıcıdan kodu sipariş e-postasından yeniden kopyalamasını isteyin.",
  "Support ended {day}": "Destek süresi doldu: {day}",
  "Found in the text that you pasted.": "Kod, yapıştırdığınız metnin içinde bulundu.",
  "The text contains more of your codes:": "Metinde size ait başka kodlar da var:",
  Regular: "Normal",
  Extended: "Genişletilmiş",
  "Supported until": "Destek bitişi",
  "No support": "Destek yok",
  Downloaded: "İndirildi",
  "Bought on": "Satın alma tarihi",
  "Valid until": "Geçerlilik bitişi",

  // Signing in.
  "Sign in": "Giriş yap",
  "Username or e-mail": "Kullanıcı adı veya e-posta",
  Password: "Parola",
  "Required because you last entered it more than five minutes ago.":
    "Parolanızı en son beş dakikadan uzun süre önce girdiğiniz için gerekli.",
  "Show password": "Parolayı göster",
  "Your session has ended, so nothing was changed. Sign in and submit the form again.":
    "Oturumunuz sona erdiği için hiçbir şey değişmedi. Giriş yapıp formu yeniden gönderin.",
  "Enter your username or e-mail.": "Kullanıcı adınızı veya e-postanızı yazın.",
  "Enter your password.": "Parolanızı yazın.",
  "This sign-in has expired. Enter your password again.":
    "Bu girişin süresi doldu. Parolanızı yeniden girin.",
  "Wrong username or password.": "Kullanıcı adı veya parola hatalı.",
  "No password yet, or forgot it? Your marketplace can send you an invitation link.":
    "Parolanız yok mu ya da unuttunuz mu? Pazaryeriniz size bir davet bağlantısı gönderebilir.",
  "Sign in through {site}": "{site} ile giriş yap",
  "Or sign in with your password:": "Veya parolanızla giriş yapın:",
  "No password yet, or forgot it? Sign in through {site}.":
    "Parolanız yok mu ya da unuttunuz mu? {site} ile giriş yapın.",
  "E-mail address": "E-posta adresi",
  "Enter an e-mail address.": "Bir e-posta adresi yazın.",
  "Forgot your password?": "Parolanızı mı unuttunuz?",
  "Enter your e-mail address. You get a link to choose a new password.":
    "E-posta adresinizi yazın. Yeni parola belirleyeceğiniz bir bağlantı gönderilir.",
  "Send the link": "Bağlantıyı gönder",
  "Check your e-mail": "E-postanıza bakın",
  "If somebody signs in here with this address, a link is on its way. It works once, within an hour. 2FA stays enabled.":
    "Bu adresle giriş yapan biri varsa bağlantı gönderilir. Bağlantı bir saat geçerlidir, bir kez kullanılır. İki adımlı doğrulama etkin kalır.",
  "Sign in with a passkey": "Geçiş anahtarıyla giriş yap",
  "No passkey was used. Try again, or sign in with your password.":
    "Geçiş anahtarı kullanılmadı. Yeniden deneyin veya parolanızla giriş yapın.",
  "The passkey was rejected: it was removed, or this page was open for too long. Try again.":
    "Geçiş anahtarı reddedildi: kaldırılmış olabilir ya da bu sayfa çok uzun süre açık kaldı. Yeniden deneyin.",
  "Choose a password": "Parola belirleyin",
  Username: "Kullanıcı adı",
  "Welcome, {name}.": "Hoş geldiniz, {name}.",
  "You are invited to the team of {author}.": "{author} ekibine davet edildiniz.",
  "You are invited as an operator of {site}.": "{site} yöneticisi olarak davet edildiniz.",
  "Join as {name}": "{name} olarak katıl",
  "I already have a password": "Zaten parolam var",
  "Choose the password you will sign in with.":
    "Giriş yaparken kullanacağınız parolayı belirleyin.",
  "Or for a new person:": "Ya da yeni bir kişi için:",
  "You sign in with this name.": "Bu adla giriş yaparsınız.",
  "Use 1 to 255 characters.": "1 ile 255 arasında karakter kullanın.",
  "Somebody else has this name. Choose another one.": "Bu ad alınmış. Başka bir ad seçin.",
  "New password": "Yeni parola",
  "New password again": "Yeni parola (tekrar)",
  "Save the password": "Parolayı kaydet",
  "This link no longer works": "Bu bağlantı artık çalışmıyor",
  "It was already used or has expired. Ask your marketplace for a new one.":
    "Daha önce kullanılmış veya süresi dolmuş. Pazaryerinizden yenisini isteyin.",
  "This browser is signed in as {name}. Continuing ends that session.":
    "Bu tarayıcıda {name} olarak giriş yapılmış. Devam ederseniz o oturum kapanır.",
  "You are signing in to {site} as {name}.": "{site}: {name} olarak giriş yapıyorsunuz.",
  Continue: "Devam et",
  "Account suspended": "Hesap askıya alındı",
  "Your marketplace suspended this account. You cannot sign in and your API keys are rejected. No data was deleted.":
    "Pazaryeriniz bu hesabı askıya aldı. Giriş yapamazsınız ve API anahtarlarınız reddedilir. Hiçbir veri silinmedi.",
  "Use at least {min} characters.": "En az {min} karakter kullanın.",
  "This password is easy to guess. Use a few unrelated words instead.":
    "Bu parola kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
  "Your name and e-mail address are easy to guess. Use a few unrelated words instead.":
    "Adınız ve e-posta adresiniz kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
  "The passwords do not match.": "Parolalar eşleşmiyor.",
  "Wrong password.": "Parola hatalı.",
  "At least {min} characters. A few unrelated words are easy to remember.":
    "En az {min} karakter. Birbiriyle ilgisiz birkaç sözcük kolay akılda kalır.",
  "Too many attempts. Wait {n second|seconds}, then try again.":
    "Çok fazla deneme yapıldı. {n} saniye bekleyip yeniden deneyin.",
  "Too many attempts. Wait {n minute|minutes}, then try again.":
    "Çok fazla deneme yapıldı. {n} dakika bekleyip yeniden deneyin.",

  // Two-factor authentication.
  "Two-factor authentication (2FA)": "İki adımlı doğrulama",
  "2FA": "İki adımlı doğrulama",
  Enabled: "Etkin",
  Disabled: "Devre dışı",
  "With 2FA, a stolen password is not enough to sign in.":
    "İki adımlı doğrulama etkinken çalınan parola giriş için yetmez.",
  "Set up 2FA": "İki adımlı doğrulamayı kur",
  "This console requires 2FA for every operator. Set it up to continue, or sign in with a passkey.":
    "Bu konsol her pazaryeri yöneticisi için iki adımlı doğrulama gerektirir. Devam etmek için kurun veya geçiş anahtarıyla giriş yapın.",
  "Enter your password to see the secret.": "Kurulum anahtarını görmek için parolanızı girin.",
  "Scan this QR code with your authenticator app.": "Bu QR kodunu doğrulama uygulamanızla tarayın.",
  "QR code of the secret below": "Aşağıdaki kurulum anahtarının QR kodu",
  "Or enter this secret in the app, as a time-based key:":
    "Ya da bu kurulum anahtarını uygulamaya zamana dayalı anahtar olarak yazın:",
  "Open it in an app on this device": "Bu cihazdaki bir uygulamada aç",
  "2FA code": "Doğrulama kodu",
  "From your authenticator app, or a recovery code. If you lost both, ask your marketplace to remove 2FA.":
    "Doğrulama uygulamanızdaki kod veya bir kurtarma kodu. İkisini de kaybettiyseniz pazaryerinizden iki adımlı doğrulamayı kaldırmasını isteyin.",
  "The six digits in the app.": "Uygulamadaki altı rakam.",
  "Enable 2FA": "Etkinleştir",
  "This code is wrong or was already used. Wait for the next one.":
    "Bu kod hatalı veya daha önce kullanılmış. Bir sonrakini bekleyin.",
  "Recovery codes": "Kurtarma kodları",
  "Store these codes in a safe place. Each one works once instead of a code from the app. This page shows them for five minutes, or until you press the button, and never again.":
    "Bu kodları güvenli bir yerde saklayın. Her biri uygulamadaki kodun yerine bir kez kullanılır. Kodlar beş dakika ya da siz düğmeye basana kadar gösterilir, sonra bir daha gösterilmez.",
  "I have stored them": "Sakladım",
  "{n recovery code|recovery codes} left.": "{n} kurtarma kodu kaldı.",
  "Disable 2FA": "Devre dışı bırak",
  "To use another phone, disable 2FA with a code and set it up again.":
    "Başka bir telefona geçmek için bir kodla devre dışı bırakıp yeniden kurun.",

  // Settings of a person.
  Profile: "Profil",
  "The API returns this data about you. You can change it in your marketplace.":
    "API'nin hakkınızda döndürdüğü bilgiler. Pazaryerinizden değiştirebilirsiniz.",
  "E-mail": "E-posta",
  Balance: "Bakiye",
  "Member since": "Üyelik başlangıcı",
  Security: "Güvenlik",
  "Change password": "Parolayı değiştir",
  "Current password": "Mevcut parola",
  "Changing it signs out all other sessions.":
    "Parola değişince diğer bütün oturumlarınız kapanır.",
  Passkeys: "Geçiş anahtarları",
  Passkey: "Geçiş anahtarı",
  "A passkey signs you in with your fingerprint, face or PIN, without password and code.":
    "Geçiş anahtarıyla parola ve kod olmadan parmak iziniz, yüzünüz veya PIN'inizle giriş yaparsınız.",
  "No passkeys yet.": "Henüz geçiş anahtarı yok.",
  "Add a passkey": "Geçiş anahtarı ekle",
  "Enter your password to add a passkey.": "Geçiş anahtarı eklemek için parolanızı girin.",
  "Create the passkey": "Geçiş anahtarı oluştur",
  "By which you recognize the device or password manager.":
    "Cihazı veya parola yöneticisini tanımanız için.",
  "This browser cannot create a passkey at this address.":
    "Bu tarayıcı bu adreste geçiş anahtarı oluşturamıyor.",
  "No passkey was created. This device may already have one for you.":
    "Geçiş anahtarı oluşturulmadı. Bu cihazda zaten bir geçiş anahtarınız olabilir.",
  "The passkey was not added. Try again.": "Geçiş anahtarı eklenmedi. Yeniden deneyin.",
  "You can no longer sign in with it. Delete it on your device, too.":
    "Artık onunla giriş yapamazsınız. Cihazınızdan da silin.",
  Sessions: "Açık oturumlarınız",
  Browser: "Tarayıcı",
  "Signed in": "Giriş",
  "This browser": "Bu tarayıcı",
  "Set a password": "Parola belirleyin",
  "With a password you can also sign in here directly.":
    "Parolanız olursa buradan doğrudan da giriş yapabilirsiniz.",
  "Your account has no password. To set one, sign in again from your marketplace and come back here within five minutes.":
    "Hesabınızda parola yok. Parola belirlemek için pazaryerinizden yeniden giriş yapın ve beş dakika içinde bu sayfaya dönün.",
  "Sign out # session": "Oturumu kapat",
  "Alerts by e-mail": "Uyarı e-postaları",
  "Stopped mass changes, failed imports, overdue database syncs, failed backups and disabled webhooks.":
    "Durdurulan toplu değişiklikler, başarısız içe aktarmalar, geciken veritabanı eşitlemeleri, alınamayan yedekler ve devre dışı bırakılan webhook'lar.",
  "You have no e-mail address. An admin can add it under Operators.":
    "E-posta adresiniz yok. Tam yetkili bir yönetici, Yöneticiler sayfasında ekleyebilir.",
  "Turn on": "Etkinleştir",
  "Turn off": "Devre dışı bırak",
  "Sign out everywhere": "Her yerden çıkış yap",
  "Signs out all sessions, including this one.": "Bu oturum dahil bütün oturumları kapatır.",
  "Unknown browser": "Bilinmeyen tarayıcı",
  Language: "Dil",
  "{n valid key|valid keys}.": "{n} geçerli anahtar.",
  "Manage keys": "Anahtarları yönet",
  "{n webhook|webhooks}.": "{n} webhook.",
  "Manage webhooks": "Webhook'ları yönet",
  "{n open session|open sessions}.": "{n} açık oturum.",
  "Password, 2FA, passkeys and sessions":
    "Parola, iki adımlı doğrulama, geçiş anahtarları ve oturumlar",
  Activity: "İşlem geçmişi",
  "No changes yet. Creating a key is the first.":
    "Anahtarlarınızla ilgili henüz bir işlem yapılmadı.",
  "From # origin": "Nereden",
  "your marketplace": "pazaryeriniz",
  Created: "Oluşturuldu",
  Revealed: "Gösterildi",
  Renamed: "Yeniden adlandırıldı",

  // Sites.
  Sites: "Siteler",
  "No sites yet. A site appears here when your product validates the code and sends the site.":
    "Henüz site yok. Ürününüz kodu doğrularken site bilgisini gönderdiğinde site burada görünür.",
  "Active on {n site|sites}. No site limit.": "{n} sitede etkin. Site sınırı yok.",
  "Active on {n site|sites}. The site limit is {limit}.": "{n} sitede etkin. Site sınırı: {limit}.",
  "Change the site limit of the item": "Ürünün site sınırını değiştir",
  "Site limit of this purchase": "Bu satın almanın site sınırı",
  "Leave empty to apply the site limit of the item.":
    "Ürünün site sınırı geçerli olsun istiyorsanız boş bırakın.",
  Site: "Site",
  "First seen": "İlk görülme",
  Unused: "Kullanılmıyor",
  "Test site": "Test sitesi",
  Release: "Bırak",
  "A released site is activated again by its next validation, while a slot is free. Test sites and unused ones, not seen for 30 days, take no slot.":
    "Bırakılan site, boş hak varsa sonraki doğrulamada yeniden etkinleşir. Test siteleri ve 30 gündür görülmediği için kullanılmıyor sayılan siteler hak harcamaz.",
  "Release all sites": "Bütün siteleri bırak",
  "{site} was released.": "{site} bırakıldı.",
  "Site limit": "Site sınırı",
  "A site is an installation of your product, such as shop.example.com. The site limit is the number of sites that each purchase can activate.":
    "Site, ürününüzün kurulu olduğu yerdir; örneğin shop.example.com. Site sınırı, her satın almanın etkinleştirebileceği site sayısıdır.",
  "How the site limit works": "Site sınırı nasıl çalışır",
  "Sites per purchase": "Satın alma başına site",
  "Leave empty for no limit. Test sites never count.":
    "Sınır istemiyorsanız boş bırakın. Test siteleri hiçbir zaman sayılmaz.",
  "Site limits by license type": "Lisans türüne göre site sınırı",
  "If a field is empty, the number above applies.": "Boş alanlarda yukarıdaki sayı geçerlidir.",
  "Other license type, exactly as your marketplace names it":
    "Başka bir lisans türü, pazaryerinizdeki adıyla",
  "Sites per purchase for this type": "Bu tür için satın alma başına site",
  "Enter a number from 1 to 10,000, or leave the field empty.":
    "1 ile 10.000 arasında bir sayı girin ya da alanı boş bırakın.",
  "Enter the license type, too.": "Lisans türünün adını da yazın.",
  Preview: "Önizleme",
  "Save this site limit?": "Bu site sınırı kaydedilsin mi?",
  "Remove the site limit?": "Site sınırı kaldırılsın mı?",
  "With the license “{license}”: {n site|sites}.": "“{license}” lisansıyla: {n} site.",
  "Sites seen in the last 30 days stay active. Further sites are rejected until a slot is free.":
    "Son 30 günde görülen siteler etkin kalır. Başka siteler, etkinleştirme hakkı boşalana kadar reddedilir.",
  "Codes on the most sites": "En çok sitede kullanılan kodlar",
  "No code of this item is active on more than one site.":
    "Bu ürünün hiçbir kodu birden çok sitede etkin değil.",
  "A purchase can activate any number of sites.":
    "Bir satın alma istenen sayıda siteyi etkinleştirebilir.",
  "A purchase can activate {n site|sites}.": "Bir satın alma {n} siteyi etkinleştirebilir.",
  "{over} of {purchases purchase|purchases} is on more sites than that today.":
    "Bugün {purchases} satın almadan {over} tanesi bundan çok sitede.",
  "{over} of {purchases purchase|purchases} are on more sites than that today.":
    "Bugün {purchases} satın almadan {over} tanesi bundan çok sitede.",
  "{over} of {purchases purchase|purchases} is on more than {n site|sites} today.":
    "Bugün {purchases} satın almadan {over} tanesi {n} siteden fazlasında.",
  "{over} of {purchases purchase|purchases} are on more than {n site|sites} today.":
    "Bugün {purchases} satın almadan {over} tanesi {n} siteden fazlasında.",

  // The page of a buyer.
  "Your license": "Lisansınız",
  "See whether your purchase code is valid and where it is used.":
    "Satın alma kodunuzun geçerli olup olmadığını ve nerede kullanıldığını görün.",
  "It is in the e-mail about your purchase.": "Kod, satın alma e-postanızdadır.",
  Show: "Göster",
  "Enter your purchase code.": "Satın alma kodunuzu girin.",
  "Unknown purchase code. Copy it again from the e-mail about your purchase. After a new purchase it can take a few minutes.":
    "Bilinmeyen satın alma kodu. Kodu satın alma e-postanızdan yeniden kopyalayın. Yeni bir satın almadan sonra birkaç dakika sürebilir.",
  "This purchase code is valid.": "Bu satın alma kodu geçerli.",
  "This purchase was refunded or charged back. The code is invalid.":
    "Bu satın alma iade ya da ters ibraz edildi. Kod geçersiz.",
  "Your subscription ended. The code is invalid until you renew it.":
    "Aboneliğiniz sona erdi. Yenileyene kadar kod geçersizdir.",
  "This purchase code cannot be validated because its author is suspended.":
    "Yazarının hesabı askıya alındığı için bu satın alma kodu doğrulanamıyor.",
  "Not used on any site.": "Hiçbir sitede kullanılmıyor.",
  "Names are masked, because others may know this code.":
    "Bu kodu başkaları da bilebileceği için adlar gizlenir.",
  "These are the {n} sites seen last.": "Son görülen {n} site gösteriliyor.",
  "Use it here again": "Yeniden burada kullan",
  "Release {site}?": "{site} bırakılsın mı?",
  "Its slot becomes free immediately. The product there stops being active, unless a slot is free when it validates again.":
    "Etkinleştirme hakkı hemen boşalır. Oradaki ürün, yeniden doğrulandığında boş hak yoksa etkin olmaz.",
  "This site takes no slot, so releasing it frees none.":
    "Bu site hak kullanmıyor; bırakılması bir hak boşaltmaz.",
  "Use the code on {site} again?": "Kod yeniden {site} sitesinde kullanılsın mı?",
  "{losing} was activated later and loses its slot. Then validate the code again in the product’s settings.":
    "Daha sonra etkinleşen {losing} hakkını kaybeder. Ardından kodu, ürünün ayarlarında yeniden doğrulayın.",
  "The slot for {site} is free. Validate the code again in the product’s settings there.":
    "{site} için hak boşaldı. Kodu, oradaki ürünün ayarlarında yeniden doğrulayın.",
  "This has changed in the meantime. Look at the sites below.":
    "Bu sırada bir değişiklik oldu. Aşağıdaki sitelere bakın.",
  "Five sites were released within 30 days. You can release the next one on {day}.":
    "30 gün içinde beş site bırakıldı. Sonraki siteyi şu tarihte bırakabilirsiniz: {day}.",
  "You cannot release more sites from here: five within 30 days are allowed.":
    "Buradan başka site bırakamazsınız: 30 günde beş site bırakılabilir.",
  "You can release {n more site|more sites} within 30 days.":
    "30 gün içinde {n} site daha bırakabilirsiniz.",

  // Offline activation.
  "Offline activation": "Çevrimdışı etkinleştirme",
  "For products that cannot connect to this server. Enter your purchase code, then paste the receipt into the product’s settings.":
    "Bu sunucuya bağlanamayan ürünler için. Satın alma kodunuzu girin, etkinleştirme belgesini ürünün ayarlarına yapıştırın.",
  "The receipt is for this site only:": "Belge yalnızca şu site için geçerlidir:",
  "Get a receipt": "Belge al",
  Receipt: "Etkinleştirme belgesi",
  "Paste it soon. It is valid for a limited time.":
    "Belgeyi kısa sürede yapıştırın; sınırlı bir süre geçerlidir.",
  "See your license and its sites": "Lisansınızı ve sitelerini görün",
  "This page requires JavaScript. Enable it and open the link again.":
    "Bu sayfa JavaScript gerektirir. Etkinleştirip bağlantıyı yeniden açın.",
  "This URL is incomplete. Open the link in the product’s settings again.":
    "Bu URL eksik. Ürünün ayarlarındaki bağlantıyı yeniden açın.",
  "Checking the code…": "Kod doğrulanıyor…",
  "The code is valid. Copy the receipt and paste it into your product.":
    "Kod geçerli. Belgeyi kopyalayın ve ürününüze yapıştırın.",
  "This purchase code is invalid. Check it.": "Bu satın alma kodu geçersiz. Kodu kontrol edin.",
  "This purchase was refunded or charged back.": "Bu satın alma iade ya da ters ibraz edildi.",
  "The subscription of this purchase has ended.": "Bu satın almanın aboneliği sona erdi.",
  "This purchase code has reached its site limit. See your license below to release another site. A site not seen for 30 days frees its slot.":
    "Bu satın alma kodunun site sınırı dolu. Başka bir siteyi bırakmak için aşağıdan lisansınızı açın. 30 gün görülmeyen bir sitenin etkinleştirme hakkı kendiliğinden boşalır.",
  "The product’s key is no longer valid. Update the product, or ask its author.":
    "Ürünün anahtarı artık geçerli değil. Ürünü güncelleyin ya da yazarına danışın.",
  "The code cannot be validated right now. It may still be valid. Try again in a few minutes.":
    "Kod şu anda doğrulanamıyor. Kod yine de geçerli olabilir. Birkaç dakika sonra yeniden deneyin.",

  // Webhooks.
  Webhook: "Webhook",
  "Pazar sends events such as sales, refunds and leaked keys to your server. Each webhook receives the events that you select.":
    "Pazar; satış, iade ve sızan anahtar gibi olayları sunucunuza gönderir. Her webhook, seçtiğiniz olayları alır.",
  "Pazar sends events of all authors, invitations, failed imports and overdue database syncs to your server.":
    "Pazar; bütün yazarların olaylarını, davetleri, başarısız içe aktarmaları ve geciken veritabanı eşitlemelerini sunucunuza gönderir.",
  "Events and signature verification": "Olaylar ve imza doğrulama",
  "No webhooks yet.": "Henüz webhook yok.",
  "Add a webhook": "Webhook ekle",
  "It must begin with https:// and be reachable from the internet.":
    "https:// ile başlamalı ve internetten erişilebilir olmalıdır.",
  Events: "Olaylar",
  "Leave empty to receive all events, including future ones.":
    "Seçim yapmazsanız yeni çıkacaklar dahil hepsi gönderilir.",
  "All events": "Bütün olaylar",
  Failing: "Hata veriyor",
  "All attempts have failed since {when}. After five days of failed attempts, the webhook is disabled.":
    "{when} tarihinden beri bütün denemeler başarısız. Beş gün başarısız denemeden sonra webhook devre dışı bırakılır.",
  "Disabled manually. Pending messages are sent when you enable it. Events that occur until then are not delivered.":
    "Elle devre dışı bırakıldı. Bekleyen iletiler, etkinleştirdiğinizde gönderilir. O zamana kadarki olaylar gönderilmez.",
  "Disabled because the server returned 410 (Gone). Check the URL, then enable the webhook.":
    "Sunucu 410 (Gone) döndürdüğü için devre dışı bırakıldı. URL'yi kontrol edip etkinleştirin.",
  "Disabled because all attempts failed for five days. Fix the server, then enable the webhook: pending messages are sent.":
    "Bütün denemeler beş gün boyunca başarısız olduğu için devre dışı bırakıldı. Sunucuyu düzeltip etkinleştirin: bekleyen iletiler gönderilir.",
  "Disabled because too many messages were pending (1,000,000, or 100,000 after an hour of failed attempts). Fix the server, then enable the webhook: pending messages fail permanently.":
    "Çok fazla ileti beklediği için devre dışı bırakıldı (1.000.000 ya da bir saatlik başarısız denemeden sonra 100.000). Sunucuyu düzeltip etkinleştirin: bekleyen iletiler kalıcı olarak başarısız olur.",
  "The webhook {url} was disabled.": "{url} webhook'u devre dışı bırakıldı.",
  "Deliveries to {url} have failed since {when}.":
    "{url} adresine gönderiler {when} tarihinden beri başarısız.",
  "Show why": "Nedenini gör",
  "The URL must begin with https://": "URL https:// ile başlamalı.",
  "The URL is too long.": "URL fazla uzun.",
  "Remove the username and password from the URL.": "URL'den kullanıcı adını ve parolayı çıkarın.",
  "This URL cannot be reached from the internet.": "Bu URL'ye internetten ulaşılamıyor.",
  "You have {max webhook|webhooks}, the maximum. Delete one first.":
    "En çok {max} webhook ekleyebilirsiniz. Önce birini silin.",
  "Unknown event. Choose from the list.": "Bilinmeyen olay. Listeden seçin.",
  Edit: "Düzenle",
  "Rotate the secret": "İmza anahtarını yenile",
  "Edit the webhook": "Webhook'u düzenle",
  "Signing secret": "İmza anahtarı",
  "Messages are also signed with the previous secret until {when}.":
    "İletiler {when} tarihine kadar önceki imza anahtarıyla da imzalanır.",
  Enable: "Etkinleştir",
  Disable: "Devre dışı bırak",
  "Reveal the secret?": "İmza anahtarı gösterilsin mi?",
  "This requires your password.": "Bunun için parolanız gerekir.",
  "Rotate the secret?": "İmza anahtarı yenilensin mi?",
  "You get a new secret. Messages are signed with both secrets for a day, or until you rotate again.":
    "Yeni bir imza anahtarı alırsınız. İletiler bir gün boyunca ya da yeniden yenileyene kadar ikisiyle de imzalanır.",
  "Delete the webhook?": "Webhook silinsin mi?",
  "Send a test event": "Test olayı gönder",
  "The limit is {max test event|test events} per minute. Wait a minute, then try again.":
    "Dakikada en çok {max} test olayı gönderebilirsiniz. Bir dakika bekleyip yeniden deneyin.",
  Deliveries: "Gönderiler",
  "No deliveries yet.": "Henüz gönderi yok.",
  Event: "Olay",
  Pending: "Bekliyor",
  Retrying: "Yeniden deneniyor",
  Delivered: "Teslim edildi",
  Attempts: "Denemeler",
  Time: "Zaman",
  Duration: "Süre",
  "Waiting for the response…": "Yanıt bekleniyor…",
  Reload: "Yeniden yükle",
  "attempt {nth}, {when}": "{nth}. deneme, {when}",
  "Last attempt": "Son deneme",
  Redeliver: "Yeniden gönder",
  "The webhook is disabled. Enable it first.": "Webhook devre dışı. Önce etkinleştirin.",
  "Message ID": "İleti ID'si",
  Body: "Gövde",
  "The body is hidden: it contains a link for its recipient only.":
    "Gövde gizli: yalnızca alıcısına özel bir bağlantı içeriyor.",
  "Pazar stops sending events to {url} and deletes its secret and deliveries. You cannot undo this.":
    "Pazar artık {url} URL'sine olay göndermez; imza anahtarını ve gönderilerini siler. Bu işlem geri alınamaz.",
  "Pazar stops sending events to {url} and deletes its secret and deliveries, including {pending pending message|pending messages}. You cannot undo this.":
    "Pazar artık {url} URL'sine olay göndermez; imza anahtarını ve gönderilerini siler, bekleyen {pending} ileti dahil. Bu işlem geri alınamaz.",

  // Problems of imports, webhooks, backups and settings.
  "is missing": "eksik",
  "must not be empty": "boş olmamalı",
  "must not be an empty array; omit the field": "boş bir dizi olmamalı; alanı hiç göndermeyin",
  "must be an object": "bir nesne olmalı",
  "must be an array": "bir dizi olmalı",
  "must be a string": "bir metin olmalı",
  "must be a number": "bir sayı olmalı",
  "must be true or false": "true ya da false olmalı",
  "must be an integer from {min} to {max}": "{min} ile {max} arasında bir tam sayı olmalı",
  "must be an http or https URL": "bir http veya https URL'si olmalı",
  "must be an https URL": "bir https URL'si olmalı",
  "must not have the parameters expires and signature, which Pazar adds":
    "Pazar'ın eklediği expires ve signature parametrelerini içermemeli",
  "must be a currency code of three letters": "üç harfli bir para birimi kodu olmalı",
  "must be a version number such as 1.4.0": "1.4.0 gibi bir sürüm numarası olmalı",
  "must be an ISO 8601 timestamp with a time zone, such as 2026-01-31T02:00:00Z":
    "saat dilimi içeren bir ISO 8601 zaman damgası olmalı, örneğin 2026-01-31T02:00:00Z",
  "has no time zone; add one, or set --timezone or timezone in the sync file":
    "saat dilimi yok; ekleyin ya da --timezone seçeneğiyle veya eşitleme dosyasındaki timezone alanıyla belirtin",
  "is a date or time that does not exist": "var olmayan bir tarih ya da saat",
  "must not be before 1970": "1970'ten önce olmamalı",
  "must have 1 to {max} characters and no leading or trailing whitespace":
    "başında ve sonunda boşluk olmayan 1–{max} karakter olmalı",
  "must have 1 to {max} characters in normal form (NFKC, plain dashes, no invisible characters, no leading or trailing whitespace)":
    "normal biçimde 1–{max} karakter olmalı (NFKC, düz tireler, görünmeyen karakter yok, başında ve sonunda boşluk yok)",
  "the value": "değer",
  "{value} is a placeholder, not an API key; omit the field":
    "{value} bir yer tutucu, API anahtarı değil; alanı hiç göndermeyin",
  "{value} is a placeholder, not a purchase code": "{value} bir yer tutucu, satın alma kodu değil",
  "must not have leading or trailing whitespace": "başında ve sonunda boşluk olmamalı",
  "a prefix": "bir",
  "starts with {prefix} reserved for keys that Pazar creates; omit the field":
    "Pazar'ın oluşturduğu anahtarlara ayrılmış {prefix} ön ekiyle başlıyor; alanı hiç göndermeyin",
  "contains the replacement character U+FFFD; check the encoding of the source":
    "bozuk karakter (U+FFFD) içeriyor; kaynağın karakter kodlamasını denetleyin",
  "contains a NUL character or an unpaired surrogate; remove it":
    "NUL karakteri ya da eşi olmayan bir vekil karakter içeriyor; kaldırın",
  "must have at most {max} characters": "en çok {max} karakter olabilir",
  "must have at most {max} entries": "en çok {max} öğe içerebilir",
  "has more digits than a number can represent; round it":
    "bir sayının taşıyabileceğinden çok basamak içeriyor; yuvarlayın",
  "appears twice; remove one": "iki kez geçiyor; birini kaldırın",
  "is not a known field; correct or remove it": "bilinen bir alan değil; düzeltin ya da kaldırın",
  "must be account, item or purchase": "account, item veya purchase olmalı",
  "is required; a patch cannot remove it": "zorunlu; yamayla kaldırılamaz",
  "cannot be combined with deleted; remove one of them":
    "deleted ile birlikte kullanılamaz; birini kaldırın",
  "must have at most {max} bytes": "en çok {max} bayt olabilir",
  "is not valid JSON": "geçerli JSON değil",
  "the item must take at most {max}; shorten its texts or lists":
    "ürün en çok {max} olabilir; metinlerini ya da listelerini kısaltın",
  "the item must take at most {max}, not {bytes}; shorten its texts or lists":
    "ürün en çok {max} olabilir, bu ürün {bytes}; metinlerini ya da listelerini kısaltın",
  "is not valid UTF-8": "geçerli UTF-8 değil",
  "is nested too deeply": "çok fazla iç içe düzey içeriyor",
  "the account does not exist; import it first": "hesap yok; önce onu içe aktarın",
  "account {username} does not exist; import it first":
    "{username} hesabı yok; önce onu içe aktarın",
  "the item does not exist; import it first": "ürün yok; önce onu içe aktarın",
  "item {id} does not exist; import it first": "{id} numaralı ürün yok; önce onu içe aktarın",
  "the purchase does not exist; import it first": "satış yok; önce onu içe aktarın",
  "purchase {code} does not exist; import it first": "{code} kodlu satış yok; önce onu içe aktarın",
  "the record that it refers to does not exist, and {max} records are already pending; import the missing records first":
    "bağlı olduğu kayıt yok ve {max} kayıt zaten beklemede; önce eksik kayıtları içe aktarın",
  "the account still has items, or keys for items that moved to another author; delete or move the items and revoke the keys first":
    "hesabın hâlâ ürünleri ya da başka bir yazara taşınan ürünler için anahtarları var; önce ürünleri silin ya da taşıyın, anahtarları iptal edin",
  "the item still has purchases; delete them first": "ürünün hâlâ satışları var; önce onları silin",
  "belongs to another account; if that account was renamed, set `was` to its old name":
    "başka bir hesaba ait; o hesabın adı değiştiyse eski adını `was` alanına yazın",
  "accounts exist under both names; omit `was`, or delete one of them":
    "iki adla da birer hesap var; `was` alanını kaldırın ya da hesaplardan birini silin",
  "the item belongs to another author; to move it, set `was_author`":
    "ürün başka bir yazara ait; taşımak için `was_author` alanını ekleyin",
  "the purchase code belongs to an item of another author; use a unique code":
    "satın alma kodu başka bir yazarın bir ürününe ait; benzersiz bir kod kullanın",
  "the purchase code belongs to item {item} of another author; use a unique code":
    "satın alma kodu başka bir yazarın {item} numaralı ürününe ait; benzersiz bir kod kullanın",
  "stopped before deleting {share}; {option} allows {limit} per type; if this is intended, raise {option} and run it again":
    "silme işleminden önce durduruldu: {share}; {option} tür başına {limit} silmeye izin veriyor; bunu istiyorsanız {option} değerini yükseltip yeniden çalıştırın",
  "stopped before revoking {share}; {option} allows {limit}; if this is intended, raise {option} and run it again":
    "iptal işleminden önce durduruldu: {share}; {option} {limit} iptale izin veriyor; bunu istiyorsanız {option} değerini yükseltip yeniden çalıştırın",
  "{share} are not in the feed; {option} allows {limit} per type; if they were really deleted, import it again with {option} {needed}":
    "beslemede yok: {share}; {option} tür başına {limit} silmeye izin veriyor; gerçekten silindilerse {option} {needed} ile yeniden içe aktarın",
  "line {line} does not identify a record ({row}); correct it":
    "{line}. satır hangi kayıt olduğunu belirtmiyor ({row}); düzeltin",
  "line {line} does not identify a record; correct it":
    "{line}. satır hangi kayıt olduğunu belirtmiyor; düzeltin",
  "the end line is missing; the feed may be truncated":
    "bitiş satırı yok; besleme yarıda kesilmiş olabilir",
  "records follow the end line; move it to the end":
    "bitiş satırından sonra kayıt var; bitiş satırını sona taşıyın",
  "the end line counts {expected} {nouns}, but the feed has {found}":
    "bitiş satırına göre {expected} {nouns} olmalı, oysa beslemede {found} tane var",
  "the timestamps of {records record|records} were up to {seconds} s in the future and count as now; synchronize the clocks of the source and this machine":
    "{records} kaydın zaman damgası en çok {seconds} saniye ilerideydi ve şimdiki zaman sayıldı; kaynağın ve bu makinenin saatlerini eşitleyin",
  "{records row repeats|rows repeat} an earlier one; a revoked row takes precedence, then the first one; select each record once":
    "{records} satır daha önceki bir satırı yineliyor; iptal edilmiş satır, yoksa ilk satır geçerli olur; her kaydı bir kez seçin",
  "at least one record or deletion was rejected; --strict then writes nothing":
    "en az bir kayıt ya da silme reddedildi; --strict bu durumda hiçbir şey yazmaz",
  "internal error; see the output of the command": "iç hata; komutun çıktısına bakın",
  "no response within {seconds} s": "{seconds} saniye içinde yanıt gelmedi",
  "the connection was closed without a response": "bağlantı yanıt gelmeden kapandı",
  "connection failed ({reason})": "bağlantı kurulamadı ({reason})",
  "the response is not HTTP": "yanıt HTTP değil",
  "the URL must begin with https://": "URL https:// ile başlamalı",
  "the host does not resolve to an allowed address":
    "sunucu adı çözümlenemedi ya da izin verilmeyen bir adrese gidiyor",
  "the database is a standby and does not accept writes":
    "veritabanı bir yedek sunucu (standby) ve yazma kabul etmiyor",
  "Include the primary in DATABASE_URL, alone or among several hosts.":
    "DATABASE_URL ayarına birincil sunucuyu yazın; tek başına ya da birkaç sunucudan biri olarak.",
  "the database is read-only": "veritabanı salt okunur",
  "Check default_transaction_read_only of the role, the database and the server. Some providers set it when the disk is full.":
    "Rolün, veritabanının ve sunucunun default_transaction_read_only ayarını denetleyin. Bazı sağlayıcılar disk dolunca bu ayarı açar.",
  "the previous key is no longer needed": "önceki anahtara artık gerek yok",
  "Remove PAZAR_MASTER_KEY_PREVIOUS and PAZAR_MASTER_KEY_PREVIOUS_FILE from the settings of all servers.":
    "PAZAR_MASTER_KEY_PREVIOUS ve PAZAR_MASTER_KEY_PREVIOUS_FILE değişkenlerini bütün sunucuların ayarlarından kaldırın.",
  "some data is encrypted with the previous key":
    "verilerin bir kısmı önceki anahtarla şifrelenmiş",
  "Start all servers with both keys, then run `pazar master-key reseal`.":
    "Bütün sunucuları iki anahtarla başlatın, ardından `pazar master-key reseal` komutunu çalıştırın.",
  "If the key was lost or replaced, restore it from your copy. Running servers still hold it in memory, but cannot restart without it.":
    "Anahtar kaybolduysa ya da değiştiyse sakladığınız kopyadan geri yükleyin. Çalışan sunucular onu bellekte tutuyor, ama onsuz yeniden başlayamaz.",
  "import {id} from {source} failed": "{source} kaynağından {id}. içe aktarma başarısız oldu",
  "import {id} from {source} was interrupted after line {line}":
    "{source} kaynağından {id}. içe aktarma {line}. satırdan sonra yarıda kaldı",
  "import {id} from {source} rejected {lines line|lines}":
    "{source} kaynağından {id}. içe aktarma {lines} satırı reddetti",
  "import {id} from {source} deleted nothing":
    "{source} kaynağından {id}. içe aktarma hiçbir şey silmedi",
  "Correct the data or its source and import it again. `pazar imports {id}` prints the details.":
    "Verileri ya da kaynağı düzeltip yeniden içe aktarın. Ayrıntıları `pazar imports {id}` yazdırır.",
  "{name} is overdue: it never succeeded": "{name} gecikti: hiç başarılı olmadı",
  "{name} is overdue: it last succeeded at {at}":
    "{name} gecikti: en son {at} tarihinde başarılı oldu",
  "Check the service that runs the database sync: later sales are missing.":
    "Veritabanı eşitlemesini çalıştıran hizmeti denetleyin: sonraki satışlar eksik.",
  "the server on {host} runs version {own}, older than {newest}":
    "{host} üzerindeki sunucu {newest} sürümünden eski olan {own} sürümünü çalıştırıyor",
  "Install the newest version on this server and restart it.":
    "Bu sunucuya en yeni sürümü kurun ve sunucuyu yeniden başlatın.",
  "no backup exists": "hiç yedek yok",
  "Set PAZAR_BACKUP_DIR, or run `pazar backup` regularly; see docs/backup.md.":
    "PAZAR_BACKUP_DIR ayarını yapın ya da `pazar backup` komutunu düzenli olarak çalıştırın; bkz. docs/backup.md.",
  "Start the server: it writes the first backup to PAZAR_BACKUP_DIR.":
    "Sunucuyu başlatın: ilk yedeği PAZAR_BACKUP_DIR klasörüne yazar.",
  "the newest is {hours hour|hours} old": "en yenisi {hours} saatlik",
  "the newest is {days} days old": "en yenisi {days} günlük",
  "Check the server or the timer that creates backups, and run `pazar backup` by hand.":
    "Yedekleri alan sunucuyu ya da zamanlayıcıyı denetleyin ve `pazar backup` komutunu elle çalıştırın.",
  "the server failed to create a backup: {text}": "sunucu yedek alamadı: {text}",
  "The server retries every ten minutes. Check that PAZAR_BACKUP_DIR has free space and is writable.":
    "Sunucu on dakikada bir yeniden dener. PAZAR_BACKUP_DIR klasöründe boş yer olduğunu ve klasörün yazılabilir olduğunu denetleyin.",
  "1 record has been pending for more than a day; it needs {noun} {identity}":
    "1 kayıt bir günden uzun süredir beklemede; bağlı olduğu kayıt: {identity} ({noun})",
  "{records} records are pending, some for more than a day; most need {noun} {identity}":
    "{records} kayıt beklemede, bazıları bir günden uzun süredir; çoğunun bağlı olduğu kayıt: {identity} ({noun})",
  "Run `pazar imports` to see why the records they need were rejected or never sent.":
    "Bağlı oldukları kayıtların neden reddedildiğini ya da gönderilmediğini `pazar imports` ile görün.",
  "the webhook {url} of the operators was disabled":
    "pazaryeri yöneticilerinin {url} webhook'u devre dışı bırakıldı",
  "the webhook {url} of {owner} was disabled":
    "{owner} hesabının {url} webhook'u devre dışı bırakıldı",
  "its URL returned 410": "URL'si 410 yanıtı verdi",
  "every attempt failed for five days": "bütün denemeler beş gün boyunca başarısız oldu",
  "too many messages were pending": "bekleyen ileti sayısı sınırı aştı",
  "deliveries to the webhook {url} of the operators have failed since {at}":
    "yöneticilerin {url} webhook'una gönderiler {at} tarihinden beri başarısız",
  "Check its server: it must respond 2xx within the timeout.":
    "Sunucusunu denetleyin: süre dolmadan 2xx yanıtı vermelidir.",
  "Its owner can enable it when its server accepts messages again.":
    "Sunucusu iletileri yeniden kabul edince sahibi onu etkinleştirebilir.",
  "the certificate of the mail server {server} was rejected: {reason}":
    "{server} posta sunucusunun sertifikası reddedildi: {reason}",
  "the mail server {server} does not offer TLS": "{server} posta sunucusu TLS sunmuyor",
  "the mail server {server} rejected the user or the password ({status})":
    "{server} posta sunucusu kullanıcıyı veya parolayı reddetti ({status})",
  "the host name of the mail server {server} does not resolve":
    "{server} posta sunucusunun adı çözümlenemiyor",
  "the mail server {server} does not respond ({reason})":
    "{server} posta sunucusu yanıt vermiyor ({reason})",
  "the mail server {server} rejected an e-mail ({status})":
    "{server} posta sunucusu bir e-postayı reddetti ({status})",
  "no e-mail could be sent since {at}": "{at} tarihinden beri e-posta gönderilemiyor",
  "1 e-mail has been waiting since {since}, and is tried until {until}":
    "1 e-posta {since} tarihinden beri bekliyor ve {until} tarihine kadar denenecek",
  "{n} e-mails have been waiting since {since}; the first one is tried until {until}":
    "{n} e-posta {since} tarihinden beri bekliyor; ilki {until} tarihine kadar denenecek",
  "Check PAZAR_SMTP_URL and the mail server; `pazar doctor` tries to connect.":
    "PAZAR_SMTP_URL ayarını ve posta sunucusunu denetleyin; `pazar doctor` bağlanmayı dener.",
  "PAZAR_PUBLIC_URL is not an https URL": "PAZAR_PUBLIC_URL bir https URL'si değil",
  "Put a TLS proxy in front: keys and codes must not travel unencrypted.":
    "Önüne bir TLS vekil sunucusu koyun: anahtarlar ve kodlar ağdan şifresiz geçmemeli.",
  "PAZAR_TRUSTED_PROXIES is not set, so all requests appear to come from the proxy":
    "PAZAR_TRUSTED_PROXIES ayarlanmamış; bütün istekler vekil sunucudan geliyor gibi görünüyor",
  "Set it to the IP address of the TLS proxy.": "Bu ayara TLS vekil sunucusunun IP adresini yazın.",
  "{free} are free; the database uses {used}": "{free} boş, veritabanı {used} kaplıyor",
  "Free disk space: a backup or an upgrade needs as much space as the database.":
    "Diskte yer açın: yedek ya da yükseltme, veritabanı kadar yer gerektirir.",
  "a process may open {max} files": "bir süreç en çok {max} dosya açabilir",
  "Raise the limit of the server's process: `ulimit -n 65536`, or LimitNOFILE in systemd.":
    "Sunucu sürecinin sınırını yükseltin: `ulimit -n 65536` ya da systemd için LimitNOFILE.",
  "every user of this machine can read or write {path}":
    "bu makinenin her kullanıcısı {path} dosyasını okuyabilir ya da yazabilir",
  "the group of {path} can read or write it": "{path} dosyasını grubu okuyabilir ya da yazabilir",
  "every user can write to {path}": "her kullanıcı {path} klasörüne yazabilir",
  "Run `chmod {mode} {path}`.": "Şu komutu çalıştırın: `chmod {mode} {path}`",
  "it shows {now}, but the last record in the database is from {newest}":
    "{now} gösteriyor, oysa veritabanındaki son kayıt {newest} tarihli",
  "it differs from the database's clock by {seconds} s":
    "veritabanının saatinden {seconds} saniye farklı",
  "Synchronize the clocks, for example with `timedatectl set-ntp true`: expiry, sessions and signatures depend on them.":
    "Saatleri eşitleyin, örneğin `timedatectl set-ntp true` ile: geçerlilik süreleri, oturumlar ve imzalar onlara bağlıdır.",
  "Synchronize the clocks, for example with `timedatectl set-ntp true`. If they are right by now, this ends with the next import or change.":
    "Saatleri eşitleyin, örneğin `timedatectl set-ntp true` ile. Şu anda doğruysalar, bu uyarı bir sonraki içe aktarma veya değişiklikle kalkar.",
  "{records} of {total} {nouns} ({percent}%)":
    "{total} {nouns} içinden {records} tanesi (%{percent})",
  "at least {n}": "en az {n}",
  "at most {n}": "en çok {n}",
  account: "hesap",
  accounts: "hesap",
  items: "ürün",
  purchases: "satış",

  // E-mails.
  "your role in the team of {team} is now: owner": "{team} ekibindeki yeni rolünüz: sahip",
  "your role in the team of {team} is now: developer":
    "{team} ekibindeki yeni rolünüz: geliştirici",
  "your role in the team of {team} is now: support": "{team} ekibindeki yeni rolünüz: destek",
  "your role as operator is now: admin": "yeni pazaryeri yöneticisi rolünüz: tam yetkili",
  "your role as operator is now: support": "yeni pazaryeri yöneticisi rolünüz: destek",
  "your role as operator is now: viewer": "yeni pazaryeri yöneticisi rolünüz: izleyici",
  "your password was changed": "parolanız değiştirildi",
  "your e-mail address was changed": "e-posta adresiniz değiştirildi",
  "your access was removed": "erişiminiz kaldırıldı",
  "two-factor authentication was enabled": "iki adımlı doğrulama etkinleştirildi",
  "two-factor authentication was disabled": "iki adımlı doğrulama devre dışı bırakıldı",
  "a passkey was added": "bir geçiş anahtarı eklendi",
  "a passkey was removed": "bir geçiş anahtarı kaldırıldı",
  "single sign-on was connected": "tek oturum açma bağlandı",
  "single sign-on was disconnected": "tek oturum açma bağlantısı kesildi",
  "you were removed from the team of {team}": "{team} ekibinden çıkarıldınız",
  "you are no longer an operator": "artık pazaryeri yöneticisi değilsiniz",
  unknown: "bilinmiyor",
  "Hello {name},": "Merhaba {name},",
  "Time: {at}": "Zaman: {at}",
  "IP range: {ipRange}": "IP aralığı: {ipRange}",
  "Browser: {device}": "Tarayıcı: {device}",
  "Changed by: {name}": "Değiştiren: {name}",
  "If you did not expect this, choose a new password (“Forgot your password?”), sign out everywhere under Settings, Security, and tell your marketplace.":
    "Bunu beklemiyorsanız yeni bir parola belirleyin (“Parolanızı mı unuttunuz?”), Ayarlar, Güvenlik sayfasında her yerden çıkış yapın ve pazaryerinize bildirin.",
  "Open the sign-in page": "Giriş sayfasını açın",
  "too many deletions or revocations were stopped": "çok sayıda silme veya iptal durduruldu",
  "an import failed": "bir içe aktarma başarısız oldu",
  "a database sync is overdue": "bir veritabanı eşitlemesi gecikti",
  "a backup failed": "yedek alınamadı",
  "a webhook was disabled": "bir webhook devre dışı bırakıldı",
  "Pazar sends at most one e-mail per hour about this.":
    "Pazar bu konuda saatte en çok bir e-posta gönderir.",
  "Open the console": "Konsolu açın",
  "The link works once, until {until}.":
    "Bağlantı {until} tarihine kadar geçerlidir, bir kez kullanılır.",
  "Your author account on {site}": "{site} yazar hesabınız",
  "You have an author account on {site}. Choose a password, then sign in as {name}.":
    "{site} üzerinde bir yazar hesabınız var. Bir parola belirleyin, sonra {name} olarak giriş yapın.",
  "Your operator account on {site}": "{site} yönetici hesabınız",
  "You are an operator of {site}. Choose a password, then sign in to the console as {name}.":
    "{site} pazaryerinin yöneticisisiniz. Bir parola belirleyin, sonra konsola {name} olarak giriş yapın.",
  "Join {team} on {site}": "{site}: {team} ekibine katılın",
  "You are invited to the workspace of {team} on {site}. If you already sign in there, sign in first.":
    "{site} üzerindeki {team} çalışma alanına davet edildiniz. Orada zaten giriş yapıyorsanız önce giriş yapın.",
  "Accept the invitation": "Daveti kabul edin",
  "If you do not expect this, ignore this e-mail.": "Bunu beklemiyorsanız bu e-postayı yok sayın.",
  "Reset your password on {site}": "{site} parolanızı sıfırlayın",
  "Choose a new password for {name} on {site}.":
    "{site} üzerindeki {name} hesabı için yeni bir parola belirleyin.",
  "Choose a new password": "Yeni parola belirleyin",
  "If you did not request this, ignore this e-mail. Your password stays valid.":
    "Bunu siz istemediyseniz bu e-postayı yok sayın. Parolanız geçerli kalır.",
} as const satisfies Readonly<Record<string, string>>
