import { en as problems } from "../../../domain/values/problems/en.ts"
import type { Texts } from "../../../domain/values/problems/problem.ts"
import { count } from "../../pages/translations/plurals.ts"
import { audit, author, authors } from "./console-en-authors.ts"
import { keys, lists, purchases, search } from "./console-en-lists.ts"

const imports = {
  title: "Imports",
  none: "No imports yet.",
  ways: { file: "Files", pull: "Database syncs", push: "API pushes" },
  noneOfWay: "None yet.",
  started: "Started",
  finished: "Finished",
  notFinished: "Interrupted or running",
  failed: "Failed",
  notReadToEnd: "The input could not be read completely:",
  nothingSaved: "Nothing was saved:",
  restNotSaved: "Only the batches before the error were saved:",
  clockAhead: "Clock ahead",
  codesRepeated: "Duplicate codes",
  repeated: (records: number, lines: readonly number[]) =>
    `${count(records, "row has", "rows have")} the purchase code of an earlier row. First rows: ${lines.map((line) => line.toLocaleString("en")).join("; ")}. A revoked row takes precedence, otherwise the last one. Return each code once in the SELECT.`,
  ahead: (records: number, seconds: number) =>
    `The clock of the source or of this server was up to ${count(seconds, "second", "seconds")} ahead. The current time replaced the timestamps of ${count(records, "record", "records")}.`,
  attentionTitle: "Imports that need attention",
  attentionHint: "An import is listed until one from the same source succeeds, for at most 7 days.",
  why: "Details",
  whyOf: (id: number) => `Why import ${id} needs attention`,
  interrupted: "Interrupted",
  needsAttention: "Needs attention",
  linesRejected: (n: number) => `${count(n, "line", "lines")} rejected`,
  source: "Source",
  accepted: "Accepted",
  adjusted: "Normalized",
  waiting: "Pending",
  rejected: "Rejected",
  removed: "Removed",
  revoked: "Revoked",
  restored: "Restored",
  pendingTitle: "Pending records",
  pendingHint: (items: number, purchases: number) =>
    `${count(items, "item refers", "items refer")} to a missing author, ${count(purchases, "purchase", "purchases")} to a missing item. Pending records are accepted when the missing record is imported; their codes are unknown until then.`,
  missing: "Missing",
  needs: { account: "author", item: "item" },
  pendingRecords: (missing: "account" | "item", n: number) =>
    missing === "account" ? count(n, "item", "items") : count(n, "purchase", "purchases"),
  pendingSince: "Since",
  noCounts: "An older version finished this import without counts.",
  runTitle: (id: number) => `Import ${id}`,
  lines: "Lines read",
  nothingRemoved: "No records were removed:",
  problems: "Rejected lines",
  noProblems: "No rejected lines.",
  record: "Record",
  problem: "Problem",
  records: {
    account: "account",
    item: "item",
    purchase: "purchase",
    key: "key",
    password: "password",
  },
  cause: "Cause",
  causes: {
    itself: "this line",
    "another line": "a required record was rejected",
    unknown: "a required record is missing",
  },
  count: "Lines",
  first: "First",
  line: (line: number) => `line ${line.toLocaleString("en")}`,
  others: (kinds: number, problems: number) =>
    `${count(kinds, "more kind", "more kinds")} of problems, ${count(problems, "line", "lines")}.`,
  report: "Download the report",
  reportHint:
    "The report contains the stored results of this import. To get every rejected line, run the import with “--report FILE”.",
}

const traffic = {
  title: "Traffic",
  countedRequests: "Requests with test keys or inactive keys are not counted.",
  byOperation: "Requests by operation",
  why: "Failed requests by error",
  noRejections: "No failed requests.",
  shipped: "Secret keys that look shipped",
  shippedHint:
    "A secret key used from many IP ranges is probably inside a product. Anyone who has it can read the author's account.",
  noShipped: "No secret key looks shipped.",
  ipRanges: "IP ranges, 7 days",
}

