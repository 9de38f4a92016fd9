import { ipRangesMax } from "../../../usage/usage.ts"
import { count, counted, filled, formatNumber, shorten, text } from "./text.ts"

export const keys = {
  title: text("API Access", "API Erişimi"),
  search: text(
    "Name, last four characters or a whole key",
    "Ad, son dört karakter veya anahtarın tamamı",
  ),
  searchAll: text("Name, ID or a whole key", "Ad, ID veya anahtarın tamamı"),
  everyKind: text("All types", "Bütün türler"),
  states: {
    live: text("Valid keys", "Geçerli anahtarlar"),
    inactive: text("Inactive keys", "Devre dışı anahtarlar"),
    all: text("All keys", "Bütün anahtarlar"),
  },
  stillUsed: filled<[n: number]>(
    "{n inactive key still sends|inactive keys still send} requests.",
    "{n} devre dışı anahtar hâlâ istek gönderiyor.",
  ),
  create: text("Create a key", "Yeni anahtar oluştur"),
  none: text(
    "You have no valid key. Create one to send requests.",
    "Geçerli anahtarınız yok. İstek göndermek için bir anahtar oluşturun.",
  ),
  reveal: text("Reveal", "Göster"),
  hide: text("Hide", "Gizle"),
  kinds: {
    sk: text("Secret key", "Gizli anahtar"),
    vk: text("Validation key", "Doğrulama anahtarı"),
    tk: text("Test key", "Test anahtarı"),
    imported: text("Imported key", "Aktarılan anahtar"),
  },
  /** Short, for the column of the table. */
  shortKinds: {
    sk: text("Secret", "Gizli"),
    vk: text("Validation", "Doğrulama"),
    tk: text("Test", "Test"),
    imported: text("Imported", "Aktarılan"),
  },
  about: {
    sk: text(
      "This key can read your account, items and purchases, validate codes, release sites and create download links. Keep it on your server.",
      "Bu anahtar hesabınızı, ürünlerinizi ve satın almaları okur, kodları doğrular, site bırakır ve indirme bağlantısı oluşturur. Sunucunuzda tutun.",
    ),
    imported: text(
      "This key can read your account, items and purchases, validate codes, release sites and create download links. Imported from your marketplace's earlier API.",
      "Bu anahtar hesabınızı, ürünlerinizi ve satın almaları okur, kodları doğrular, site bırakır ve indirme bağlantısı oluşturur. Pazaryerinizin önceki API'sinden aktarıldı.",
    ),
    tk: text(
      "This key can send every request and returns test data only.",
      "Bu anahtarla her istek gönderilebilir; yalnızca test verisi döner.",
    ),
    vkAll: text(
      "This key can only validate purchases, release sites and create download links. Safe to ship inside a product.",
      "Bu anahtar yalnızca satın almaları doğrular, site bırakır ve indirme bağlantısı oluşturur. Ürününüzün içine güvenle koyabilirsiniz.",
    ),
    vkSome: filled<[n: number]>(
      "This key can only validate purchases of {n item|items}, release sites and create download links. Safe to ship inside a product.",
      "Bu anahtar yalnızca {n} ürünün satın almalarını doğrular, site bırakır ve indirme bağlantısı oluşturur. Ürününüzün içine güvenle koyabilirsiniz.",
    ),
    vkSite: text(
      "Validations without a site are rejected.",
      "Site bilgisi olmayan doğrulamalar reddedilir.",
    ),
  },
  state: {
    active: text("Active", "Etkin"),
    ending: text("Rotated", "Yenisiyle değiştirildi"),
    revoked: text("Revoked", "İptal edildi"),
    expired: text("Expired", "Süresi doldu"),
  },
  created: text("Created", "Oluşturulma"),
  lastUsed: text("Last used", "Son kullanım"),
  lastWeek: text("Last 7 days", "Son 7 gün"),
  expires: text("Expires", "Bitiş tarihi"),
  allItems: text("All items", "Bütün ürünler"),
  shipped: filled<[ipRanges: number]>(
    "This key looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week. Anyone who has it can read your whole account. Ship a validation key instead, then revoke this one.",
    "Bu anahtar bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta {ipRanges} IP aralığından kullanıldı. Anahtarı ele geçiren herkes bütün hesabınızı okuyabilir. Ürüne bir doğrulama anahtarı koyun, sonra bu anahtarı iptal edin.",
  ),
  scopes: {
    everything: {
      name: text("Everything", "Her şey"),
      about: text("All operations of the API.", "API'nin bütün işlemleri."),
    },
    help_desk: {
      name: text("Help desk", "Destek masası"),
      about: text(
        "Validates codes, lists purchases and sites, and releases sites.",
        "Kodları doğrular, satışları ve siteleri listeler, site bırakır.",
      ),
    },
    catalog: {
      name: text("Catalog", "Katalog"),
      about: text("Lists and reads items.", "Ürünleri listeler ve okur."),
    },
  },
  new: {
    kind: text("What is it for?", "Anahtarı ne için kullanacaksınız?"),
    choices: {
      sk: text("My own server", "Kendi sunucum"),
      vk: text("A product I sell", "Sattığım bir ürün"),
      tk: text("Trying things out", "Denemeler"),
    },
    access: text("What may it do?", "Ne yapabilsin?"),
    nameHint: text("For example, where the key is used.", "Örneğin anahtarın kullanıldığı yer."),
    items: text("Which items may it validate?", "Hangi ürünleri doğrulayabilsin?"),
    all: text("All my items, including future ones", "Bütün ürünlerim, sonradan eklenenler dahil"),
    some: text("Only these:", "Yalnızca bunlar:"),
    requiresSite: text(
      "Reject validations without a site (recommended with a site limit)",
      "Site bilgisi olmayan doğrulamaları reddet (site sınırı varsa önerilir)",
    ),
    shown: text(
      (found: number, hasMore: boolean) =>
        hasMore
          ? `The first ${count(found, "item", "items")}, by name. Search for the others; selected items stay selected.`
          : count(found, "item", "items"),
      (found, hasMore) =>
        hasMore
          ? `Ada göre ilk ${formatNumber(found)} ürün. Diğerlerini arayın; seçtikleriniz korunur.`
          : `${formatNumber(found)} ürün`,
    ),
    expiries: {
      never: text("Never", "Süresiz"),
      "30": text("In 30 days", "30 gün sonra"),
      "90": text("In 90 days", "90 gün sonra"),
      "365": text("In a year", "Bir yıl sonra"),
    },
    badItems: text(
      "Choose at least one of your own items.",
      "Kendi ürünlerinizden en az birini seçin.",
    ),
    notYours: text(
      (ids: readonly string[]) =>
        `You have no ${ids.length === 1 ? "item with this ID" : "items with these IDs"}: ${shorten(ids)}.`,
      (ids) =>
        `${ids.length === 1 ? "Bu ID ile bir ürününüz yok" : "Bu ID'lerle ürünleriniz yok"}: ${shorten(ids)}.`,
    ),
    emptyName: text("Enter a name for the key.", "Anahtar için bir ad yazın."),
    longName: filled<[max: number]>(
      "Use at most {max} characters.",
      "En çok {max} karakter kullanın.",
    ),
    tooMany: filled<[max: number]>(
      "You have {max} valid keys. Revoke an unused key first.",
      "{max} geçerli anahtarınız var. Önce kullanmadığınız birini iptal edin.",
    ),
  },
  newSecret: {
    title: text("Your new key", "Yeni anahtarınız"),
    copyNow: text(
      "Copy it now. You can also reveal it later on this page.",
      "Şimdi kopyalayın. Daha sonra bu sayfada yeniden görüntüleyebilirsiniz.",
    ),
    done: text("Done", "Tamam"),
    oldUntil: filled(
      "The old key is valid until {when}.",
      "Eski anahtar {when} tarihine kadar geçerli.",
    ),
    oldInactive: text("The old key is no longer valid.", "Eski anahtar artık geçerli değil."),
    seeOld: text("Open the old key", "Eski anahtara git"),
  },
  confirm: {
    title: text("Confirm your password", "Parolanızı doğrulayın"),
    why: text(
      "Revealing a key requires your password.",
      "Anahtarı göstermek için parolanız gerekir.",
    ),
    signInAgain: text("Sign in again", "Yeniden giriş yapın"),
    noPassword: text(
      "You signed in more than five minutes ago, and your account has no password. Sign in again, from your marketplace or with a passkey, and repeat the action, or set a password under Settings, Security within five minutes of signing in.",
      "Giriş yapmanızın üzerinden beş dakikadan fazla geçti ve hesabınızda parola yok. Pazaryerinizden veya geçiş anahtarıyla yeniden giriş yapıp işlemi tekrarlayın ya da girişten sonraki beş dakika içinde Ayarlar, Güvenlik sayfasında bir parola belirleyin.",
    ),
    submit: {
      create: text("Create key", "Anahtar oluştur"),
      rotate: text("Rotate key", "Anahtarı yenile"),
      reveal: text("Reveal key", "Anahtarı göster"),
      revoke: text("Revoke key", "Anahtarı iptal et"),
    },
  },
  actions: {
    rename: text("Rename", "Yeniden adlandır"),
    rotate: text("Rotate", "Yenile"),
    revoke: text("Revoke", "İptal et"),
    id: text("Key ID", "Anahtar ID'si"),
    copyId: text("Copy key ID", "Anahtar ID'sini kopyala"),
  },
  rotate: {
    title: filled("Rotate “{name}”", "“{name}” anahtarını yenile"),
    why: text(
      "You get a new key with the same permissions and expiry date. The old key stays valid for the overlap period, so you can deploy the new one first.",
      "Yetkileri ve bitiş tarihi aynı olan yeni bir anahtar alırsınız. Eski anahtar geçiş süresi boyunca geçerli kalır; önce yenisini devreye alabilirsiniz.",
    ),
    overlap: text("Overlap period", "Geçiş süresi"),
    keyLimit: text(
      "You have too many valid keys for an overlap period. Choose none, or revoke unused keys first.",
      "Geçiş süresi için çok fazla geçerli anahtarınız var. Geçiş süresi seçmeyin ya da önce kullanmadığınız anahtarları iptal edin.",
    ),
    overlaps: {
      "0": text("None: the old key expires immediately", "Yok: eski anahtarın süresi hemen dolar"),
      "1h": text("1 hour", "1 saat"),
      "1d": text("1 day", "1 gün"),
      "7d": text("7 days", "7 gün"),
    },
    untilExpiry: text("Until it expires", "Süresi dolana kadar"),
    usage: text(
      (n: number) =>
        n === 0
          ? "No requests in the last 7 days."
          : `${count(n, "request", "requests")} in the last 7 days.`,
      (n) => (n === 0 ? "Son 7 günde istek yok." : `Son 7 günde ${formatNumber(n)} istek.`),
    ),
  },
  revoke: {
    title: filled("Revoke “{name}”?", "“{name}” iptal edilsin mi?"),
    why: text(
      (n: number) =>
        n === 0
          ? "This key was not used in the last 7 days. You cannot undo this."
          : `All requests with this key are rejected immediately: ${count(n, "request", "requests")} in the last 7 days. You cannot undo this.`,
      (n) =>
        n === 0
          ? "Bu anahtar son 7 günde kullanılmadı. Bu işlem geri alınamaz."
          : `Bu anahtarla gönderilen bütün istekler hemen reddedilir: son 7 günde ${formatNumber(n)} istek. Bu işlem geri alınamaz.`,
    ),
  },
  console: {
    title: text("Keys", "Anahtarlar"),
    none: text(
      "This key does not exist. Check that it was copied completely.",
      "Böyle bir anahtar yok. Eksiksiz kopyalandığını kontrol edin.",
    ),
    shipped: text(
      "This key looks shipped in a product: it was used from many IP ranges this week. Anyone who has it can read the author's account.",
      "Bu anahtar bir ürünle dağıtılmış görünüyor: bu hafta çok sayıda IP aralığından kullanıldı. Anahtarı ele geçiren herkes yazarın hesabını okuyabilir.",
    ),
  },
}

