import { count, formatNumber } from "./plurals.ts"

/** Texts about two-factor authentication, for authors and operators. */
const en = {
  title: "Two-factor authentication (2FA)",
  enabled: "Enabled",
  disabled: "Disabled",
  disabledHint: "With 2FA, a stolen password is not enough to sign in.",
  setUp: "Set up 2FA",
  required: "This console requires 2FA for every operator. Set it up to continue.",
  passwordFirst: "Enter your password to see the secret.",
  scan: "Scan this QR code with your authenticator app.",
  qrCode: "QR code of the secret below",
  addSecret: "Or enter this secret in the app, as a time-based key:",
  openApp: "Open it in an app on this device",
  code: "2FA code",
  codeOrRecovery:
    "From your authenticator app, or a recovery code. If you lost both, ask your marketplace to remove 2FA.",
  useCode: "I use 2FA",
  codeHint: "The six digits in the app.",
  enable: "Enable 2FA",
  wrong: "This code is wrong or was already used. Wait for the next one.",
  codesTitle: "Recovery codes",
  codesText:
    "Store these codes in a safe place. Each one works once instead of a code from the app. This page shows them for five minutes, or until you press the button, and never again.",
  codesKept: "I have stored them",
  codesLeft: (n: number) => `${count(n, "recovery code", "recovery codes")} left.`,
  disable: "Disable 2FA",
  disableHint: "To use another phone, disable 2FA with a code and set it up again.",
}

const tr: typeof en = {
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

export const twoFactor = { en, tr }
