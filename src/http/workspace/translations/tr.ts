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
    check: "Kod sorgula",
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
    heading: "Satın alma kodlarını kendi kodunuzdan doğrulayın",
    first:
      "Pazar ile hesap ve ürün bilgilerinizi alır, alıcının satın alma kodunu kod yazdığınız her yerden doğrularsınız.",
    second: "API anahtarınızı almak için giriş yapın; dört istek dokümantasyonda anlatılıyor.",
    signIn: "Giriş yap",
    open: "Çalışma alanınızı açın",
    docs: "Dokümantasyonu oku",
  },
  signIn: {
    title: "Giriş yap",
    name: "Kullanıcı adı veya e-posta",
    password: "Parola",
    show: "Parolayı göster",
    submit: "Giriş yap",
    wrong: "Kullanıcı adı veya parola hatalı.",
    slow: (minutes) =>
      `Çok fazla deneme yapıldı. ${number(minutes)} dakika bekleyip yeniden deneyin.`,
    help: "Parolanız yok mu, yoksa unuttunuz mu? Pazaryerinizden bir davet bağlantısı isteyin.",
  },
  invitation: {
    title: "Parola belirleyin",
    hello: (name) => `Hoş geldiniz, ${name}. Giriş yaparken kullanacağınız parolayı belirleyin.`,
    password: "Yeni parola",
    repeat: "Yeni parola (tekrar)",
    submit: "Kaydet ve giriş yap",
    gone: "Bu bağlantı kullanılmış veya süresi dolmuş. Pazaryerinizden yenisini isteyin.",
  },
  passwordProblems: {
    tooShort: (min) => `En az ${min} karakter kullanın.`,
    tooLong: (max) => `En çok ${max} karakter kullanın.`,
    common:
      "Bu parola kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    ownName:
      "Kullanıcı adınız ve e-posta adresiniz kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    different: "Parolalar eşleşmiyor.",
    wrong: "Parola hatalı.",
    hint: (min) => `En az ${min} karakter. Birbiriyle ilgisiz birkaç sözcük kolay akılda kalır.`,
  },
  overview: {
    title: "Genel bakış",
    calls: "Son 30 günün istekleri",
    noCalls: "Henüz istek yok. Bir anahtar oluşturup ilk isteği gönderin.",
    chart: (total, ok) =>
      `Son 30 günde ${number(total)} istek; ${number(ok)} tanesi başarılı.`,
    ok: "Başarılı",
    refused: "Reddedilen",
    failed: "Hata",
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
      activity: "İşlem geçmişi",
    },
  },
  keys,
  keyPages,
  profile: {
    title: "Profil",
    intro:
      "API'nin hakkınızda döndürdüğü bilgiler. Pazaryerinizden değiştirebilirsiniz.",
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
    current: "Mevcut parola",
    submit: "Parolayı değiştir",
    changed: "Parolanız değiştirildi, diğer bütün oturumlarınız kapatıldı.",
    ends: "Parola değişince diğer bütün oturumlarınız kapanır.",
    sessions: "Açık oturumlarınız",
    thisOne: "Bu tarayıcı",
    seen: "Son görülme",
    network: "Ağ",
    signOut: "Oturumu kapat",
    signOutAll: "Her yerden çıkış yap",
    unknownDevice: "Bilinmeyen tarayıcı",
  },
  languagePage: {
    title: "Dil",
    label: "Bu sayfaların dili",
    note: "API, her isteğe o istekte belirtilen dilde yanıt verir.",
    saved: "Dil değiştirildi.",
  },
  activity: {
    title: "İşlem geçmişi",
    intro: "Anahtarlarınızla ilgili son işlemler, en yeniden eskiye.",
    none: "Anahtarlarınızla ilgili henüz bir işlem yapılmadı.",
    when: "Zaman",
    what: "İşlem",
    key: "Anahtar",
    from: "Ağ",
    operator: "pazaryeriniz",
    actions: {
      created: "Oluşturuldu",
      revealed: "Gösterildi",
      renamed: "Yeniden adlandırıldı",
      replaced: "Değiştirildi",
      revoked: "İptal edildi",
    },
  },
  docs,
  errors: {
    403: {
      title: "İzin verilmedi",
      text: "Form bu siteden gönderilmedi ya da çok uzun süre açık kaldı. Geri dönüp sayfayı yenileyin ve tekrar deneyin.",
    },
    404: {
      title: "Bulunamadı",
      text: "Bu adreste bir sayfa yok. Adresi kontrol edin ya da aşağıdaki bağlantıdan başlayın.",
    },
    405: { title: "Bu istek desteklenmiyor", text: "Bu adres bu tür istekleri kabul etmez. Geri dönüp yeniden deneyin." },
    413: {
      title: "Çok büyük",
      text: "Gönderdiğiniz veri bu sayfa için çok büyük. Kısaltıp yeniden deneyin.",
    },
    500: {
      title: "Bir hata oluştu",
      text: "Sorun bizden kaynaklanıyor. Birazdan yeniden deneyin.",
    },
    503: { title: "Şu anda kullanılamıyor", text: "Hizmet şu anda yanıt veremiyor. Birazdan yeniden deneyin." },
    home: "Ana sayfaya git",
    overview: "Genel bakışa git",
  },
}
