import type { AlertKind } from "../domain/mail/email.ts"
import type { Locale } from "../domain/values/locale.ts"
import { en as englishProblems } from "../domain/values/problems/en.ts"
import type { Texts } from "../domain/values/problems/problem.ts"
import { tr as turkishProblems } from "../domain/values/problems/tr.ts"

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