/** Texts of the key table, the page of a key and the first request. */
export const keyPages = {
  find: {
    none: text(
      "This key is not yours. If you found it in public, report it to your marketplace.",
      "Bu anahtar sizin değil. Herkese açık bir yerde bulduysanız pazaryerinize bildirin.",
    ),
    publicTest: text(
      "This is the public test key of the docs. It does not belong to an account.",
      "Bu, dokümantasyondaki herkese açık test anahtarı. Hiçbir hesaba ait değil.",
    ),
    found: filled("This is your key “{name}”.", "Bu sizin “{name}” anahtarınız."),
  },
  table: {
    kind: text("Type", "Tür"),
    use: text("Requests, 30 days", "İstek (30 gün)"),
    shipped: text("Looks shipped", "Ürün içinde mi?"),
    stillUsed: text("Rotated, still used", "Yenisiyle değiştirildi, hâlâ kullanılıyor"),
  },
  operations: {
    read_account: text("Read the account", "Hesap bilgileri"),
    list_items: text("List items", "Ürün listesi"),
    read_item: text("Read an item", "Tek ürün"),
    validate_purchase: text("Validate a purchase", "Satın alma doğrulama"),
    release_site: text("Release a site", "Site bırakma"),
    list_purchases: text("List purchases", "Satın almaları listeleme"),
    list_sites: text("List sites", "Siteleri listeleme"),
    create_download: text("Create a download link", "İndirme bağlantısı oluşturma"),
  },
  usage: {
    title: text("Who uses this key?", "Bu anahtarı kim kullanıyor?"),
    ipRanges: text(
      (n: number) =>
        `Used from ${n < ipRangesMax ? "" : "at least "}${count(n, "IP range", "IP ranges")} this week.`,
      (n) =>
        `Bu hafta ${n < ipRangesMax ? "" : "en az "}${formatNumber(n)} IP aralığından kullanıldı.`,
    ),
    ipRangeCount: counted("IP range", "IP ranges", "IP aralığı"),
    noRequests: text("No requests this week.", "Bu hafta istek yok."),
    moreIpRanges: filled<[n: number]>("Show {n} more", "{n} IP aralığı daha göster"),
    none: text("No requests yet.", "Henüz istek yok."),
    byOperation: text("By operation", "İşlemlere göre"),
    items: text("Items it can validate", "Doğrulayabildiği ürünler"),
    moreItems: filled<[n: number]>("and {n} more", "ve {n} ürün daha"),
  },
  inactive: {
    rotated: filled("Rotated on {when}.", "{when} tarihinde yenisiyle değiştirildi."),
    validUntil: filled("Valid until {when}.", "{when} tarihine kadar geçerli."),
    revoked: filled(
      "Revoked on {when}. Requests with this key are rejected.",
      "{when} tarihinde iptal edildi. Bu anahtarla gelen istekler reddediliyor.",
    ),
    expired: filled(
      "Expired on {when}. Requests with this key are rejected.",
      "Süresi {when} tarihinde doldu. Bu anahtarla gelen istekler reddediliyor.",
    ),
    successor: text("Replaced by", "Yerine geçen anahtar:"),
  },
  leak: {
    link: text("This key leaked", "Anahtar sızdı"),
    title: filled("Did “{name}” leak?", "“{name}” sızdı mı?"),
    danger: {
      sk: text(
        "Anyone who has this key can read your account, items and purchases, validate codes, release sites and create download links.",
        "Bu anahtarı ele geçiren herkes hesabınızı, ürünlerinizi ve satın almaları okuyabilir, kodları doğrulayabilir, site bırakabilir ve indirme bağlantısı oluşturabilir.",
      ),
      vk: text(
        "Anyone who has this key can only validate purchases, release sites and create download links. It is safe to ship inside a product.",
        "Bu anahtarı ele geçiren yalnızca satın almaları doğrulayabilir, site bırakabilir ve indirme bağlantısı oluşturabilir. Ürünün içinde güvenle dağıtılabilir.",
      ),
      tk: text("This key returns test data only.", "Bu anahtarla yalnızca test verisi döner."),
    },
    impact: text(
      (calls: number, ipRanges: number) =>
        calls === 0 && ipRanges === 0
          ? "This key was not used in the last 7 days."
          : `Requests with this key are then rejected immediately: ${count(calls, "request", "requests")} from ${count(ipRanges, "IP range", "IP ranges")} in the last 7 days.`,
      (calls, ipRanges) =>
        calls === 0 && ipRanges === 0
          ? "Bu anahtar son 7 günde kullanılmadı."
          : `Bu anahtarla gönderilen istekler hemen reddedilir: son 7 günde ${formatNumber(ipRanges)} IP aralığından ${formatNumber(calls)} istek.`,
    ),
    rotate: text("Rotate now", "Hemen yenile"),
    revoke: text("Revoke now", "Hemen iptal et"),
    open: text("Open the key", "Anahtarın sayfasını aç"),
    inactive: text(
      "This key is inactive. No action is needed.",
      "Bu anahtar devre dışı. Bir şey yapmanız gerekmez.",
    ),
  },
  quickStart: {
    title: text("Try it now", "Şimdi deneyin"),
    intro: text(
      "Ready to run: paste the curl command into a terminal, the other samples into a file.",
      "Çalıştırmaya hazır: curl komutunu terminale, diğer örnekleri bir dosyaya yapıştırın.",
    ),
    introCode: filled(
      "Replace {placeholder} with one of your purchase codes, then run the sample. Test codes work with test keys only.",
      "{placeholder} yerine kendi satın alma kodlarınızdan birini yazıp örneği çalıştırın. Test kodları yalnızca test anahtarlarıyla çalışır.",
    ),
    pending: text("Waiting for your first request…", "İlk isteğiniz bekleniyor…"),
    again: text("Check now", "Şimdi kontrol et"),
    received: filled("First request received: {when}.", "İlk istek alındı: {when}."),
  },
  /** Texts about requests with an inactive key. */
  inactiveRequests: {
    title: text("Who still uses it?", "Hâlâ kim kullanıyor?"),
    pill: text("Still used", "Hâlâ kullanılıyor"),
    summary: filled<[calls: number]>(
      "This key is inactive but was sent with {calls request|requests} in the last 7 days. All were rejected.",
      "Bu anahtar devre dışı ama son 7 günde onunla {calls} istek gönderildi. Hepsi reddedildi.",
    ),
    none: text(
      "No requests with this key since it became inactive, or in the last 7 days.",
      "Devre dışı kaldığından beri ya da son 7 günde bu anahtarla istek gönderilmedi.",
    ),
    attention: filled<[name: string, calls: number]>(
      "“{name}” is inactive but still used: {calls request|requests} in the last 7 days.",
      "“{name}” devre dışı ama hâlâ kullanılıyor: son 7 günde {calls} istek.",
    ),
    see: text("Show who uses it", "Kimin kullandığını göster"),
  },
}
