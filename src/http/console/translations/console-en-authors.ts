import { count } from "../../pages/translations/plurals.ts"

export const authors = {
  title: "Authors",
  search: "Name, e-mail or username",
  none: "There are no authors yet. Import some with “pazar import FILE”.",
  noMatch: (text: string) => `No author matches “${text}”.`,
  total: (n: number) => count(n, "author", "authors"),
  author: "Author",
  active: "Active",
  invited: "Invited",
  noPassword: "No password",
  suspended: "Suspended",
  calls: "Calls, 7 days",
  sorts: {
    calls: "Most calls",
    seen: "Last page or key use",
    name: "Username",
  },
  suspendedByShop: "Suspended by your shop",
  suspendedByOperator: "Suspended by an operator",
  lastSeen: "Last page or key use",
  noSession: "No open session",
}

export const author = {
  tabs: "What belongs to this author",
  logTitle: (username: string) => `Why calls failed: ${username}`,
  logIntro:
    "Failed calls of the last seven days. Calls of one day that look the same here are one line. Codes of other authors are masked.",
  noLog: "No call failed in the last seven days.",
  created: "Created",
  noKeys: "This author has no keys.",
  otherKeys: (n: number) => `${count(n, "more key is", "more keys are")} not shown.`,
  allEvents: "All events",
  links: {
    invite: (when: string) =>
      `Send this link to the author. It works once, until ${when}, and is shown here for five minutes, or until you make another link.`,
    "sign-in-link": (when: string) => `This link signs the author in, once, until ${when}.`,
  },
  actions: {
    invite: {
      title: (name: string) => `Invite ${name}`,
      text: "Makes a link by which the author chooses a password. It works once, for seven days. Choosing a password ends the author's sessions and other links.",
      submit: "Make an invitation",
    },
    "sign-in-link": {
      title: (name: string) => `Sign-in link for ${name}`,
      text: "Makes a link that signs the author in without a password; it asks for a code if the author has a second factor. It works once, within two minutes. The person who opens it acts as this author.",
      submit: "Make a sign-in link",
    },
    "remove-factor": {
      title: (name: string) => `Remove the second factor of ${name}`,
      text: "For an author who lost phone and recovery codes. From then on the password or a link alone signs the author in. Make sure that it is the author who asks.",
      submit: "Remove the second factor",
    },
    suspend: {
      title: (name: string) => `Suspend ${name}`,
      text: "Within a second every key of this author is refused, so that products which ask with them cannot validate purchases. Sessions end and sign-ins are refused. Nothing is deleted. It stays so, whatever your shop says, until an operator resumes the author.",
      submit: "Suspend",
    },
    resume: {
      title: (name: string) => `Resume ${name}`,
      text: "The author's keys work again within a second, and the author can sign in. If your shop says again that the author is suspended, that counts.",
      submit: "Resume",
    },
  },
  revoke: (username: string, calls: number) =>
    `This key of ${username} stops working within a second, for good. It was used for ${count(calls, "call", "calls")} within the last 7 days.`,
}

export const audit = {
  title: "Audit",
  intro:
    "What authors, operators and programs with an operator token did, and what your shop said then, newest first. Events are kept for 400 days.",
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
    feed: "Feeds",
    token: "Operator tokens",
    webhook: "Webhooks",
  },
  filter: "Filter",
  none: "Nothing has been recorded yet.",
  noMatch: "No event matches this filter.",
  older: "Older",
  when: "When",
  who: "Who",
  what: "What",
  subject: "Subject",
  somebody: "Somebody",
  actors: {
    author: (name: string) => `Author ${name}`,
    operator: (name: string) => `Operator ${name}`,
    command: (_: string) => "Command line",
    token: (name: string) => `Token ${name}`,
    feed: (name: string) => `Feed ${name}`,
  },
  /** The last word of the feed before an operator's, or its new one. */
  feedState: (isByFeed: boolean, kind: string) =>
    `Your shop said: ${isByFeed ? "" : "not "}${kind === "account" ? "suspended" : "refunded"}`,
  actions: {
    key: {
      created: "Key created",
      revealed: "Key revealed",
      renamed: "Key renamed",
      replaced: "Key replaced",
      revoked: "Key revoked",
    },
    account: {
      invited: "Invitation made",
      sign_in_link: "Sign-in link made",
      password: "Password set",
      suspended: "Suspended",
      resumed: "Resumed",
      feed_word: "Your shop changed its word",
      second_factor_on: "Second factor turned on",
      second_factor_off: "Second factor turned off",
    },
    item: { site_limit: "Site limit set" },
    purchase: {
      refunded: "Marked as refunded",
      refund_taken_back: "Refund undone",
      feed_word: "Your shop changed its word",
      site_released: "Site released",
    },
    operator: {
      created: "Operator created",
      invited: "Link made for an operator",
      password: "Operator's password set",
      removed: "Operator removed",
      second_factor_on: "Second factor turned on",
      second_factor_off: "Second factor turned off",
      second_factor_required: "Second factor required of all operators",
      second_factor_optional: "Second factor no longer required",
      signed_in: "Signed in to the console",
      sign_in_failed: "Failed sign-in to the console",
      sign_in_slowed: "Sign-in to the console slowed down",
    },
    feed: {
      pushed: "Feed pushed",
      keys: "Keys set by a feed",
      passwords: "Passwords set by a feed (before 0.12)",
    },
    token: { created: "Token made", replaced: "Token replaced", removed: "Token removed" },
    webhook: {
      created: "Webhook made",
      changed: "Webhook changed",
      revealed: "Webhook's secret revealed",
      replaced: "Webhook's secret replaced",
      turned_off: "Webhook turned off",
      turned_on: "Webhook turned on",
      removed: "Webhook removed",
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
