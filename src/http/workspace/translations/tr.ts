import { number } from "./counting.ts"
import type { Words } from "./en.ts"
import { check } from "./tr-check.ts"
import { docs } from "./tr-docs.ts"
import { items } from "./tr-items.ts"
import { keyPages } from "./tr-key-pages.ts"
import { keys } from "./tr-keys.ts"

export const tr: Words = {
  language: "Türkçe",
  tagline: "Pazaryerinizin yazar API'si",
  skip: "İçeriğe geç",
  navigation: {
    label: "Çalışma alanı",
    overview: "Genel bakış",
    items: "Ürünler",
    check: "Kod denetle",
    keys: "API anahtarları",
    settings: "Ayarlar",
    docs: "Dokümantasyon",
    signOut: "Çıkış yap",
  },
  never: "hiç",
  yes: "Evet",
  no: "Hayır",
  copy: "Kopyala",
  copied: "Kopyalandı",
  save: "Kaydet",
  cancel: "Vazgeç",
  calls: (n) => `${number(n)} istek`,
  landing: {
    title: "Pazar",
    heading: "Pazaryeriniz, kendi kodunuzdan",
    first:
      "Pazar ile yazarlar hesaplarını ve ürünlerini okur, alıcının satın alma kodunu kod yazdıkları her yerden denetler.",
    second: "API anahtarınızı almak için oturum açın; dört istek dokümantasyonda anlatılıyor.",
    signIn: "Oturum aç",
    open: "Çalışma alanınızı açın",
    docs: "Dokümantasyonu oku",
  },
  signIn: {
    title: "Oturum aç",
    name: "Kullanıcı adı veya e-posta",
    password: "Parola",
    show: "Parolayı göster",
    submit: "Oturum aç",
    wrong: "Bu ad ile parola birbirini tutmuyor. İkisini de denetleyip yeniden deneyin.",
    slow: (minutes) =>
      `Çok fazla deneme yapıldı. ${number(minutes)} dakika bekleyip yeniden deneyin.`,
    help: "Parolanız yok mu ya da unuttunuz mu? Pazaryerinizden bir davet bağlantısı isteyin.",
  },
  invitation: {
    title: "Parola belirleyin",
    hello: (name) => `Hoş geldiniz, ${name}. Oturum açarken kullanacağınız parolayı belirleyin.`,
    password: "Yeni parola",
    repeat: "Yeni parola, bir kez daha",
    submit: "Kaydet ve oturum aç",
    gone: "Bu bağlantı kullanılmış ya da süresi dolmuş. Pazaryerinizden yenisini isteyin.",
  },
  passwordProblems: {
    tooShort: (min) => `En az ${min} karakter kullanın.`,
    tooLong: (max) => `En çok ${max} karakter kullanın.`,
    common:
      "Bu parola ilk denenenler arasında. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    ownName:
      "Kullanıcı adınız ve e-posta adresiniz kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    different: "İki parola aynı değil.",
    wrong: "Parolanız bu değil.",
    hint: (min) => `En az ${min} karakter. Birbiriyle ilgisiz birkaç sözcük kolay akılda kalır.`,
  },
  overview: {
    title: "Genel bakış",
    calls: "Son 30 günün istekleri",
    noCalls: "Henüz istek yok. Bir anahtar oluşturup ilk isteği yapın.",
    chart: (total, ok) =>
      `Son 30 günde ${number(total)} istek; ${number(ok)} tanesi veriyle yanıtlandı.`,
    ok: "yanıtlandı",
    refused: "reddedildi",
    failed: "yanıtlanamadı",
    day: "Gün",
    asTable: "Tablo olarak göster",
    noTestKeys: "Test anahtarlarıyla yapılan istekler burada sayılmaz.",
    attention: "İlgilenmeniz gerekenler",
    nothing: "İlgilenmeniz gereken bir şey yok.",
    noKeys: "Henüz bir API anahtarınız yok.",
    createKey: "Anahtar oluştur",
    shipped: (name) =>
      `“${name}” bir ürünün içinde dağıtılmış görünüyor: bu hafta pek çok ağdan kullanıldı.`,
    makeValidation: "Bunun yerine doğrulama anahtarı oluştur",
    expires: (name, when) => `“${name}” anahtarının süresi ${when} tarihinde doluyor.`,
    stillUsed: (name, n) =>
      `“${name}” değiştirildi, ama son 24 saatte hâlâ ${number(n)} istek aldı.`,
    seeKey: "Anahtara git",
    account: "Hesabınız",
    balance: "Bakiye",
    registered: "Üyelik başlangıcı",
    items: "Ürünler",
    itemCount: (visible, hidden) =>
      hidden === 0
        ? `${number(visible)} görünür`
        : `${number(visible)} görünür, ${number(hidden)} gizli`,
    keys: "API anahtarları",
    keyCount: (n) => `${number(n)} etkin anahtar`,
    asJson: "API'nin döndürdüğü",
  },
  items,
  check,
  settings: {
    title: "Ayarlar",
    tabs: {
      keys: "API Erişimi",
      profile: "Profil",
      security: "Güvenlik",
      language: "Dil",
      activity: "Etkinlik",
    },
  },
  keys,
  keyPages,
  profile: {
    title: "Profil",
    intro:
      "API'nin sizin hakkınızda döndürdükleri. Bu bilgileri pazaryeriniz tutar; orada değiştirebilirsiniz.",
    name: "Ad",
    username: "Kullanıcı adı",
    email: "E-posta",
    balance: "Bakiye",
    heading: "Başlık",
    description: "Açıklama",
    contact: "İletişim",
    links: "Bağlantılar",
    noLinks: "Yok",
    registered: "Üyelik başlangıcı",
  },
  security: {
    title: "Güvenlik",
    password: "Parolayı değiştir",
    current: "Şimdiki parola",
    submit: "Parolayı değiştir",
    changed: "Parolanız değiştirildi ve diğer bütün oturumlar kapatıldı.",
    ends: "Parola değişince diğer bütün oturumlarınız kapanır.",
    sessions: "Açık oturumlarınız",
    thisOne: "Bu tarayıcı",
    seen: "Son görülme",
    network: "Ağ",
    signOut: "Kapat",
    signOutAll: "Her yerde oturumu kapat",
    unknownDevice: "Bilinmeyen tarayıcı",
  },
  languagePage: {
    title: "Dil",
    label: "Bu sayfaların dili",
    note: "API'nin hangi dilde yanıt vereceğini her istek kendisi belirler.",
    saved: "Dil değiştirildi.",
  },
  activity: {
    title: "Etkinlik",
    intro: "Anahtarlarınızın başından geçenler, en yeniden eskiye.",
    none: "Anahtarlarınızla ilgili henüz bir işlem yapılmadı.",
    when: "Zaman",
    what: "İşlem",
    key: "Anahtar",
    from: "Nereden",
    operator: "pazaryeriniz",
    actions: {
      created: "Oluşturuldu",
      revealed: "Gösterildi",
      renamed: "Adı değişti",
      replaced: "Değiştirildi",
      revoked: "İptal edildi",
    },
  },
  docs,
  errors: {
    403: {
      title: "İzin verilmedi",
      text: "Bu form bu sayfalardan gönderilmedi ya da çok uzun süre açık kaldı. Geri dönün, sayfayı yenileyip yeniden deneyin.",
    },
    404: {
      title: "Bulunamadı",
      text: "Bu adreste bir şey yok. Taşınmış olabilir ya da hiç olmamış.",
    },
    405: { title: "Olmaz", text: "Bu adres bu tür istekleri kabul etmiyor." },
    413: {
      title: "Çok büyük",
      text: "Bu, sayfanın alabileceğinden fazla. Kısaltıp yeniden deneyin.",
    },
    500: {
      title: "Bir şeyler bozuldu",
      text: "Hata sizde değil, bizde. Birazdan yeniden deneyin.",
    },
    503: { title: "Meşgul", text: "Hizmet şu anda yanıt veremiyor. Birazdan yeniden deneyin." },
    home: "Başlangıç sayfasına git",
    overview: "Genel bakışa git",
  },
}
