import { count, formatNumber } from "./plurals.ts"

const englishWait = (seconds: number) =>
  seconds < 60
    ? count(seconds, "second", "seconds")
    : count(Math.ceil(seconds / 60), "minute", "minutes")

const turkishWait = (seconds: number) =>
  seconds < 60
    ? `${formatNumber(seconds)} saniye`
    : `${formatNumber(Math.ceil(seconds / 60))} dakika`

const en = {
  title: "Sign in",
  name: "Username or e-mail",
  password: "Password",
  passwordAgain: "Required because you last entered it more than five minutes ago.",
  show: "Show password",
  sessionEnded:
    "Your session has ended, so nothing was changed. Sign in and submit the form again.",
  noName: "Enter your username or e-mail.",
  noPassword: "Enter your password.",
  wrong: "Wrong username, password or 2FA code.",
  slow: (seconds: number) => `Too many attempts. Wait ${englishWait(seconds)}, then try again.`,
  help: "No password yet, or forgot it? Your marketplace can send you an invitation link.",
  through: (site: string) => `Sign in through ${site}`,
  or: "Or sign in with your password:",
  helpThrough: (site: string) => `No password yet, or forgot it? Sign in through ${site}.`,
  email: "E-mail address",
  noEmail: "Enter an e-mail address.",
  reset: {
    title: "Forgot your password?",
    text: "Enter the e-mail address of your account. You get a link to choose a new password.",
    submit: "Send the link",
    sentTitle: "Check your e-mail",
    sent: "If an account has this address, a link is on its way. It works once, within an hour. 2FA stays enabled.",
  },
  invitation: {
    title: "Choose a password",
    hello: (name: string) => `Welcome, ${name}. Choose the password you will sign in with.`,
    password: "New password",
    repeat: "New password again",
    submit: "Save the password",
    goneTitle: "This link no longer works",
    gone: "It was already used or has expired. Ask your marketplace for a new one.",
  },
  link: {
    replaces: (name: string) =>
      `This browser is signed in as ${name}. Continuing signs that author out.`,
    hello: (name: string, site: string) => `You are signing in to ${site} as ${name}.`,
    submit: "Continue",
  },
  suspended: {
    title: "Account suspended",
    text: "Your marketplace suspended this account. You cannot sign in and your API keys are rejected. No data was deleted.",
  },
  passwordProblems: {
    tooShort: (min: number) => `Use at least ${min} characters.`,
    tooLong: (max: number) => `Use at most ${max} characters.`,
    common: "This password is easy to guess. Use a few unrelated words instead.",
    ownName:
      "Your username and e-mail address are easy to guess. Use a few unrelated words instead.",
    different: "The passwords do not match.",
    wrong: "Wrong password.",
    hint: (min: number) =>
      `At least ${min} characters. A few unrelated words are easy to remember.`,
  },
}

const tr: typeof en = {
  title: "Giriş yap",
  name: "Kullanıcı adı veya e-posta",
  password: "Parola",
  passwordAgain: "Parolanızı en son beş dakikadan uzun süre önce girdiğiniz için gerekli.",
  show: "Parolayı göster",
  sessionEnded:
    "Oturumunuz sona erdiği için hiçbir şey değişmedi. Giriş yapıp formu yeniden gönderin.",
  noName: "Kullanıcı adınızı veya e-postanızı yazın.",
  noPassword: "Parolanızı yazın.",
  wrong: "Kullanıcı adı, parola veya iki adımlı doğrulama kodu hatalı.",
  slow: (seconds) => `Çok fazla deneme yapıldı. ${turkishWait(seconds)} bekleyip yeniden deneyin.`,
  help: "Parolanız yok mu ya da unuttunuz mu? Pazaryeriniz size bir davet bağlantısı gönderebilir.",
  through: (site) => `${site} ile giriş yap`,
  or: "Veya parolanızla giriş yapın:",
  helpThrough: (site) => `Parolanız yok mu ya da unuttunuz mu? ${site} ile giriş yapın.`,
  email: "E-posta adresi",
  noEmail: "Bir e-posta adresi yazın.",
  reset: {
    title: "Parolanızı mı unuttunuz?",
    text: "Hesabınızın e-posta adresini yazın. Yeni parola belirleyeceğiniz bir bağlantı gönderilir.",
    submit: "Bağlantıyı gönder",
    sentTitle: "E-postanıza bakın",
    sent: "Bu adreste bir hesap varsa bağlantı gönderilir. Bağlantı bir saat geçerlidir, bir kez kullanılır. İki adımlı doğrulama etkin kalır.",
  },
  invitation: {
    title: "Parola belirleyin",
    hello: (name) => `Hoş geldiniz, ${name}. Giriş yaparken kullanacağınız parolayı belirleyin.`,
    password: "Yeni parola",
    repeat: "Yeni parola (tekrar)",
    submit: "Parolayı kaydet",
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
    text: "Pazaryeriniz bu hesabı askıya aldı. Giriş yapamazsınız ve API anahtarlarınız reddedilir. Hiçbir veri silinmedi.",
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
}

export const signIn = { en, tr }
