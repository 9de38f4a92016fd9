/** E-mails as text and simple HTML. Names and URLs are data: they cannot become markup. */
import { describeDevice } from "../platform/http/device.ts"
import type { Locale } from "../platform/locale.ts"
import { describe } from "../platform/problem.ts"
import { en } from "../platform/problem-texts.ts"
import { tr } from "../platform/problem-texts-tr.ts"
import type { Timestamp } from "../platform/time.ts"
import type { AlertKind, Email, LinkEmail, PersonChange } from "./email.ts"

export type RenderedEmail = Readonly<{ subject: string; text: string; html: string }>

type Content = Readonly<{
  subject: string
  paragraphs: readonly string[]
  link: Readonly<{ label: string; url: string }>
  /** Below the link, in small print. */
  notes: readonly string[]
}>

export function renderEmail(email: Email, siteName: string, signInUrl: string): RenderedEmail {
  const { subject, paragraphs, link, notes } =
    email.kind === "change"
      ? describeChange(email, siteName, signInUrl)
      : describeRequest(email, siteName)
  const toParagraph = (style: string) => (text: string) =>
    `<p style="${style}">${Bun.escapeHTML(text)}</p>`
  const html = [
    `<!doctype html><html lang="${email.locale}"><meta charset="utf-8">`,
    '<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 1em auto; padding: 0 1em">',
    ...paragraphs.map(toParagraph("margin: 1em 0")),
    `<p><a href="${Bun.escapeHTML(link.url)}">${Bun.escapeHTML(link.label)}</a></p>`,
    ...notes.map(toParagraph("margin: 1em 0; font-size: 14px")),
    "</body></html>\n",
  ].join("\n")
  return { subject, text: [...paragraphs, link.url, ...notes].join("\n\n").concat("\n"), html }
}

const problems = { en, tr }

const chooseText = (locale: Locale) => (english: string, turkish: string) => {
  const texts: Readonly<Record<Locale, string>> = { en: english, tr: turkish }
  return texts[locale]
}

function formatTime(at: Timestamp, locale: Locale): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const
  return `${new Date(at).toLocaleString(locale, format)} UTC`
}

type ChangeEmail = Extract<Email, { kind: "change" }>

function describeChange(email: ChangeEmail, site: string, signInUrl: string): Content {
  const { locale, change, name, team, actor } = email
  const text = chooseText(locale)
  const inTeam = (english: string, turkish: string) =>
    text(
      `your role in the team of ${team} is now: ${english}`,
      `${team} ekibindeki yeni rolünüz: ${turkish}`,
    )
  const asOperator = (english: string, turkish: string) =>
    text(
      `your role as operator is now: ${english}`,
      `yeni pazaryeri yöneticisi rolünüz: ${turkish}`,
    )
  const changes: Readonly<Record<PersonChange, string>> = {
    password: text("your password was changed", "parolanız değiştirildi"),
    email: text("your e-mail address was changed", "e-posta adresiniz değiştirildi"),
    removed: text("your access was removed", "erişiminiz kaldırıldı"),
    second_factor_on: text(
      "two-factor authentication was enabled",
      "iki adımlı doğrulama etkinleştirildi",
    ),
    second_factor_off: text(
      "two-factor authentication was disabled",
      "iki adımlı doğrulama devre dışı bırakıldı",
    ),
    passkey_added: text("a passkey was added", "bir geçiş anahtarı eklendi"),
    passkey_removed: text("a passkey was removed", "bir geçiş anahtarı kaldırıldı"),
    identity_connected: text("single sign-on was connected", "tek oturum açma bağlandı"),
    identity_removed: text("single sign-on was disconnected", "tek oturum açma bağlantısı kesildi"),
    member_owner: inTeam("owner", "sahip"),
    member_developer: inTeam("developer", "geliştirici"),
    member_support: inTeam("support", "destek"),
    member_removed: text(
      `you were removed from the team of ${team}`,
      `${team} ekibinden çıkarıldınız`,
    ),
    role_admin: asOperator("admin", "tam yetkili"),
    role_support: asOperator("support", "destek"),
    role_viewer: asOperator("viewer", "izleyici"),
    operator_removed: text(
      "you are no longer an operator",
      "artık pazaryeri yöneticisi değilsiniz",
    ),
  }
  const isOwn = actor?.name === name
  const device = describeDevice(actor?.device ?? "") || text("unknown", "bilinmiyor")
  return {
    subject: `${site}: ${changes[change]}`,
    paragraphs: [
      text(`Hello ${name},`, `Merhaba ${name},`),
      `${capitalize(changes[change], locale)}.`,
      [
        text(`Time: ${formatTime(email.at, locale)}`, `Zaman: ${formatTime(email.at, locale)}`),
        ...(isOwn
          ? [
              text(`IP range: ${actor.ipRange}`, `IP aralığı: ${actor.ipRange}`),
              text(`Browser: ${device}`, `Tarayıcı: ${device}`),
            ]
          : [text(`Changed by: ${actor?.name ?? site}`, `Değiştiren: ${actor?.name ?? site}`)]),
      ].join(". "),
      text(
        "If you did not expect this, choose a new password (“Forgot your password?”), sign out everywhere under Settings, Security, and tell your marketplace.",
        "Bunu beklemiyorsanız yeni bir parola belirleyin (“Parolanızı mı unuttunuz?”), Ayarlar, Güvenlik sayfasında her yerden çıkış yapın ve pazaryerinize bildirin.",
      ),
    ],
    link: { label: text("Open the sign-in page", "Giriş sayfasını açın"), url: signInUrl },
    notes: [],
  }
}

