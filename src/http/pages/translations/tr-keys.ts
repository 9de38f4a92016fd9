import { ipRangesMax } from "../../../domain/usage/usage.ts"
import type { PageTexts } from "./en.ts"
import { formatNumber, shorten } from "./plurals.ts"

export const keys: PageTexts["keys"] = {
  title: "API Erişimi",
  intro: "Kodunuz API'ye anahtarla bağlanır. Gizli anahtarları sunucunuzda tutun, ürüne koymayın.",
  create: "Yeni anahtar oluştur",
  none: "Çalışan anahtarınız yok. Kodunuz her istekte bir anahtar gönderir.",
  reveal: "Göster",
  hide: "Gizle",
  inactive: (n) => `Artık çalışmayan anahtarlar (${formatNumber(n)})`,
  kinds: {
    sk: "Gizli anahtar",
    vk: "Doğrulama anahtarı",
    tk: "Test anahtarı",
    imported: "Aktarılan anahtar",
  },
  shortKinds: { sk: "Gizli", vk: "Doğrulama", tk: "Test", imported: "Aktarılan" },
  about: {
    sk: "Hesap ve ürün bilgilerinizi okuyabilir, satın alma kodlarını doğrulayabilir ve sitelerini bırakabilir. Sunucunuzda tutun: ele geçiren herkes aynısını yapabilir.",
    imported:
      "Hesap ve ürün bilgilerinizi okuyabilir, satın alma kodlarını doğrulayabilir ve sitelerini bırakabilir. Pazaryerinizin önceki API'sinden aktarıldı.",
    tk: "Tüm API işlemlerini yapabilir, yalnızca örnek verileri görür. Entegrasyonunuzu denemek için.",
    vkAll:
      "Bu anahtar yalnızca satın almaları doğrular ve sitelerini bırakır. Sattığınız ürünün içine koyabilirsiniz.",
    vkSome: (n) =>
      `Bu anahtar yalnızca ${formatNumber(n)} ürünün satın almalarını doğrular ve sitelerini bırakır. Sattığınız ürünün içine koyabilirsiniz.`,
    vkSite: "Site bilgisi olmayan doğrulamalar reddedilir.",
  },
  state: {
    active: "Etkin",
    ending: "Yenisiyle değiştirildi",
    revoked: "İptal edildi",
    expired: "Süresi doldu",
    stopped: "Durduruldu",
  },
  created: "Oluşturulma",
  lastUsed: "Son kullanım",
  lastWeek: "Son 7 gün",
  expires: "Bitiş tarihi",
  allItems: "Bütün ürünler",
  shipped: (ipRanges) =>
    `Bu anahtar bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta ${formatNumber(ipRanges)} ağdan kullanıldı. Onu ele geçiren herkes bütün hesabınızı okuyabilir. Ürüne bir doğrulama anahtarı koyun, sonra bu anahtarı iptal edin.`,
  new: {
    kind: "Anahtarı ne için kullanacaksınız?",
    choices: {
      sk: "Kendi sunucum",
      vk: "Sattığım bir ürün",
      tk: "Denemeler",
    },
    nameHint: "Anahtarlarınızı ayırt etmek için. Örneğin kullanıldığı yer.",
    items: "Hangi ürünleri doğrulayabilsin?",
    all: "Bütün ürünlerim, sonradan eklenenler dahil",
    some: "Yalnızca bunlar:",
    requiresSite: "Site bilgisi olmayan doğrulamaları reddet (site sınırı varsa önerilir)",
    shown: (shown, all) =>
      shown < all
        ? `Ada göre ${formatNumber(all)} üründen ilk ${formatNumber(shown)} tanesi. Diğerlerini arayın; işaretledikleriniz korunur.`
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
    tooMany: (max) => `Çalışan ${max} anahtarınız var. Önce kullanmadığınız birini iptal edin.`,
  },
  newSecret: {
    title: "Yeni anahtarınız",
    copyNow: "Şimdi kopyalayın. Bu sayfadan ayrıldıktan sonra yeniden gösterebilirsiniz.",
    done: "Tamam",
    oldUntil: (when) => `Eski anahtar ${when} tarihine kadar geçerli.`,
    oldInactive: "Eski anahtar artık geçerli değil.",
    seeOld: "Eski anahtara git",
  },
  confirm: {
    title: "Parolanızı doğrulayın",
    why: {
      create: "Anahtar oluşturmak için parolanız gerekir. Seçtikleriniz korunur.",
      replace: "Bir anahtarı değiştirmek için parolanız gerekir. Seçtikleriniz korunur.",
      reveal: "Bir anahtarı yeniden göstermek için parolanız gerekir.",
      revoke: "Bir anahtarı iptal etmek için parolanız gerekir.",
    },
    signInAgain: "Yeniden giriş yapın",
    noPassword:
      "Giriş yapmanızın üzerinden beş dakikadan fazla geçti ve hesabınızda doğrulanacak bir parola yok. Pazaryerinizden yeniden giriş yapın, sonra işlemi tekrarlayın. Ya da giriş yaptıktan sonraki beş dakika içinde Ayarlar, Güvenlik sayfasında bir parola belirleyin.",
    submit: {
      create: "Anahtar oluştur",
      replace: "Anahtarı değiştir",
      reveal: "Anahtarı göster",
      revoke: "Anahtarı iptal et",
    },
  },
  actions: {
    rename: "Yeniden adlandır",
    replace: "Değiştir",
    revoke: "İptal et",
    renamed: "Anahtarın adı değiştirildi.",
    revoked: "Anahtar iptal edildi. Bu anahtarla yapılan istekler artık reddediliyor.",
    id: "Anahtar ID'si",
  },
  rotate: {
    title: (name) => `“${name}” anahtarını yenisiyle değiştir`,
    why: "Yetkileri ve bitiş tarihi aynı olan yeni bir anahtar alırsınız. Yenisini yerine koyarken hiçbir şey aksamasın diye eskisi bir süre daha geçerli kalabilir.",
    overlap: "Eski anahtar ne kadar daha geçerli olsun?",
    keyLimit:
      "Anahtar sınırınız dolu; ikisi birlikte geçerli kalamaz. Eskisini hemen geçersiz kılın ya da önce kullanmadığınız anahtarları iptal edin.",
    overlaps: { "0": "Hemen geçersiz olsun", "1h": "1 saat", "1d": "1 gün", "7d": "7 gün" },
    untilExpiry: "Süresi dolana kadar",
    usage: (n) =>
      n === 0 ? "Son 7 günde hiç kullanılmadı." : `Son 7 günde ${formatNumber(n)} istek aldı.`,
  },
  revoke: {
    title: (name) => `“${name}” iptal edilsin mi?`,
    why: (n) =>
      n === 0
        ? "Son 7 günde bu anahtarı kullanan olmadı. İptal geri alınamaz."
        : `Bu anahtarı kullanan her şey hemen çalışmaz olur: son 7 günde ${formatNumber(n)} istek aldı. Bu işlem geri alınamaz.`,
  },
}