const status = {
  title: "Status",
  noWarnings: "No warnings. “pazar doctor” runs the same checks.",
  notWritable:
    "The database is not writable: sign-ins, imports and changes fail. See the log of the server.",
  warnings: "Warnings",
  warningsHint:
    "“pazar doctor” on the server lists the same warnings. It also checks the data, and the backups with “--backups FOLDER”.",
  /** Translations of the names of the checks. */
  checks: {},
  levels: { warning: "Warning", problem: "Problem" },
  readiness: "This server",
  ready: "Ready",
  notReady: "Not ready",
  store: "Database",
  schema: "Schema version",
  disk: "Disk",
  diskFree: (free: string, store: string) => `${free} free; database size ${store}`,
  lastBackup: "Last backup",
  postgresBackup: "Use the tools of PostgreSQL. Their backups are not shown here.",
  lastImport: "Last import",
  via: { file: "from a file", pull: "by database sync", push: "by API push" },
  unfinished: "interrupted or running",
  counts: (accepted: number, rejected: number, removed: number) =>
    `${accepted.toLocaleString("en")} accepted, ${rejected.toLocaleString("en")} rejected, ${removed.toLocaleString("en")} removed`,
  pull: "Database sync",
  interval: "Interval",
  everySeconds: (seconds: number) => `every ${count(seconds, "second", "seconds")}`,
  onceOnly: "manual",
  lastSuccess: "Last success",
  overdue: "Overdue",
  lastRun: "Last run",
  succeeded: "Succeeded",
  noPending: "none",
  pendingRecords: (items: number, purchases: number) =>
    `${count(items, "item", "items")} and ${count(purchases, "purchase", "purchases")}`,
  pendingSince: "oldest since",
  nodes: "Servers using this database",
  noNodes: "No server has reported yet. Servers report once a minute.",
  host: "Host",
  threads: "Threads",
  since: "Running since",
}

/** Texts of the console that the workspace does not have, in English. */
export const en = {
  console: "Console",
  toStatus: "Go to the status",
  done: {
    password: "The password was changed. All other sessions were signed out.",
    first_password: "Your password is set. Sign in with it.",
    welcome: "Your password is set, and you are signed in.",
    operator_invited: "The link was created.",
    operator_removed: "The operator was deleted.",
    second_factor_required: "2FA is now required for every operator.",
    second_factor_optional: "2FA is now optional.",
    signed_out: "You were signed out everywhere.",
    second_factor_on: "2FA was enabled. Each sign-in now requires a code.",
    second_factor_off: "2FA was disabled.",
    invite: "The invitation was created.",
    "sign-in-link": "The sign-in link was created.",
    "remove-factor": "2FA of the author was removed.",
    suspend: "The author was suspended.",
    resume: "The author was resumed.",
    revoke: "The key was revoked.",
    refund: "The purchase was marked as refunded.",
    "take-back": "The refund was undone.",
    release: "The site was released.",
    "release-all": "All sites were released.",
  },
  signIn: {
    intro: (site: string) => `For operators of ${site}.`,
    codeHint: "From your authenticator app, or a recovery code. Leave empty without 2FA.",
    wrong: "Wrong name, password or code.",
  },
  invitationGone:
    "This link was already used or has expired. Ask another operator for a new one, or run “pazar operator password NAME --link”.",
  operators: {
    title: "Operators",
    operator: "Operator",
    you: "(you)",
    actions: "Actions",
    signIns: "Sign-ins and changes",
    link: (name: string, when: string) =>
      `Send this link to ${name}. It works once, until ${when}. This page shows it for five minutes, or until you create another link.`,
    taken: "An operator with this name already exists.",
    badName: "1 to 64 letters, digits, dots, dashes, _ or @, without spaces.",
    invite: {
      title: "Invite an operator",
      text: "Creates a link that works once within seven days. The operator sets a password with it and is signed in. Operators have full access to this console.",
      submit: "Invite operator",
    },
    newLink: {
      title: (name: string) => `New link for ${name}`,
      text: "Creates another link that works once within seven days. The operator sets a password with it and is signed in. Earlier links work until a password is set.",
      submit: "Create link",
    },
    reset: {
      title: (name: string) => `Reset the password of ${name}`,
      text: "Creates a link that works once within seven days. The operator sets a new password with it. The old password works until then. A new password ends the operator's sessions; 2FA stays enabled.",
      submit: "Reset password",
    },
    remove: {
      title: (name: string) => `Delete ${name}`,
      text: "The operator is signed out everywhere immediately. Password, links and 2FA are deleted. Events of the operator stay in the audit log.",
      submit: "Delete",
    },
    rule: {
      required: "Required",
      optional: "Optional",
      requiredText: "Operators must set up 2FA before they can use the console.",
      optionalText: "Each operator decides. Without 2FA, a stolen password is enough to sign in.",
      require: {
        title: "Require 2FA?",
        text: "Every operator without 2FA, including you, must set it up before using the console.",
        submit: "Require 2FA",
      },
      drop: {
        title: "Make 2FA optional?",
        text: "Each operator decides. 2FA stays enabled for operators who have set it up.",
        submit: "Make 2FA optional",
      },
    },
  },
  problems: problems satisfies Texts as Texts,
  status,
  traffic,
  purchases,
  keys,
  imports,
  authors,
  author,
  lists,
  search,
  audit,
  settings: {
    intro:
      "Settings are environment variables. Restart the server to change one. Secrets are not shown.",
    name: "Setting",
    value: "Value",
    origin: "Source",
    none: "none",
    origins: { environment: "environment", file: "a file", default: "default" },
    file: (path: string) => `file ${path}`,
  },
}

export type ConsoleTexts = typeof en
