/** E-mails as text and simple HTML. Names and URLs are data: they cannot become markup. */
import type { Email } from "../domain/mail/email.ts"
import { describe } from "../domain/values/problems/problem.ts"
import { texts } from "./texts.ts"

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
    `<p style="${style}">${escapeHtml(text)}</p>`
  return [
    `<!doctype html><html lang="${locale}"><meta charset="utf-8">`,
    '<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 1em auto; padding: 0 1em">',
    ...paragraphs.map(toParagraph("margin: 1em 0")),
    `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`,
    ...notes.map(toParagraph("margin: 1em 0; font-size: 14px")),
    "</body></html>\n",
  ].join("\n")
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (each) => entities[each] ?? each)
