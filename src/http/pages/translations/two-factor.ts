import { count, formatNumber, text } from "./text.ts"

/** Texts about two-factor authentication, for authors and operators. */
export const twoFactor = {
  title: text("Two-factor authentication (2FA)", "İki adımlı doğrulama"),
  enabled: text("Enabled", "Etkin"),
  disabled: text("Disabled", "Devre dışı"),
  disabledHint: text(
    "With 2FA, a stolen password is not enough to sign in.",
    "İki adımlı doğrulama etkinken çalınan parola giriş için yetmez.",
  ),
  setUp: text("Set up 2FA", "İki adımlı doğrulamayı kur"),
  required: text(
    "This console requires 2FA for every operator. Set it up to continue.",
    "Bu konsol her pazaryeri yöneticisi için iki adımlı doğrulama gerektirir. Devam etmek için kurun.",
  ),
  passwordFirst: text(
    "Enter your password to see the secret.",
    "Kurulum anahtarını görmek için parolanızı girin.",
  ),
  scan: text(
    "Scan this QR code with your authenticator app.",
    "Bu QR kodunu doğrulama uygulamanızla tarayın.",
  ),
  qrCode: text("QR code of the secret below", "Aşağıdaki kurulum anahtarının QR kodu"),
  addSecret: text(
    "Or enter this secret in the app, as a time-based key:",
    "Ya da bu kurulum anahtarını uygulamaya zamana dayalı anahtar olarak yazın:",
  ),
  openApp: text("Open it in an app on this device", "Bu cihazdaki bir uygulamada aç"),
  code: text("2FA code", "Doğrulama kodu"),
  codeOrRecovery: text(
    "From your authenticator app, or a recovery code. If you lost both, ask your marketplace to remove 2FA.",
    "Doğrulama uygulamanızdaki kod veya bir kurtarma kodu. İkisini de kaybettiyseniz pazaryerinizden iki adımlı doğrulamayı kaldırmasını isteyin.",
  ),
  useCode: text("I use 2FA", "İki adımlı doğrulama kullanıyorum"),
  codeHint: text("The six digits in the app.", "Uygulamadaki altı rakam."),
  enable: text("Enable 2FA", "Etkinleştir"),
  wrong: text(
    "This code is wrong or was already used. Wait for the next one.",
    "Bu kod hatalı veya daha önce kullanılmış. Bir sonrakini bekleyin.",
  ),
  codesTitle: text("Recovery codes", "Kurtarma kodları"),
  codesText: text(
    "Store these codes in a safe place. Each one works once instead of a code from the app. This page shows them for five minutes, or until you press the button, and never again.",
    "Bu kodları güvenli bir yerde saklayın. Her biri uygulamadaki kodun yerine bir kez kullanılır. Kodlar beş dakika ya da siz düğmeye basana kadar gösterilir, sonra bir daha gösterilmez.",
  ),
  codesKept: text("I have stored them", "Sakladım"),
  codesLeft: text(
    (n: number) => `${count(n, "recovery code", "recovery codes")} left.`,
    (n) => `${formatNumber(n)} kurtarma kodu kaldı.`,
  ),
  disable: text("Disable 2FA", "Devre dışı bırak"),
  disableHint: text(
    "To use another phone, disable 2FA with a code and set it up again.",
    "Başka bir telefona geçmek için bir kodla devre dışı bırakıp yeniden kurun.",
  ),
}
