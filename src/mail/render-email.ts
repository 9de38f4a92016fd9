/** E-mails as text and simple HTML. Names and URLs are data: they cannot become markup. */
import type { AlertKind, Email } from "../domain/mail/email.ts"
import type { Locale } from "../domain/values/locale.ts"
import { en as englishProblems } from "../domain/values/problems/en.ts"
import { describe, type Texts } from "../domain/values/problems/problem.ts"
import { tr as turkishProblems } from "../domain/values/problems/tr.ts"

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
  return {
    subject,
    text: [...paragraphs, link.url, ...notes].join("\n\n").concat("\n"),
    html: renderHtml(email.locale, paragraphs, link, notes),
  }
}

function contentOf(email: Email, site: string): Content {
  const { alert, problems, ...links } = texts[email.locale]
  if (email.kind === "alert") {
    return {
      subject: `${site}: ${alert.subjects[email.about]}`,
      paragraphs: email.problems.map((each) => capitalize(describe(problems, each))),
      link: { label: alert.open, url: email.url },
      notes: [alert.note],
    }
  }
  const { kind, name, url, expiresAt } = email
  const { subject, text, label, note } = links[kind]
  const until = new Date(expiresAt).toLocaleString(email.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  })
  return {
    subject: subject(site),
    paragraphs: [links.hello(name), text(site, name)],
    link: { label, url },
    notes: [links.until(`${until} UTC`), ...(note === null ? [] : [note])],
  }
}

/** Problems are written in lower case for the log. */
const capitalize = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

function renderHtml(
  locale: string,
  paragraphs: readonly string[],
  { label, url }: Content["link"],
  notes: readonly string[],
): string {
  const toParagraph = (style: string) => (text: string) =>
    `<p style="${style}">${Bun.escapeHTML(text)}</p>`
  return [
    `<!doctype html><html lang="${locale}"><meta charset="utf-8">`,
    '<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 1em auto; padding: 0 1em">',
    ...paragraphs.map(toParagraph("margin: 1em 0")),
    `<p><a href="${Bun.escapeHTML(url)}">${Bun.escapeHTML(label)}</a></p>`,
    ...notes.map(toParagraph("margin: 1em 0; font-size: 14px")),
    "</body></html>\n",
  ].join("\n")
}

type LinkTexts = Readonly<{
  subject(site: string): string
  text(site: string, name: string): string
  label: string
  note: string | null
}>

type EmailTexts = Readonly<{
  hello(name: string): string
  until(when: string): string
  author_invitation: LinkTexts
  operator_invitation: LinkTexts
  password_reset: LinkTexts
  alert: Readonly<{ subjects: Readonly<Record<AlertKind, string>>; open: string; note: string }>
  problems: Texts
}>

const en: EmailTexts = {
  hello: (name) => `Hello ${name},`,
  until: (when) => `The link works once, until ${when}.`,
  author_invitation: {
    subject: (site) => `Your author account on ${site}`,
    text: (site, name) =>
      `You have an author account on ${site}. Choose a password, then sign in as ${name}.`,
    label: "Choose a password",
    note: null,
  },
  operator_invitation: {
    subject: (site) => `Your operator account on ${site}`,
    text: (site, name) =>
      `You are an operator of ${site}. Choose a password, then sign in to the console as ${name}.`,
    label: "Choose a password",
    note: null,
  },
  password_reset: {
    subject: (site) => `Reset your password on ${site}`,
    text: (site, name) => `Choose a new password for ${name} on ${site}.`,
    label: "Choose a new password",
    note: "If you did not request this, ignore this e-mail. Your password stays valid.",
  },
  alert: {
    subjects: {
      import: "an import failed",
      pull: "a database sync is overdue",
      backup: "a backup failed",
      webhook: "a webhook was disabled",
    },
    open: "Open the console",
    note: "Pazar sends at most one e-mail per hour about this.",
  },
  problems: englishProblems,
}

const tr: EmailTexts = {
  hello: (name) => `Merhaba ${name},`,
  until: (when) => `Bağlantı ${when} tarihine kadar geçerlidir, bir kez kullanılır.`,
  author_invitation: {
    subject: (site) => `${site} yazar hesabınız`,
    text: (site, name) =>
      `${site} üzerinde bir yazar hesabınız var. Bir parola belirleyin, sonra ${name} olarak giriş yapın.`,
    label: "Parola belirleyin",
    note: null,
  },
  operator_invitation: {
    subject: (site) => `${site} yönetici hesabınız`,
    text: (site, name) =>
      `${site} pazaryerinin yöneticisisiniz. Bir parola belirleyin, sonra konsola ${name} olarak giriş yapın.`,
    label: "Parola belirleyin",
    note: null,
  },
  password_reset: {
    subject: (site) => `${site} parolanızı sıfırlayın`,
    text: (site, name) => `${site} üzerindeki ${name} hesabı için yeni bir parola belirleyin.`,
    label: "Yeni parola belirleyin",
    note: "Bunu siz istemediyseniz bu e-postayı yok sayın. Parolanız geçerli kalır.",
  },
  alert: {
    subjects: {
      import: "bir içe aktarma başarısız oldu",
      pull: "bir veritabanı eşitlemesi gecikti",
      backup: "yedek alınamadı",
      webhook: "bir webhook devre dışı bırakıldı",
    },
    open: "Konsolu açın",
    note: "Pazar bu konuda saatte en çok bir e-posta gönderir.",
  },
  problems: turkishProblems,
}

export const texts: Readonly<Record<Locale, EmailTexts>> = { en, tr }
