import { ipRangesMax } from "../../../domain/usage/usage.ts"
import type { PageTexts } from "./en.ts"
import { formatNumber, shorten } from "./plurals.ts"

export const keys: PageTexts["keys"] = {
  title: "API Erişimi",
  intro:
    "Kodunuz her istekte bir anahtar gönderir. Gizli anahtarları sunucunuzda tutun, ürüne koymayın.",
  create: "Yeni anahtar oluştur",
  none: "Geçerli anahtarınız yok. İstek göndermek için bir anahtar oluşturun.",
  reveal: "Göster",
  hide: "Gizle",
  inactive: (n) => `Devre dışı anahtarlar (${formatNumber(n)})`,
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
    renamed: "Anahtarın adı değiştirildi.",
    revoked: "Anahtar iptal edildi. Bu anahtarla gönderilen istekler artık reddediliyor.",
    id: "Anahtar ID'si",
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

export const keyPages: PageTexts["keyPages"] = {
  find: {
    label: "Bir yerde anahtar mı buldunuz?",
    hint: "Sizin olup olmadığını görmek için yapıştırın. Pazar anahtarı saklamaz.",
    submit: "Sorgula",
    empty: "Önce bir anahtar yapıştırın.",
    none: "Bu anahtar sizin değil. Herkese açık bir yerde bulduysanız pazaryerinize bildirin.",
    publicTest: "Bu, dokümantasyondaki herkese açık test anahtarı. Hiçbir hesaba ait değil.",
    found: (name) => `Bu sizin “${name}” anahtarınız.`,
  },
  table: {
    kind: "Tür",
    use: "İstek (30 gün)",
    menu: (name) => `${name} için işlemler`,
    shipped: "Ürün içinde mi?",
    stillUsed: "Yenisiyle değiştirildi, hâlâ kullanılıyor",
  },
  operations: {
    read_account: "Hesap bilgileri",
    list_items: "Ürün listesi",
    read_item: "Tek ürün",
    validate_purchase: "Satın alma doğrulama",
    release_site: "Site bırakma",
  },
  usage: {
    title: "Bu anahtarı kim kullanıyor?",
    ipRanges: (n) =>
      `Bu hafta ${n < ipRangesMax ? "" : "en az "}${formatNumber(n)} IP aralığından kullanıldı.`,
    ipRangeCount: (n) => `${formatNumber(n)} IP aralığı`,
    noRequests: "Bu hafta istek yok.",
    moreIpRanges: (n) => `${formatNumber(n)} IP aralığı daha göster`,
    none: "Henüz istek yok.",
    byOperation: "İşlemlere göre",
    items: "Doğrulayabildiği ürünler",
    moreItems: (n) => `ve ${formatNumber(n)} ürün daha`,
  },
  inactive: {
    rotated: (when) => `${when} tarihinde yenisiyle değiştirildi.`,
    validUntil: (when) => `${when} tarihine kadar geçerli.`,
    revoked: (when) => `${when} tarihinde iptal edildi. Bu anahtarla gelen istekler reddediliyor.`,
    expired: (when) => `Süresi ${when} tarihinde doldu. Bu anahtarla gelen istekler reddediliyor.`,
    successor: "Yerine geçen anahtar:",
  },
  leak: {
    link: "Anahtar sızdı",
    title: (name) => `“${name}” sızdı mı?`,
    danger: {
      sk: "Bu anahtarı ele geçiren herkes hesabınızı ve ürünlerinizi okuyabilir, satın almaları doğrulayabilir ve site bırakabilir.",
      vk: "Bu anahtarı ele geçiren yalnızca satın almaları doğrulayabilir ve site bırakabilir. Ürünün içinde güvenle dağıtılabilir.",
      tk: "Bu anahtarla yalnızca test verisi döner.",
    },
    impact: (calls, ipRanges) =>
      calls === 0 && ipRanges === 0
        ? "Bu anahtar son 7 günde kullanılmadı."
        : `Bu anahtarla gönderilen istekler hemen reddedilir: son 7 günde ${formatNumber(ipRanges)} IP aralığından ${formatNumber(calls)} istek.`,
    rotate: "Hemen yenile",
    revoke: "Hemen iptal et",
    open: "Anahtarın sayfasını aç",
    inactive: "Bu anahtar devre dışı. Bir şey yapmanız gerekmez.",
  },
  quickStart: {
    title: "Şimdi deneyin",
    intro: "Çalıştırmaya hazır: curl komutunu terminale, diğer örnekleri bir dosyaya yapıştırın.",
    introCode: (placeholder) =>
      `${placeholder} yerine kendi satın alma kodlarınızdan birini yazıp örneği çalıştırın. Test kodları yalnızca test anahtarlarıyla çalışır.`,
    pending: "İlk isteğiniz bekleniyor…",
    again: "Şimdi kontrol et",
    received: (when) => `İlk istek alındı: ${when}.`,
  },
}