function describeRequest(email: Exclude<Email, ChangeEmail>, site: string): Content {
  const { locale, url } = email
  const text = chooseText(locale)
  if (email.kind === "alert") {
    const subjects: Readonly<Record<AlertKind, string>> = {
      mass_change: text(
        "too many deletions or revocations were stopped",
        "çok sayıda silme veya iptal durduruldu",
      ),
      import: text("an import failed", "bir içe aktarma başarısız oldu"),
      pull: text("a database sync is overdue", "bir veritabanı eşitlemesi gecikti"),
      backup: text("a backup failed", "yedek alınamadı"),
      webhook: text("a webhook was disabled", "bir webhook devre dışı bırakıldı"),
    }
    const note = text(
      "Pazar sends at most one e-mail per hour about this.",
      "Pazar bu konuda saatte en çok bir e-posta gönderir.",
    )
    return {
      subject: `${site}: ${subjects[email.about]}`,
      paragraphs: email.problems.map((each) =>
        capitalize(describe(problems[locale], each), locale),
      ),
      link: { label: text("Open the console", "Konsolu açın"), url },
      notes: [note],
    }
  }
  const { kind, name, team = "", expiresAt } = email
  const until = formatTime(expiresAt, locale)
  const hello = text(`Hello ${name},`, `Merhaba ${name},`)
  const validity = text(
    `The link works once, until ${until}.`,
    `Bağlantı ${until} tarihine kadar geçerlidir, bir kez kullanılır.`,
  )
  const choose = text("Choose a password", "Parola belirleyin")
  /** Subject, text, label of the link, and a note. */
  const links: Readonly<Record<LinkEmail["kind"], readonly [string, string, string, ...string[]]>> =
    {
      author_invitation: [
        text(`Your author account on ${site}`, `${site} yazar hesabınız`),
        text(
          `You have an author account on ${site}. Choose a password, then sign in as ${name}.`,
          `${site} üzerinde bir yazar hesabınız var. Bir parola belirleyin, sonra ${name} olarak giriş yapın.`,
        ),
        choose,
      ],
      operator_invitation: [
        text(`Your operator account on ${site}`, `${site} yönetici hesabınız`),
        text(
          `You are an operator of ${site}. Choose a password, then sign in to the console as ${name}.`,
          `${site} pazaryerinin yöneticisisiniz. Bir parola belirleyin, sonra konsola ${name} olarak giriş yapın.`,
        ),
        choose,
      ],
      team_invitation: [
        text(`Join ${team} on ${site}`, `${site}: ${team} ekibine katılın`),
        text(
          `You are invited to the workspace of ${team} on ${site}. If you already sign in there, sign in first.`,
          `${site} üzerindeki ${team} çalışma alanına davet edildiniz. Orada zaten giriş yapıyorsanız önce giriş yapın.`,
        ),
        text("Accept the invitation", "Daveti kabul edin"),
        text(
          "If you do not expect this, ignore this e-mail.",
          "Bunu beklemiyorsanız bu e-postayı yok sayın.",
        ),
      ],
      password_reset: [
        text(`Reset your password on ${site}`, `${site} parolanızı sıfırlayın`),
        text(
          `Choose a new password for ${name} on ${site}.`,
          `${site} üzerindeki ${name} hesabı için yeni bir parola belirleyin.`,
        ),
        text("Choose a new password", "Yeni parola belirleyin"),
        text(
          "If you did not request this, ignore this e-mail. Your password stays valid.",
          "Bunu siz istemediyseniz bu e-postayı yok sayın. Parolanız geçerli kalır.",
        ),
      ],
    }
  const [subject, request, label, ...notes] = links[kind]
  return {
    subject,
    paragraphs: [hello, request],
    link: { label, url },
    notes: [validity, ...notes],
  }
}

/** Problems are written in lower case for the log. In Turkish, the capital of "i" has a dot. */
const capitalize = (text: string, locale: Locale) =>
  text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(locale))
