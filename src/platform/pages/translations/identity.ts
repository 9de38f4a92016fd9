import { filled, text } from "./text.ts"

/** Sign-in at the identity provider. `site` is the marketplace, `host` the provider. */
export const identity = {
  proceed: filled("Continue with {host}", "{host} ile devam et"),
  orChoose: text(
    "Or choose a password you will sign in with:",
    "Veya giriş yaparken kullanacağınız parolayı belirleyin:",
  ),
  panel: {
    title: text("Single sign-on", "Tek oturum açma"),
    none: filled(
      "Sign in here with your account at {host}, without a password.",
      "{host} hesabınızla parolasız giriş yapabilirsiniz.",
    ),
    subject: text("ID there", "Oradaki kimlik"),
    connect: filled("Connect {host}", "{host} bağla"),
    disconnect: text("Disconnect", "Bağlantıyı kes"),
    last: text(
      "You have no other way to sign in. Set a password first.",
      "Başka bir giriş yolunuz yok. Önce bir parola belirleyin.",
    ),
  },
  problems: {
    expired: {
      title: text("Sign in again", "Yeniden giriş yapın"),
      text: filled<[host: string, site: string]>(
        "This browser began to sign in at {host} in another tab, more than ten minutes ago, or not at all. {site} changed nothing.",
        "Bu tarayıcı {host} girişine başka bir sekmede veya on dakikadan önce başlamış ya da hiç başlamamış. {site} hiçbir şeyi değiştirmedi.",
      ),
    },
    rejected: {
      title: text("The sign-in failed", "Giriş yapılamadı"),
      text: text(
        "The response of the provider was wrong or was already used. Try again.",
        "Sağlayıcının yanıtı hatalı veya daha önce kullanılmış. Yeniden deneyin.",
      ),
    },
    unavailable: {
      title: text("Sign-in elsewhere does not work now", "Dış giriş şu anda çalışmıyor"),
      text: filled<[host: string, site: string]>(
        "{host} does not respond, or rejects {site}. Try again later, or sign in with your password.",
        "{host} yanıt vermiyor ya da {site} sitesini reddediyor. Daha sonra yeniden deneyin veya parolanızla giriş yapın.",
      ),
    },
    unknown: {
      title: text("Not connected yet", "Henüz bağlı değil"),
      text: filled<[host: string, site: string]>(
        "You are signed in at {host}, but {site} does not know who you are. Open your invitation and continue with {host} there, or sign in with your password and connect {host} under Security.",
        "{host} üzerinde giriş yaptınız ama {site} kim olduğunuzu bilmiyor. Davetinizi açıp oradan {host} ile devam edin veya parolanızla giriş yapıp Güvenlik sayfasında {host} hesabınızı bağlayın.",
      ),
    },
    taken: {
      title: text("Connected to somebody else", "Başka birine bağlı"),
      text: filled<[host: string, site: string]>(
        "Somebody else at {site} is connected to this account at {host}. Sign in at {host} with another account.",
        "{site} üzerinde başka biri bu {host} hesabına bağlı. {host} üzerinde başka bir hesapla giriş yapın.",
      ),
    },
  },
}
