import { number } from "./counting.ts"
import type { Words } from "./en.ts"

export const keyPages: Words["keyPages"] = {
  find: {
    label: "Bir yerde anahtar mı buldunuz?",
    hint: "Kimin olduğunu görmek için yapıştırın. Saklanmaz.",
    submit: "Sorgula",
    blank: "Önce bir anahtar yapıştırın.",
    none: "Bu anahtar sizin değil. Başka bir hesabın olabilir: herkese açık bir yerde bulduysanız pazaryerinize bildirin.",
    found: (name) => `Bu sizin “${name}” anahtarınız.`,
  },
  table: {
    name: "Ad",
    kind: "Tür",
    key: "Anahtar",
    use: "İstek, 30 gün",
    menu: (name) => `${name} için işlemler`,
    shipped: "Ürün içinde mi?",
    stillUsed: "Yenisiyle değiştirildi, hâlâ kullanılıyor",
  },
  operations: {
    read_account: "Hesap bilgileri",
    list_items: "Ürün listesi",
    read_item: "Tek ürün",
    validate_purchase: "Satın alma doğrulama",
  },
  use: {
    title: "Bu anahtarı kim kullanıyor?",
    networks: (n, listed) =>
      `Bu hafta ${number(n)} ağdan kullanıldı.${listed < n ? ` En son kullanılan ${number(listed)} ağ listeleniyor.` : ""}`,
    networkCount: (n) => `${number(n)} ağ`,
    quiet: "Bu hafta istek yok.",
    network: "Ağ",
    networkCalls: "İstek",
    about: (n) => `yaklaşık ${number(n)}`,
    uncounted: "sayılmadı",
    operations: "İşlemler",
    lastCall: "Son istek",
    moreNetworks: (n) => `${number(n)} ağ daha göster`,
    calls: "Son 30 günün istekleri",
    none: "Son 30 günde istek yok.",
    byOperation: "İşlemlere göre",
    operation: "İşlem",
    itemCalls: "Ürünlere göre başarılı doğrulamalar, son 30 gün",
    item: "Ürün",
    checks: "Başarılı doğrulama",
    otherItems: "Diğer ürünler",
    items: "Doğrulayabildiği ürünler",
    moreItems: (n) => `ve ${number(n)} ürün daha`,
  },
  ended: {
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
      sk: "Bu anahtarı ele geçiren herkes hesabınızı ve ürünlerinizi okuyabilir, satın alma kodlarını sorgulayabilir.",
      vk: "Bu anahtarı ele geçiren yalnızca satın alma kodlarını sorgulayabilir. Zaten ürünlerin içinde dağıtılmak için yapılmıştır.",
      tk: "Bu anahtarı ele geçiren yalnızca örnek verileri görür.",
    },
    breaks: (calls, networks) =>
      calls === 0
        ? "Son 24 saatte bu anahtarı kullanan olmadı; bir şeyin aksaması beklenmez."
        : `Geçersiz kılarsanız, bu anahtarı kullanan her şey yeni anahtarı alana kadar çalışmaz: son 24 saatte ${number(calls)} istek geldi, bu hafta ${number(networks)} ağdan kullanıldı.`,
    replace: "Hemen geçersiz kıl, yenisini al",
    revoke: "Hemen geçersiz kıl",
    open: "Anahtarın sayfasını aç",
    over: "Bu anahtar artık geçerli değil. Yapmanız gereken bir şey yok.",
  },
  start: {
    title: "Şimdi deneyin",
    intro: "Çalıştırılmaya hazır. curl komutunu terminale, diğerlerini bir dosyaya yapıştırın.",
    introCode: (placeholder) =>
      `${placeholder} yerine kendi satın alma kodlarınızdan birini yazıp isteği çalıştırın. Test kodları yalnızca test anahtarlarıyla çalışır.`,
    waiting: "İlk isteğiniz bekleniyor…",
    again: "Şimdi kontrol et",
    received: (when) => `İlk istek alındı: ${when}.`,
  },
}
