import { count, formatNumber, shorten } from "./plurals.ts"

const en = {
  title: "API Access",
  search: "Name, last four characters or a whole key",
  searchAll: "Name, ID or a whole key",
  everyKind: "All types",
  states: { live: "Valid keys", inactive: "Inactive keys", all: "All keys" },
  stillUsed: (n: number) =>
    `${count(n, "inactive key still sends", "inactive keys still send")} requests.`,
  create: "Create a key",
  none: "You have no valid key. Create one to send requests.",
  reveal: "Reveal",
  hide: "Hide",
  kinds: {
    sk: "Secret key",
    vk: "Validation key",
    tk: "Test key",
    imported: "Imported key",
  },
  /** Short, for the column of the table. */
  shortKinds: { sk: "Secret", vk: "Validation", tk: "Test", imported: "Imported" },
  about: {
    sk: "This key can read your account and items, validate purchases and release sites. Keep it on your server.",
    imported:
      "This key can read your account and items, validate purchases and release sites. Imported from your marketplace's earlier API.",
    tk: "This key can send every request and returns test data only.",
    vkAll:
      "This key can only validate purchases, release sites and create download links. Safe to ship inside a product.",
    vkSome: (n: number) =>
      `This key can only validate purchases of ${count(n, "item", "items")} and release sites. Safe to ship inside a product.`,
    vkSite: "Validations without a site are rejected.",
  },
  state: {
    active: "Active",
    ending: "Rotated",
    revoked: "Revoked",
    expired: "Expired",
  },
  created: "Created",
  lastUsed: "Last used",
  lastWeek: "Last 7 days",
  expires: "Expires",
  allItems: "All items",
  shipped: (ipRanges: number) =>
    `This key looks shipped in a product: it was used from ${count(ipRanges, "IP range", "IP ranges")} this week. Anyone who has it can read your whole account. Ship a validation key instead, then revoke this one.`,
  new: {
    kind: "What is it for?",
    choices: {
      sk: "My own server",
      vk: "A product I sell",
      tk: "Trying things out",
    },
    nameHint: "For example, where the key is used.",
    items: "Which items may it validate?",
    all: "All my items, including future ones",
    some: "Only these:",
    requiresSite: "Reject validations without a site (recommended with a site limit)",
    shown: (shown: number, all: number) =>
      shown < all
        ? `The first ${shown.toLocaleString("en")} of ${count(all, "item", "items")}, by name. Search for the others; selected items stay selected.`
        : count(all, "item", "items"),
    expiries: { never: "Never", "30": "In 30 days", "90": "In 90 days", "365": "In a year" },
    badItems: "Choose at least one of your own items.",
    notYours: (ids: readonly string[]) =>
      `You have no ${ids.length === 1 ? "item with this ID" : "items with these IDs"}: ${shorten(ids)}.`,
    emptyName: "Enter a name for the key.",
    longName: (max: number) => `Use at most ${max} characters.`,
    tooMany: (max: number) => `You have ${max} valid keys. Revoke an unused key first.`,
  },
  newSecret: {
    title: "Your new key",
    copyNow: "Copy it to your product or server. You can also reveal it later on this page.",
    done: "Done",
    oldUntil: (when: string) => `The old key is valid until ${when}.`,
    oldInactive: "The old key is no longer valid.",
    seeOld: "Open the old key",
  },
  confirm: {
    title: "Confirm your password",
    why: {
      create: "Creating a key requires your password. Your selection is kept.",
      rotate: "Rotating a key requires your password. Your selection is kept.",
      reveal: "Revealing a key requires your password.",
      revoke: "Revoking a key requires your password.",
    },
    signInAgain: "Sign in again",
    noPassword:
      "You signed in more than five minutes ago, and your account has no password. Sign in again from your marketplace and repeat the action, or set a password under Settings, Security within five minutes of signing in.",
    submit: {
      create: "Create key",
      rotate: "Rotate key",
      reveal: "Reveal key",
      revoke: "Revoke key",
    },
  },
  actions: {
    rename: "Rename",
    rotate: "Rotate",
    revoke: "Revoke",
    id: "Key ID",
    copyId: "Copy key ID",
  },
  rotate: {
    title: (name: string) => `Rotate “${name}”`,
    why: "You get a new key with the same permissions and expiry date. The old key stays valid for the overlap period, so you can deploy the new one first.",
    overlap: "Overlap period",
    keyLimit:
      "You have too many valid keys for an overlap period. Choose none, or revoke unused keys first.",
    overlaps: {
      "0": "None: the old key expires immediately",
      "1h": "1 hour",
      "1d": "1 day",
      "7d": "7 days",
    },
    untilExpiry: "Until it expires",
    usage: (n: number) =>
      n === 0
        ? "No requests in the last 7 days."
        : `${count(n, "request", "requests")} in the last 7 days.`,
  },
  revoke: {
    title: (name: string) => `Revoke “${name}”?`,
    why: (n: number) =>
      n === 0
        ? "This key was not used in the last 7 days. You cannot undo this."
        : `All requests with this key are rejected immediately: ${count(n, "request", "requests")} in the last 7 days. You cannot undo this.`,
  },
}

