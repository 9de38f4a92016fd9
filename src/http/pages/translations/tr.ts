import { number } from "./counting.ts"
import type { Words } from "./en.ts"
import { check } from "./tr-check.ts"
import { docs } from "./tr-docs.ts"
import { items } from "./tr-items.ts"
import { keyPages } from "./tr-key-pages.ts"
import { keys } from "./tr-keys.ts"
import { landing } from "./tr-landing.ts"
import { overview } from "./tr-overview.ts"

export const tr: Words = {
  language: "Türkçe",
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
    menu: "Menü",
  },
  never: "Henüz yok",
  yes: "Evet",
  no: "Hayır",
  copy: "Kopyala",
  copied: "Kopyalandı",
  save: "Kaydet",
  cancel: "Vazgeç",
  support: "Yardım iste",
  calls: (n) => `${number(n)} istek`,
  landing,
  signIn: {
    title: "Giriş yap",
    name: "Kullanıcı adı veya e-posta",
    password: "Parola",
    passwordAgain: "Son girişinizin üzerinden beş dakikadan fazla geçtiği için gerekli.",
    show: "Parolayı göster",
    submit: "Giriş yap",
    noName: "Kullanıcı adınızı veya e-postanızı yazın.",
    noPassword: "Parolanızı yazın.",
    wrong: "Kullanıcı adı veya parola hatalı.",
    slow: (minutes) =>
      `Çok fazla deneme yapıldı. ${number(minutes)} dakika bekleyip yeniden deneyin.`,
    help: "Parolanız yok mu ya da unuttunuz mu? Pazaryeriniz size bir davet bağlantısı gönderebilir.",
    through: (site) => `${site} ile giriş yap`,
    or: "Veya parolanızla giriş yapın:",
    helpThrough: (site) => `Parolanız yok mu ya da unuttunuz mu? ${site} ile giriş yapın.`,
  },
  invitation: {
    title: "Parola belirleyin",
    hello: (name) => `Hoş geldiniz, ${name}. Giriş yaparken kullanacağınız parolayı belirleyin.`,
    password: "Yeni parola",
    repeat: "Yeni parola (tekrar)",
    submit: "Kaydet ve giriş yap",
    goneTitle: "Bu bağlantı artık çalışmıyor",
    gone: "Daha önce kullanılmış veya süresi dolmuş. Pazaryerinizden yenisini isteyin.",
  },
  link: {
    replaces: (name) =>
      `Bu tarayıcıda ${name} olarak giriş yapılmış. Devam ederseniz o yazarın oturumu kapanır.`,
    hello: (name, site) => `${site}: ${name} olarak giriş yapıyorsunuz.`,
    submit: "Devam et",
  },
  suspended: {
    title: "Hesap askıya alındı",
    text: "Pazaryeriniz bu hesabı askıya aldı. Hesap yeniden açılana kadar giriş yapamazsınız ve API anahtarlarınız çalışmaz. Hiçbir veri silinmedi.",
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
  overview,
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
    intro: "API'nin hakkınızda döndürdüğü bilgiler. Pazaryerinizden değiştirebilirsiniz.",
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
    browser: "Tarayıcı",
    since: "Giriş",
    thisOne: "Bu tarayıcı",
    seen: "Son görülme",
    network: "Ağ",
    setPassword: "Parola belirleyin",
    setHint: "Parolanız olursa buradan doğrudan da giriş yapabilirsiniz.",
    noPassword:
      "Hesabınızda parola yok. Parola belirlemek için pazaryerinizden yeniden giriş yapın ve beş dakika içinde bu sayfaya dönün.",
    signOut: "Oturumu kapat",
    signOutAll: "Her yerden çıkış yap",
    signOutAllHint:
      "Bu oturum dahil, listedeki bütün oturumları kapatır. Sonra yeniden giriş yapmanız gerekir.",
    signedOutAll: "Bütün oturumlarınız kapatıldı.",
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
    from: "Nereden",
    operator: "pazaryeriniz",
    actions: {
      created: "Oluşturuldu",
      revealed: "Gösterildi",
      renamed: "Yeniden adlandırıldı",
      replaced: "Yenisiyle değiştirildi",
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
      text: "Bu adreste bir şey yok ya da size ait değil. Adresi kontrol edin ya da buradan devam edin:",
    },
    405: {
      title: "Bu istek desteklenmiyor",
      text: "Bu adres bu tür istekleri kabul etmez. Geri dönüp yeniden deneyin.",
    },
    413: {
      title: "Çok büyük",
      text: "Gönderdiğiniz veri bu sayfa için çok büyük. Kısaltıp yeniden deneyin.",
    },
    421: {
      title: "Yanlış adres",
      text: "Bu sayfaların adresi başka. Sayfaları size verilen bağlantıdan açın.",
    },
    500: {
      title: "Bir hata oluştu",
      text: "Sorun bizden kaynaklanıyor. Birazdan yeniden deneyin.",
    },
    503: {
      title: "Şu anda kullanılamıyor",
      text: "Hizmet şu anda yanıt veremiyor. Birazdan yeniden deneyin.",
    },
    home: "Ana sayfaya git",
    overview: "Genel bakışa git",
  },
}
