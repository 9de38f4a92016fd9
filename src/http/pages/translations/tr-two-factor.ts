import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

export const twoFactor: PageTexts["twoFactor"] = {
  title: "İki adımlı doğrulama",
  enabled: "Etkin",
  disabled: "Devre dışı",
  disabledHint: "İki adımlı doğrulama etkinken çalınan parola giriş için yetmez.",
  setUp: "İki adımlı doğrulamayı kur",
  required:
    "Bu konsol her pazaryeri yöneticisi için iki adımlı doğrulama gerektirir. Devam etmek için kurun.",
  passwordFirst: "Kurulum anahtarını görmek için parolanızı girin.",
  scan: "Bu QR kodunu doğrulama uygulamanızla tarayın.",
  qrCode: "Aşağıdaki kurulum anahtarının QR kodu",
  addSecret: "Ya da bu kurulum anahtarını uygulamaya zamana dayalı anahtar olarak yazın:",
  openApp: "Bu cihazdaki bir uygulamada aç",
  code: "Doğrulama kodu",
  codeOrRecovery:
    "Doğrulama uygulamanızdaki kod veya bir kurtarma kodu. İkisini de kaybettiyseniz pazaryerinizden iki adımlı doğrulamayı kaldırmasını isteyin.",
  useCode: "İki adımlı doğrulama kullanıyorum",
  wrongAny: "Kullanıcı adı, parola veya kod hatalı.",
  enabledNotice: "İki adımlı doğrulama etkinleştirildi. Diğer oturumlarınız kapatıldı.",
  passwordSet: "Parolanız belirlendi. Parolanızla ve iki adımlı doğrulama koduyla giriş yapın.",
  disabledNotice: "İki adımlı doğrulama devre dışı bırakıldı.",
  codeHint: "Uygulamadaki altı rakam.",
  enable: "Etkinleştir",
  wrong: "Bu kod hatalı veya daha önce kullanılmış. Bir sonrakini bekleyin.",
  codesTitle: "Kurtarma kodları",
  codesText:
    "Bu kodları güvenli bir yerde saklayın. Her biri uygulamadaki kodun yerine bir kez kullanılır. Kodlar beş dakika ya da siz düğmeye basana kadar gösterilir, sonra bir daha gösterilmez.",
  codesKept: "Sakladım",
  codesLeft: (n) => `${formatNumber(n)} kurtarma kodu kaldı.`,
  disable: "Devre dışı bırak",
  disableHint: "Başka bir telefona geçmek için bir kodla devre dışı bırakıp yeniden kurun.",
}