const tr: typeof en = {
  title: "API Erişimi",
  search: "Ad, son dört karakter veya anahtarın tamamı",
  searchAll: "Ad, kimlik veya anahtarın tamamı",
  everyKind: "Bütün türler",
  states: {
    live: "Geçerli anahtarlar",
    inactive: "Devre dışı anahtarlar",
    all: "Bütün anahtarlar",
  },
  stillUsed: (n) => `${formatNumber(n)} devre dışı anahtar hâlâ istek gönderiyor.`,
  create: "Yeni anahtar oluştur",
  none: "Geçerli anahtarınız yok. İstek göndermek için bir anahtar oluşturun.",
  reveal: "Göster",
  hide: "Gizle",
  kinds: {
    sk: "Gizli anahtar",
    vk: "Doğrulama anahtarı",
    tk: "Test anahtarı",
    imported: "Aktarılan anahtar",
  },
  shortKinds: { sk: "Gizli", vk: "Doğrulama", tk: "Test", imported: "Aktarılan" },
  about: {
    sk: "Bu anahtar hesap ve ürün bilgilerinizi okur, satın almaları doğrular ve site bırakır. Sunucunuzda tutun.",
    imported:
      "Bu anahtar hesap ve ürün bilgilerinizi okur, satın almaları doğrular ve site bırakır. Pazaryerinizin önceki API'sinden aktarıldı.",
    tk: "Bu anahtarla her istek gönderilebilir; yalnızca test verisi döner.",
    vkAll:
      "Bu anahtar yalnızca satın almaları doğrular ve site bırakır. Ürününüzün içine güvenle koyabilirsiniz.",
    vkSome: (n) =>
      `Bu anahtar yalnızca ${formatNumber(n)} ürünün satın almalarını doğrular ve site bırakır. Ürününüzün içine güvenle koyabilirsiniz.`,
    vkSite: "Site bilgisi olmayan doğrulamalar reddedilir.",
  },
  state: {
    active: "Etkin",
    ending: "Yenisiyle değiştirildi",
    revoked: "İptal edildi",
    expired: "Süresi doldu",
  },
  created: "Oluşturulma",
  lastUsed: "Son kullanım",
  lastWeek: "Son 7 gün",
  expires: "Bitiş tarihi",
  allItems: "Bütün ürünler",
  shipped: (ipRanges) =>
    `Bu anahtar bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta ${formatNumber(ipRanges)} IP aralığından kullanıldı. Anahtarı ele geçiren herkes bütün hesabınızı okuyabilir. Ürüne bir doğrulama anahtarı koyun, sonra bu anahtarı iptal edin.`,
  new: {
    kind: "Anahtarı ne için kullanacaksınız?",
    choices: {
      sk: "Kendi sunucum",
      vk: "Sattığım bir ürün",
      tk: "Denemeler",
    },
    nameHint: "Örneğin anahtarın kullanıldığı yer.",
    items: "Hangi ürünleri doğrulayabilsin?",
    all: "Bütün ürünlerim, sonradan eklenenler dahil",
    some: "Yalnızca bunlar:",
    requiresSite: "Site bilgisi olmayan doğrulamaları reddet (site sınırı varsa önerilir)",
    shown: (shown, all) =>
      shown < all
        ? `Ada göre ${formatNumber(all)} üründen ilk ${formatNumber(shown)} tanesi. Diğerlerini arayın; seçtikleriniz korunur.`
        : `${formatNumber(all)} ürün`,
    expiries: {
      never: "Süresiz",
      "30": "30 gün sonra",
      "90": "90 gün sonra",
      "365": "Bir yıl sonra",
    },
    badItems: "Kendi ürünlerinizden en az birini seçin.",
    notYours: (ids) =>
      `${ids.length === 1 ? "Bu ID ile bir ürününüz yok" : "Bu ID'lerle ürünleriniz yok"}: ${shorten(ids)}.`,
    emptyName: "Anahtar için bir ad yazın.",
    longName: (max) => `En çok ${max} karakter kullanın.`,
    tooMany: (max) => `${max} geçerli anahtarınız var. Önce kullanmadığınız birini iptal edin.`,
  },
  newSecret: {
    title: "Yeni anahtarınız",
    copyNow:
      "Ürününüze ya da sunucunuza kopyalayın. Daha sonra bu sayfada yeniden görüntüleyebilirsiniz.",
    done: "Tamam",
    oldUntil: (when) => `Eski anahtar ${when} tarihine kadar geçerli.`,
    oldInactive: "Eski anahtar artık geçerli değil.",
    seeOld: "Eski anahtara git",
  },
  confirm: {
    title: "Parolanızı doğrulayın",
    why: {
      create: "Anahtar oluşturmak için parolanız gerekir. Seçtikleriniz korunur.",
      rotate: "Anahtarı yenilemek için parolanız gerekir. Seçtikleriniz korunur.",
      reveal: "Anahtarı göstermek için parolanız gerekir.",
      revoke: "Anahtarı iptal etmek için parolanız gerekir.",
    },
    signInAgain: "Yeniden giriş yapın",
    noPassword:
      "Giriş yapmanızın üzerinden beş dakikadan fazla geçti ve hesabınızda parola yok. Pazaryerinizden yeniden giriş yapıp işlemi tekrarlayın ya da girişten sonraki beş dakika içinde Ayarlar, Güvenlik sayfasında bir parola belirleyin.",
    submit: {
      create: "Anahtar oluştur",
      rotate: "Anahtarı yenile",
      reveal: "Anahtarı göster",
      revoke: "Anahtarı iptal et",
    },
  },
  actions: {
    rename: "Yeniden adlandır",
    rotate: "Yenile",
    revoke: "İptal et",
    id: "Anahtar ID'si",
    copyId: "Anahtar kimliğini kopyala",
  },
  rotate: {
    title: (name) => `“${name}” anahtarını yenile`,
    why: "Yetkileri ve bitiş tarihi aynı olan yeni bir anahtar alırsınız. Eski anahtar geçiş süresi boyunca geçerli kalır; önce yenisini devreye alabilirsiniz.",
    overlap: "Geçiş süresi",
    keyLimit:
      "Geçiş süresi için çok fazla geçerli anahtarınız var. Geçiş süresi seçmeyin ya da önce kullanmadığınız anahtarları iptal edin.",
    overlaps: {
      "0": "Yok: eski anahtarın süresi hemen dolar",
      "1h": "1 saat",
      "1d": "1 gün",
      "7d": "7 gün",
    },
    untilExpiry: "Süresi dolana kadar",
    usage: (n) => (n === 0 ? "Son 7 günde istek yok." : `Son 7 günde ${formatNumber(n)} istek.`),
  },
  revoke: {
    title: (name) => `“${name}” iptal edilsin mi?`,
    why: (n) =>
      n === 0
        ? "Bu anahtar son 7 günde kullanılmadı. Bu işlem geri alınamaz."
        : `Bu anahtarla gönderilen bütün istekler hemen reddedilir: son 7 günde ${formatNumber(n)} istek. Bu işlem geri alınamaz.`,
  },
}

export const keys = { en, tr }
