/** E-mails as text and simple HTML. Names and URLs are data: they cannot become markup. */
import { describeDevice } from "../platform/http/request-head.ts"
import type { Locale } from "../platform/locale.ts"
import { translate } from "../platform/problem.ts"
import { inLocale, t } from "../platform/t.ts"
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
  const { subject, paragraphs, link, notes } = inLocale(email.locale, () => {
    if (email.kind === "change") return describeChange(email, siteName, signInUrl)
    return email.kind === "alert" ? describeAlert(email, siteName) : describeLink(email, siteName)
  })
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

function formatTime(at: Timestamp, locale: Locale): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const
  return `${new Date(at).toLocaleString(locale, format)} UTC`
}

type ChangeEmail = Extract<Email, { kind: "change" }>
type AlertEmail = Extract<Email, { kind: "alert" }>

function describeChange(email: ChangeEmail, site: string, signInUrl: string): Content {
  const { locale, change, name, team, actor } = email
  const changes: Readonly<Record<PersonChange, string>> = {
    password: t("your password was changed"),
    email: t("your e-mail address was changed"),
    removed: t("your access was removed"),
    second_factor_on: t("two-factor authentication was enabled"),
    second_factor_off: t("two-factor authentication was disabled"),
    passkey_added: t("a passkey was added"),
    passkey_removed: t("a passkey was removed"),
    identity_connected: t("single sign-on was connected"),
    identity_removed: t("single sign-on was disconnected"),
    member_owner: t("your role in the team of {team} is now: owner", { team }),
    member_developer: t("your role in the team of {team} is now: developer", { team }),
    member_support: t("your role in the team of {team} is now: support", { team }),
    member_removed: t("you were removed from the team of {team}", { team }),
    role_admin: t("your role as operator is now: admin"),
    role_support: t("your role as operator is now: support"),
    role_viewer: t("your role as operator is now: viewer"),
    operator_removed: t("you are no longer an operator"),
  }
  const device = describeDevice(actor?.device ?? "") || t("unknown")
  const details =
    actor?.name === name
      ? [t("IP range: {ipRange}", { ipRange: actor.ipRange }), t("Browser: {device}", { device })]
      : [t("Changed by: {name}", { name: actor?.name ?? site })]
  return {
    subject: `${site}: ${changes[change]}`,
    paragraphs: [
      t("Hello {name},", { name }),
      `${capitalize(changes[change], locale)}.`,
      [t("Time: {at}", { at: formatTime(email.at, locale) }), ...details].join(". "),
      t(
        "If you did not expect this, choose a new password (“Forgot your password?”), sign out everywhere under Settings, Security, and tell your marketplace.",
      ),
    ],
    link: { label: t("Open the sign-in page"), url: signInUrl },
    notes: [],
  }
}

function describeAlert({ about, problems, url, locale }: AlertEmail, site: string): Content {
  const subjects: Readonly<Record<AlertKind, string>> = {
    mass_change: t("too many deletions or revocations were stopped"),
    import: t("an import failed"),
    pull: t("a database sync is overdue"),
    backup: t("a backup failed"),
    webhook: t("a webhook was disabled"),
  }
  return {
    subject: `${site}: ${subjects[about]}`,
    paragraphs: problems.map((each) => capitalize(translate(each), locale)),
    link: { label: t("Open the console"), url },
    notes: [t("Pazar sends at most one e-mail per hour about this.")],
  }
}

type LinkTexts = Readonly<{ subject: string; request: string; label: string; note?: string }>

function describeLink(email: Exclude<Email, ChangeEmail | AlertEmail>, site: string): Content {
  const { kind, name, team = "", url, expiresAt, locale } = email
  const links: Readonly<Record<LinkEmail["kind"], LinkTexts>> = {
    author_invitation: {
      subject: t("Your author account on {site}", { site }),
      request: t(
        "You have an author account on {site}. Choose a password, then sign in as {name}.",
        { site, name },
      ),
      label: t("Choose a password"),
    },
    operator_invitation: {
      subject: t("Your operator account on {site}", { site }),
      request: t(
        "You are an operator of {site}. Choose a password, then sign in to the console as {name}.",
        { site, name },
      ),
      label: t("Choose a password"),
    },
    team_invitation: {
      subject: t("Join {team} on {site}", { team, site }),
      request: t(
        "You are invited to the workspace of {team} on {site}. If you already sign in there, sign in first.",
        { team, site },
      ),
      label: t("Accept the invitation"),
      note: t("If you do not expect this, ignore this e-mail."),
    },
    password_reset: {
      subject: t("Reset your password on {site}", { site }),
      request: t("Choose a new password for {name} on {site}.", { name, site }),
      label: t("Choose a new password"),
      note: t("If you did not request this, ignore this e-mail. Your password stays valid."),
    },
  }
  const { subject, request, label, note } = links[kind]
  const until = formatTime(expiresAt, locale)
  return {
    subject,
    paragraphs: [t("Hello {name},", { name }), request],
    link: { label, url },
    notes: [
      t("The link works once, until {until}.", { until }),
      ...(note === undefined ? [] : [note]),
    ],
  }
}

/** Problems are written in lower case for the log. In Turkish, the capital of "i" has a dot. */
const capitalize = (text: string, locale: Locale) =>
  text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(locale))
