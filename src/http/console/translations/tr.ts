import { number } from "../../pages/translations/counting.ts"
import type { ConsoleWords } from "./en.ts"
import { audit, author, authors } from "./tr-authors.ts"
import { imports } from "./tr-imports.ts"
import { keys, purchases } from "./tr-purchases.ts"
import { status } from "./tr-status.ts"
import { traffic } from "./tr-traffic.ts"

export const tr: ConsoleWords = {
  console: "Yönetim",
  toStatus: "Durum sayfasına git",
  navigation: {
    status: "Durum",
    traffic: "Trafik",
    authors: "Yazarlar",
    purchases: "Satışlar ve ürünler",
    keys: "Anahtarlar",
    imports: "İçe aktarmalar",
    audit: "Denetim kaydı",
    settings: "Ayarlar",
  },
  done: {
    password: "Parola değiştirildi, diğer bütün oturumlar kapatıldı.",
    first_password: "Parolanız belirlendi. Onunla giriş yapın.",
    signed_out: "Bütün oturumlarınız kapatıldı.",
    second_factor_on: "İki adımlı doğrulama açık. Bundan sonra her girişte bir kod istenir.",
    second_factor_off: "İki adımlı doğrulama kapalı.",
    invite: "Davet oluşturuldu.",
    "sign-in-link": "Giriş bağlantısı oluşturuldu.",
    suspend: "Yazar askıya alındı.",
    resume: "Yazarın hesabı yeniden açıldı.",
    revoke: "Anahtar iptal edildi.",
    refund: "Satış iade edildi olarak işaretlendi.",
    "take-back": "İade işareti kaldırıldı.",
  },
  signIn: {
    intro: (site) => `${site} sitesini yönetenler için.`,
    name: "Ad",
    code: "Kod",
    codeHint: "Doğrulama uygulamanızdaki kod veya bir kurtarma kodu. Yoksa boş bırakın.",
    wrong: "Ad, parola veya kod hatalı.",
  },
  invitationGone:
    "Bu bağlantı kullanılmış veya süresi dolmuş. Yenisini “pazar operator password AD --link” ile oluşturun.",
  secondFactor: {
    title: "İki adımlı doğrulama",
    on: "Açık",
    off: "Kapalı",
    offText: "İki adımlı doğrulama açıkken çalınan bir parola tek başına işe yaramaz.",
    setUp: "İki adımlı doğrulamayı kurun",
    required:
      "Burada her yöneticinin iki adımlı doğrulamayı kurması gerekir. Devam etmek için kurun.",
    passwordFirst: "Gizli anahtarı görmek için parolanızı girin.",
    goOn: "Devam et",
    scan: "Bunu doğrulama uygulamanızla tarayın.",
    qrCode: "Aşağıdaki gizli anahtarın QR kodu",
    addSecret: "Ya da bu gizli anahtarı uygulamaya zamana dayalı anahtar olarak yazın:",
    openApp: "Bu cihazdaki bir uygulamada aç",
    code: "Uygulamadaki kod",
    codeHint: "Uygulamanın şu anda gösterdiği altı rakam.",
    turnOn: "Aç",
    wrong: "Bu kod hatalı veya daha önce kullanılmış. Bir sonrakini bekleyin.",
    codesTitle: "Kurtarma kodları",
    codesText:
      "Bu kodları güvenli bir yerde saklayın. Telefonunuzu kaybederseniz her biri uygulamadaki kodun yerine bir kez geçer. Yalnızca şimdi gösterilir.",
    codesKept: "Sakladım",
    codesLeft: (n) => `${number(n)} kurtarma kodu kaldı.`,
    turnOff: "Kapat",
    turnOffHint: "Başka bir telefona geçmek için bir kodla kapatın ve yeniden kurun.",
  },
  status,
  traffic,
  purchases,
  keys,
  imports,
  authors,
  author,
  audit,
  settings: {
    title: "Ayarlar",
    intro:
      "Bu sunucu şu ayarlarla çalışıyor. Ayarlar ortam değişkenleridir; birini değiştirmek için sunucuyu yeniden başlatın. Gizli değerler gösterilmez.",
    name: "Ayar",
    value: "Değer",
    origin: "Kaynak",
    none: "yok",
    origins: { environment: "ortam", file: "dosya", default: "varsayılan" },
    file: (path) => `${path} dosyası`,
  },
}
