import { count, filled, formatNumber, text } from "./text.ts"

const englishWait = (seconds: number) =>
  seconds < 60
    ? count(seconds, "second", "seconds")
    : count(Math.ceil(seconds / 60), "minute", "minutes")

const turkishWait = (seconds: number) =>
  seconds < 60
    ? `${formatNumber(seconds)} saniye`
    : `${formatNumber(Math.ceil(seconds / 60))} dakika`

export const signIn = {
  title: text("Sign in", "Giriş yap"),
  name: text("Username or e-mail", "Kullanıcı adı veya e-posta"),
  password: text("Password", "Parola"),
  passwordAgain: text(
    "Required because you last entered it more than five minutes ago.",
    "Parolanızı en son beş dakikadan uzun süre önce girdiğiniz için gerekli.",
  ),
  show: text("Show password", "Parolayı göster"),
  sessionEnded: text(
    "Your session has ended, so nothing was changed. Sign in and submit the form again.",
    "Oturumunuz sona erdiği için hiçbir şey değişmedi. Giriş yapıp formu yeniden gönderin.",
  ),
  noName: text("Enter your username or e-mail.", "Kullanıcı adınızı veya e-postanızı yazın."),
  noPassword: text("Enter your password.", "Parolanızı yazın."),
  expired: text(
    "This sign-in has expired. Enter your password again.",
    "Bu girişin süresi doldu. Parolanızı yeniden girin.",
  ),
  wrong: text("Wrong username or password.", "Kullanıcı adı veya parola hatalı."),
  slow: text(
    (seconds: number) => `Too many attempts. Wait ${englishWait(seconds)}, then try again.`,
    (seconds) => `Çok fazla deneme yapıldı. ${turkishWait(seconds)} bekleyip yeniden deneyin.`,
  ),
  help: text(
    "No password yet, or forgot it? Your marketplace can send you an invitation link.",
    "Parolanız yok mu ya da unuttunuz mu? Pazaryeriniz size bir davet bağlantısı gönderebilir.",
  ),
  through: filled("Sign in through {site}", "{site} ile giriş yap"),
  or: text("Or sign in with your password:", "Veya parolanızla giriş yapın:"),
  helpThrough: filled(
    "No password yet, or forgot it? Sign in through {site}.",
    "Parolanız yok mu ya da unuttunuz mu? {site} ile giriş yapın.",
  ),
  email: text("E-mail address", "E-posta adresi"),
  noEmail: text("Enter an e-mail address.", "Bir e-posta adresi yazın."),
  reset: {
    title: text("Forgot your password?", "Parolanızı mı unuttunuz?"),
    text: text(
      "Enter your e-mail address. You get a link to choose a new password.",
      "E-posta adresinizi yazın. Yeni parola belirleyeceğiniz bir bağlantı gönderilir.",
    ),
    submit: text("Send the link", "Bağlantıyı gönder"),
    sentTitle: text("Check your e-mail", "E-postanıza bakın"),
    sent: text(
      "If somebody signs in here with this address, a link is on its way. It works once, within an hour. 2FA stays enabled.",
      "Bu adresle giriş yapan biri varsa bağlantı gönderilir. Bağlantı bir saat geçerlidir, bir kez kullanılır. İki adımlı doğrulama etkin kalır.",
    ),
  },
  passkey: {
    submit: text("Sign in with a passkey", "Geçiş anahtarıyla giriş yap"),
    none: text(
      "No passkey was used. Try again, or sign in with your password.",
      "Geçiş anahtarı kullanılmadı. Yeniden deneyin veya parolanızla giriş yapın.",
    ),
    wrong: text(
      "The passkey was rejected: it was removed, or this page was open for too long. Try again.",
      "Geçiş anahtarı reddedildi: kaldırılmış olabilir ya da bu sayfa çok uzun süre açık kaldı. Yeniden deneyin.",
    ),
  },
  invitation: {
    title: text("Choose a password", "Parola belirleyin"),
    username: text("Username", "Kullanıcı adı"),
    hello: filled("Welcome, {name}.", "Hoş geldiniz, {name}."),
    team: filled("You are invited to the team of {author}.", "{author} ekibine davet edildiniz."),
    operators: filled(
      "You are invited as an operator of {site}.",
      "{site} yöneticisi olarak davet edildiniz.",
    ),
    joinAs: filled("Join as {name}", "{name} olarak katıl"),
    signInFirst: text("I already have a password", "Zaten parolam var"),
    choose: text(
      "Choose the password you will sign in with.",
      "Giriş yaparken kullanacağınız parolayı belirleyin.",
    ),
    orNew: text("Or for a new person:", "Ya da yeni bir kişi için:"),
    nameHint: text("You sign in with this name.", "Bu adla giriş yaparsınız."),
    badName: text("Use 1 to 255 characters.", "1 ile 255 arasında karakter kullanın."),
    taken: text(
      "Somebody else has this name. Choose another one.",
      "Bu ad alınmış. Başka bir ad seçin.",
    ),
    password: text("New password", "Yeni parola"),
    repeat: text("New password again", "Yeni parola (tekrar)"),
    submit: text("Save the password", "Parolayı kaydet"),
    goneTitle: text("This link no longer works", "Bu bağlantı artık çalışmıyor"),
    gone: text(
      "It was already used or has expired. Ask your marketplace for a new one.",
      "Daha önce kullanılmış veya süresi dolmuş. Pazaryerinizden yenisini isteyin.",
    ),
  },
  link: {
    replaces: filled(
      "This browser is signed in as {name}. Continuing ends that session.",
      "Bu tarayıcıda {name} olarak giriş yapılmış. Devam ederseniz o oturum kapanır.",
    ),
    hello: text(
      (name: string, site: string) => `You are signing in to ${site} as ${name}.`,
      (name, site) => `${site}: ${name} olarak giriş yapıyorsunuz.`,
    ),
    submit: text("Continue", "Devam et"),
  },
  suspended: {
    title: text("Account suspended", "Hesap askıya alındı"),
    text: text(
      "Your marketplace suspended this account. You cannot sign in and your API keys are rejected. No data was deleted.",
      "Pazaryeriniz bu hesabı askıya aldı. Giriş yapamazsınız ve API anahtarlarınız reddedilir. Hiçbir veri silinmedi.",
    ),
  },
  passwordProblems: {
    tooShort: filled<[min: number]>(
      "Use at least {min} characters.",
      "En az {min} karakter kullanın.",
    ),
    tooLong: filled<[max: number]>(
      "Use at most {max} characters.",
      "En çok {max} karakter kullanın.",
    ),
    common: text(
      "This password is easy to guess. Use a few unrelated words instead.",
      "Bu parola kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    ),
    ownName: text(
      "Your name and e-mail address are easy to guess. Use a few unrelated words instead.",
      "Adınız ve e-posta adresiniz kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    ),
    different: text("The passwords do not match.", "Parolalar eşleşmiyor."),
    wrong: text("Wrong password.", "Parola hatalı."),
    hint: filled<[min: number]>(
      "At least {min} characters. A few unrelated words are easy to remember.",
      "En az {min} karakter. Birbiriyle ilgisiz birkaç sözcük kolay akılda kalır.",
    ),
  },
}

/** Texts about two-factor authentication, for authors and operators. */
export const twoFactor = {
  title: text("Two-factor authentication (2FA)", "İki adımlı doğrulama"),
  short: text("2FA", "İki adımlı doğrulama"),
  enabled: text("Enabled", "Etkin"),
  disabled: text("Disabled", "Devre dışı"),
  disabledHint: text(
    "With 2FA, a stolen password is not enough to sign in.",
    "İki adımlı doğrulama etkinken çalınan parola giriş için yetmez.",
  ),
  setUp: text("Set up 2FA", "İki adımlı doğrulamayı kur"),
  required: text(
    "This console requires 2FA for every operator. Set it up to continue, or sign in with a passkey.",
    "Bu konsol her pazaryeri yöneticisi için iki adımlı doğrulama gerektirir. Devam etmek için kurun veya geçiş anahtarıyla giriş yapın.",
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
  codesLeft: filled<[n: number]>(
    "{n recovery code|recovery codes} left.",
    "{n} kurtarma kodu kaldı.",
  ),
  disable: text("Disable 2FA", "Devre dışı bırak"),
  disableHint: text(
    "To use another phone, disable 2FA with a code and set it up again.",
    "Başka bir telefona geçmek için bir kodla devre dışı bırakıp yeniden kurun.",
  ),
}

export const settings = {
  profile: {
    title: text("Profile", "Profil"),
    intro: text(
      "The API returns this data about you. You can change it in your marketplace.",
      "API'nin hakkınızda döndürdüğü bilgiler. Pazaryerinizden değiştirebilirsiniz.",
    ),
    username: text("Username", "Kullanıcı adı"),
    email: text("E-mail", "E-posta"),
    balance: text("Balance", "Bakiye"),
    registered: text("Member since", "Üyelik başlangıcı"),
  },
  security: {
    title: text("Security", "Güvenlik"),
    password: text("Change password", "Parolayı değiştir"),
    current: text("Current password", "Mevcut parola"),
    ends: text(
      "Changing it signs out all other sessions.",
      "Parola değişince diğer bütün oturumlarınız kapanır.",
    ),
    passkeys: {
      title: text("Passkeys", "Geçiş anahtarları"),
      one: text("Passkey", "Geçiş anahtarı"),
      hint: text(
        "A passkey signs you in with your fingerprint, face or PIN, without password and code.",
        "Geçiş anahtarıyla parola ve kod olmadan parmak iziniz, yüzünüz veya PIN'inizle giriş yaparsınız.",
      ),
      none: text("No passkeys yet.", "Henüz geçiş anahtarı yok."),
      add: text("Add a passkey", "Geçiş anahtarı ekle"),
      passwordFirst: text(
        "Enter your password to add a passkey.",
        "Geçiş anahtarı eklemek için parolanızı girin.",
      ),
      create: text("Create the passkey", "Geçiş anahtarı oluştur"),
      nameHint: text(
        "By which you recognize the device or password manager.",
        "Cihazı veya parola yöneticisini tanımanız için.",
      ),
      unsupported: text(
        "This browser cannot create a passkey at this address.",
        "Bu tarayıcı bu adreste geçiş anahtarı oluşturamıyor.",
      ),
      failed: text(
        "No passkey was created. This device may already have one for you.",
        "Geçiş anahtarı oluşturulmadı. Bu cihazda zaten bir geçiş anahtarınız olabilir.",
      ),
      rejected: text(
        "The passkey was not added. Try again.",
        "Geçiş anahtarı eklenmedi. Yeniden deneyin.",
      ),
      remove: text("Remove", "Kaldır"),
      removeTitle: filled("Remove {name}?", "{name} kaldırılsın mı?"),
      removeText: text(
        "You can no longer sign in with it. Delete it on your device, too.",
        "Artık onunla giriş yapamazsınız. Cihazınızdan da silin.",
      ),
    },
    sessions: text("Sessions", "Açık oturumlarınız"),
    browser: text("Browser", "Tarayıcı"),
    since: text("Signed in", "Giriş"),
    thisOne: text("This browser", "Bu tarayıcı"),
    setPassword: text("Set a password", "Parola belirleyin"),
    setHint: text(
      "With a password you can also sign in here directly.",
      "Parolanız olursa buradan doğrudan da giriş yapabilirsiniz.",
    ),
    noPassword: text(
      "Your account has no password. To set one, sign in again from your marketplace and come back here within five minutes.",
      "Hesabınızda parola yok. Parola belirlemek için pazaryerinizden yeniden giriş yapın ve beş dakika içinde bu sayfaya dönün.",
    ),
    signOut: text("Sign out", "Oturumu kapat"),
    alerts: {
      title: text("Alerts by e-mail", "Uyarı e-postaları"),
      text: text(
        "Stopped mass changes, failed imports, overdue database syncs, failed backups and disabled webhooks.",
        "Durdurulan toplu değişiklikler, başarısız içe aktarmalar, geciken veritabanı eşitlemeleri, alınamayan yedekler ve devre dışı bırakılan webhook'lar.",
      ),
      noAddress: text(
        "You have no e-mail address. An admin can add it under Operators.",
        "E-posta adresiniz yok. Tam yetkili bir yönetici, Yöneticiler sayfasında ekleyebilir.",
      ),
      turnOn: text("Turn on", "Etkinleştir"),
      turnOff: text("Turn off", "Devre dışı bırak"),
    },
    signOutAll: text("Sign out everywhere", "Her yerden çıkış yap"),
    signOutAllHint: text(
      "Signs out all sessions, including this one.",
      "Bu oturum dahil bütün oturumları kapatır.",
    ),
    unknownDevice: text("Unknown browser", "Bilinmeyen tarayıcı"),
  },
  language: { title: text("Language", "Dil") },
  counts: {
    keys: filled<[n: number]>("{n valid key|valid keys}.", "{n} geçerli anahtar."),
    manageKeys: text("Manage keys", "Anahtarları yönet"),
    webhooks: filled<[n: number]>("{n webhook|webhooks}.", "{n} webhook."),
    manageWebhooks: text("Manage webhooks", "Webhook'ları yönet"),
    sessions: filled<[n: number]>("{n open session|open sessions}.", "{n} açık oturum."),
    manageSecurity: text(
      "Password, 2FA, passkeys and sessions",
      "Parola, iki adımlı doğrulama, geçiş anahtarları ve oturumlar",
    ),
  },
  activity: {
    title: text("Activity", "İşlem geçmişi"),
    none: text(
      "No changes yet. Creating a key is the first.",
      "Anahtarlarınızla ilgili henüz bir işlem yapılmadı.",
    ),
    what: text("Action", "İşlem"),
    from: text("From", "Nereden"),
    operator: text("your marketplace", "pazaryeriniz"),
    actions: {
      created: text("Created", "Oluşturuldu"),
      revealed: text("Revealed", "Gösterildi"),
      renamed: text("Renamed", "Yeniden adlandırıldı"),
      replaced: text("Rotated", "Yenisiyle değiştirildi"),
      revoked: text("Revoked", "İptal edildi"),
    },
  },
}
