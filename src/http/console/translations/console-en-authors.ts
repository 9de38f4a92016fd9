import { count } from "../../pages/translations/plurals.ts"

export const authors = {
  title: "Authors",
  search: "Name, e-mail or username",
  none: "No authors yet. Import them with “pazar import FILE”.",
  noMatch: (text: string) => `No author matches “${text}”.`,
  total: (n: number) => count(n, "author", "authors"),
  author: "Author",
  active: "Active",
  invited: "Invited",
  noPassword: "No password",
  suspended: "Suspended",
  requests: "Requests, 7 days",
  sorts: {
    calls: "Most requests",
    seen: "Last active",
    name: "Username",
  },
  suspendedByShop: "Suspended by import",
  suspendedByOperator: "Suspended by an operator",
  lastSeen: "Last active",
  noSession: "No session",
}

export const author = {
  tabs: "Pages of this author",
  logTitle: (username: string) => `Failed requests: ${username}`,
  logIntro:
    "The last 7 days. Requests of one day with the same values are one entry. Codes of other authors are masked.",
  noLog: "No failed requests in the last 7 days.",
  created: "Created",
  noKeys: "This author has no keys.",
  otherKeys: (n: number) => `${count(n, "more key is", "more keys are")} not shown.`,
  allEvents: "All events",
  links: {
    invite: (when: string) =>
      `Send this link to the author. It works once, until ${when}. This page shows it for five minutes, or until you create another link.`,
    "sign-in-link": (when: string) => `This link signs the author in, once, until ${when}.`,
  },
  actions: {
    invite: {
      title: (name: string) => `Invite ${name}`,
      text: "Creates a link that works once within seven days. The author sets a password with it, which ends the author's sessions and other links.",
      submit: "Create invitation",
    },
    "sign-in-link": {
      title: (name: string) => `Sign-in link for ${name}`,
      text: "Creates a link that works once within two minutes and signs in without a password. It requires a code if the author uses 2FA. Whoever opens it acts as this author.",
      submit: "Create sign-in link",
    },
    "remove-factor": {
      title: (name: string) => `Remove 2FA of ${name}`,
      text: "For an author who lost both phone and recovery codes. The password or a link is then enough to sign in. Make sure that the request is from the author.",
      submit: "Remove 2FA",
    },
    suspend: {
      title: (name: string) => `Suspend ${name}`,
      text: "All keys of this author are rejected within a second, so products cannot validate purchases with them. Sessions end and sign-ins are rejected. No data is deleted. This override takes precedence over imports until an operator resumes the author.",
      submit: "Suspend",
    },
    resume: {
      title: (name: string) => `Resume ${name}`,
      text: "The author's keys are accepted again within a second, and the author can sign in. A later import can suspend the author again.",
      submit: "Resume",
    },
  },
  revoke: (username: string, calls: number) =>
    `Requests with this key of ${username} are rejected within a second: ${count(calls, "request", "requests")} in the last 7 days. You cannot undo this.`,
}

export const audit = {
  title: "Audit log",
  intro:
    "Actions of authors, operators, operator tokens and imports, newest first. Events are kept for 400 days.",
  username: "Username of the author",
  unknown: "No author has this username.",
  kind: "About",
  everything: "Everything",
  allOf: (kind: string) => `${kind}: all`,
  kinds: {
    key: "Keys",
    account: "Accounts",
    item: "Items",
    purchase: "Purchases",
    operator: "Operators",
    feed: "Imports",
    token: "Operator tokens",
    webhook: "Webhooks",
  },
  filter: "Filter",
  none: "No events yet.",
  noMatch: "No event matches this filter.",
  older: "Older",
  who: "Who",
  subject: "Subject",
  somebody: "Unknown",
  actors: {
    author: (name: string) => `Author ${name}`,
    operator: (name: string) => `Operator ${name}`,
    command: (_: string) => "Command line",
    token: (name: string) => `Token ${name}`,
    feed: (name: string) => `Import ${name}`,
  },
  /** The imported state before an operator override, or the new one. */
  feedState: (isByFeed: boolean, kind: string) =>
    `Imported state: ${isByFeed ? "" : "not "}${kind === "account" ? "suspended" : "refunded"}`,
  actions: {
    key: {
      created: "Key created",
      revealed: "Key revealed",
      renamed: "Key renamed",
      replaced: "Key rotated",
      revoked: "Key revoked",
    },
    account: {
      invited: "Invitation created",
      sign_in_link: "Sign-in link created",
      password: "Password set",
      suspended: "Suspended",
      resumed: "Resumed",
      feed_word: "State changed by import",
      second_factor_on: "2FA enabled",
      second_factor_off: "2FA disabled",
    },
    item: { site_limit: "Site limit set" },
    purchase: {
      refunded: "Marked as refunded",
      refund_taken_back: "Refund undone",
      feed_word: "State changed by import",
      site_released: "Site released",
    },
    operator: {
      created: "Operator created",
      invited: "Link created for an operator",
      password: "Operator password set",
      removed: "Operator deleted",
      second_factor_on: "2FA enabled",
      second_factor_off: "2FA disabled",
      second_factor_required: "2FA required for operators",
      second_factor_optional: "2FA made optional for operators",
      signed_in: "Console sign-in",
      sign_in_failed: "Console sign-in failed",
      sign_in_slowed: "Console sign-in rate limited",
    },
    feed: {
      pushed: "Records pushed",
      keys: "Keys imported",
      passwords: "Passwords imported (before 0.12)",
    },
    token: { created: "Token created", replaced: "Token rotated", removed: "Token deleted" },
    webhook: {
      created: "Webhook created",
      changed: "Webhook updated",
      revealed: "Webhook secret revealed",
      replaced: "Webhook secret rotated",
      turned_off: "Webhook disabled",
      turned_on: "Webhook enabled",
      removed: "Webhook deleted",
    },
  },
  many: {
    signed_in: (n: number) => count(n, "time", "times"),
    sign_in_failed: (n: number) => count(n, "time", "times"),
    sign_in_slowed: (n: number) => count(n, "time", "times"),
    invited: (n: number) => count(n, "invitation", "invitations"),
    pushed: (n: number) => count(n, "record", "records"),
    keys: (n: number) => count(n, "key", "keys"),
    passwords: (n: number) => count(n, "password", "passwords"),
  },
}
