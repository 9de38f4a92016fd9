/** E-mails as text and simple HTML. Names and URLs are data: they cannot become markup. */
import type { AlertKind, Email, LinkEmail } from "../domain/mail/email.ts"
import type { Locale } from "../domain/values/locale.ts"
import { en } from "../domain/values/problems/en.ts"
import { describe } from "../domain/values/problems/problem.ts"
import { tr } from "../domain/values/problems/tr.ts"

export type RenderedEmail = Readonly<{ subject: string; text: string; html: string }>

type Content = Readonly<{
  subject: string
  paragraphs: readonly string[]
  link: Readonly<{ label: string; url: string }>
  /** Below the link, in small print. */
  notes: readonly string[]
}>

export function renderEmail(email: Email, siteName: string): RenderedEmail {
  const { subject, paragraphs, link, notes } = contentOf(email, siteName)
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

function contentOf(email: Email, site: string): Content {
  const { locale, url } = email
  const text = (english: string, turkish: string) => {
    const texts: Readonly<Record<Locale, string>> = { en: english, tr: turkish }
    return texts[locale]
  }
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
      paragraphs: email.problems.map((each) => capitalize(describe(problems[locale], each))),
      link: { label: text("Open the console", "Konsolu açın"), url },
      notes: [note],
    }
  }
  const { kind, name, expiresAt } = email
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const
  const until = `${new Date(expiresAt).toLocaleString(locale, format)} UTC`
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

/** Problems are written in lower case for the log. */
const capitalize = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
