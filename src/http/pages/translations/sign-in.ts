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
  wrong: text(
    "Wrong username, password or 2FA code.",
    "Kullanıcı adı, parola veya iki adımlı doğrulama kodu hatalı.",
  ),
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
      "Enter the e-mail address of your account. You get a link to choose a new password.",
      "Hesabınızın e-posta adresini yazın. Yeni parola belirleyeceğiniz bir bağlantı gönderilir.",
    ),
    submit: text("Send the link", "Bağlantıyı gönder"),
    sentTitle: text("Check your e-mail", "E-postanıza bakın"),
    sent: text(
      "If an account has this address, a link is on its way. It works once, within an hour. 2FA stays enabled.",
      "Bu adreste bir hesap varsa bağlantı gönderilir. Bağlantı bir saat geçerlidir, bir kez kullanılır. İki adımlı doğrulama etkin kalır.",
    ),
  },
  invitation: {
    title: text("Choose a password", "Parola belirleyin"),
    hello: filled(
      "Welcome, {name}. Choose the password you will sign in with.",
      "Hoş geldiniz, {name}. Giriş yaparken kullanacağınız parolayı belirleyin.",
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
      "This browser is signed in as {name}. Continuing signs that author out.",
      "Bu tarayıcıda {name} olarak giriş yapılmış. Devam ederseniz o yazarın oturumu kapanır.",
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
    tooShort: text(
      (min: number) => `Use at least ${min} characters.`,
      (min) => `En az ${min} karakter kullanın.`,
    ),
    tooLong: text(
      (max: number) => `Use at most ${max} characters.`,
      (max) => `En çok ${max} karakter kullanın.`,
    ),
    common: text(
      "This password is easy to guess. Use a few unrelated words instead.",
      "Bu parola kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    ),
    ownName: text(
      "Your username and e-mail address are easy to guess. Use a few unrelated words instead.",
      "Kullanıcı adınız ve e-posta adresiniz kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    ),
    different: text("The passwords do not match.", "Parolalar eşleşmiyor."),
    wrong: text("Wrong password.", "Parola hatalı."),
    hint: text(
      (min: number) => `At least ${min} characters. A few unrelated words are easy to remember.`,
      (min) => `En az ${min} karakter. Birbiriyle ilgisiz birkaç sözcük kolay akılda kalır.`,
    ),
  },
}