export const keyPages: PageTexts["keyPages"] = {
  find: {
    label: "Bir yerde anahtar mı buldunuz?",
    hint: "Sizin olup olmadığını görmek için yapıştırın. Saklanmaz.",
    submit: "Sorgula",
    empty: "Önce bir anahtar yapıştırın.",
    none: "Bu anahtar sizin değil. Başka bir hesabın olabilir: herkese açık bir yerde bulduysanız pazaryerinize bildirin.",
    publicTest: "Bu, dokümantasyondaki test anahtarı. Kimseye ait değil.",
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
      `Bu hafta ${n < ipRangesMax ? "" : "en az "}${formatNumber(n)} ağdan kullanıldı.`,
    ipRangeCount: (n) => `${formatNumber(n)} ağ`,
    noRequests: "Bu hafta istek yok.",
    moreIpRanges: (n) => `${formatNumber(n)} ağ daha göster`,
    none: "Henüz istek yok.",
    byOperation: "İşlemlere göre",
    operation: "İşlem",
    items: "Doğrulayabildiği ürünler",
    moreItems: (n) => `ve ${formatNumber(n)} ürün daha`,
  },
  inactive: {
    replaced: (when) => `${when} tarihinde yenisiyle değiştirildi.`,
    worksUntil: (when) => `${when} tarihine kadar geçerli.`,
    stopped: (when) => `${when} tarihinde geçersiz oldu.`,
    revoked: (when) => `${when} tarihinde iptal edildi. Bu anahtarla gelen istekler reddediliyor.`,
    expired: (when) => `Süresi ${when} tarihinde doldu. Bu anahtarla gelen istekler reddediliyor.`,
    successor: "Yerine geçen anahtar:",
  },
  leak: {
    link: "Anahtar sızdı",
    title: (name) => `“${name}” sızdı mı?`,
    danger: {
      sk: "Bu anahtarı ele geçiren herkes hesabınızı ve ürünlerinizi okuyabilir, satın alma kodlarını doğrulayabilir ve sitelerini bırakabilir.",
      vk: "Bu anahtarı ele geçiren yalnızca satın alma kodlarını doğrulayabilir ve sitelerini bırakabilir. Zaten ürünlerin içinde dağıtılmak için yapılmıştır.",
      tk: "Bu anahtarı ele geçiren yalnızca örnek verileri görür.",
    },
    breaks: (calls, ipRanges) =>
      calls === 0 && ipRanges === 0
        ? "Son 7 günde bu anahtarı kullanan olmadı."
        : `Geçersiz kılarsanız, bu anahtarı kullanan her şey yeni anahtarı alana kadar çalışmaz: son 7 günde ${formatNumber(ipRanges)} ağdan ${formatNumber(calls)} istek geldi.`,
    replace: "Hemen geçersiz kıl, yenisini al",
    revoke: "Hemen geçersiz kıl",
    open: "Anahtarın sayfasını aç",
    over: "Bu anahtar artık geçerli değil. Yapmanız gereken bir şey yok.",
  },
  quickStart: {
    title: "Şimdi deneyin",
    intro: "Çalıştırılmaya hazır. curl komutunu terminale, diğerlerini bir dosyaya yapıştırın.",
    introCode: (placeholder) =>
      `${placeholder} yerine kendi satın alma kodlarınızdan birini yazıp isteği çalıştırın. Test kodları yalnızca test anahtarlarıyla çalışır.`,
    pending: "İlk isteğiniz bekleniyor…",
    again: "Şimdi kontrol et",
    received: (when) => `İlk istek alındı: ${when}.`,
  },
}
