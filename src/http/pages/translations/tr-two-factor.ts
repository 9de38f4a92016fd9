import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

export const twoFactor: PageTexts["secondFactor"] = {
  title: "İki adımlı doğrulama",
  enabled: "Açık",
  disabled: "Kapalı",
  disabledHint: "İki adımlı doğrulama açıkken çalınan bir parola tek başına işe yaramaz.",
  setUp: "İki adımlı doğrulamayı kur",
  required:
    "Burada her yöneticinin iki adımlı doğrulamayı kurması gerekir. Devam etmek için kurun.",
  passwordFirst: "Kurulum anahtarını görmek için parolanızı girin.",
  continueLabel: "Devam et",
  scan: "Bunu doğrulama uygulamanızla tarayın.",
  qrCode: "Aşağıdaki kurulum anahtarının QR kodu",
  addSecret: "Ya da bu kurulum anahtarını uygulamaya zamana dayalı anahtar olarak yazın:",
  openApp: "Bu cihazdaki bir uygulamada aç",
  code: "Uygulamadaki kod",
  codeOrRecovery:
    "Doğrulama uygulamanızdaki kod veya bir kurtarma kodu. İkisini de kaybettiyseniz pazaryerinizden iki adımlı doğrulamayı kaldırmasını isteyin.",
  useCode: "İki adımlı doğrulama kullanıyorum",
  wrongAny: "Kullanıcı adı, parola veya kod hatalı.",
  enabledNotice: "İki adımlı doğrulama açıldı. Diğer oturumlarınız kapatıldı.",
  passwordSet: "Parolanız belirlendi. Parolanızla ve iki adımlı doğrulama koduyla giriş yapın.",
  disabledNotice: "İki adımlı doğrulama kapatıldı.",
  codeHint: "Uygulamanın şu anda gösterdiği altı rakam.",
  enable: "Etkinleştir",
  wrong: "Bu kod hatalı veya daha önce kullanılmış. Bir sonrakini bekleyin.",
  codesTitle: "Kurtarma kodları",
  codesText:
    "Bu kodları güvenli bir yerde saklayın. Telefonunuzu kaybederseniz her biri uygulamadaki kodun yerine bir kez geçer. Bu sayfada beş dakika ya da siz aşağıdaki düğmeye basana kadar kalır, sonra bir daha gösterilmez.",
  codesKept: "Sakladım",
  codesLeft: (n) => `${formatNumber(n)} kurtarma kodu kaldı.`,
  disable: "Kapat",
  disableHint: "Başka bir telefona geçmek için bir kodla kapatın ve yeniden kurun.",
}
