import { currentLocale, fill, inLocale, type TextKey, t } from "./t.ts"

type Params = Readonly<Record<string, string | number>>

/** Why an import failed, or what `pazar doctor` found. Stored as JSON. */
export type Message = Readonly<{ code: keyof typeof problemTexts; params: Params }>

/** Why a record was rejected, or a field got its default. `field` is `record` for the whole line. */
export type Problem = Message & Readonly<{ field: string }>

export const message = (code: Message["code"], params: Params = {}): Message => ({ code, params })

export const problem = (field: string, code: Message["code"], params: Params = {}): Problem => ({
  field,
  code,
  params,
})

type Described = Message & Readonly<{ field?: string }>

/** In English, as in logs, in the output of commands and in the API. */
export const describe = (described: Described) => inLocale("en", () => translate(described))

/** In the language of the reader. Numbers in the sentence itself are not formatted. */
export function translate({ code, params, field }: Described): string {
  const text = problemTexts[code]
  if (typeof text === "function") return text(params, field)
  const values = Object.entries(params).map(([name, value]) => [name, String(value)])
  return fill(text, Object.fromEntries(values))
}

type Text = TextKey | ((params: Params, field?: string) => string)
type Value = string | number | undefined

const format = (n: number) => n.toLocaleString(currentLocale())
const megabytes = (bytes: Value) => `${format(Math.floor(Number(bytes) / 1000 ** 2))} MB`
const kilobytes = (bytes: Value) => `${format(Math.ceil((Number(bytes) / 1024) * 10) / 10)} KB`

const nouns = ["account", "item", "purchase", "accounts", "items", "purchases"] as const

function translateNoun(type: Value): string {
  const noun = nouns.find((each) => each === type)
  return noun === undefined ? `${type}` : t(noun)
}

/** `limit` is `1% (at least 20, at most 100)`, unless it was set. */
function describeExcess({ type, records, total, option, allowed, atLeast, atMost }: Params) {
  const percent = String(Number(((Number(records) / Number(total)) * 100).toPrecision(4)))
  const of = {
    records: Number(records),
    total: Number(total),
    nouns: translateNoun(`${type}s`),
    percent,
  }
  const bounds = [
    ...(atLeast === undefined ? [] : [t("at least {n}", { n: Number(atLeast) })]),
    ...(atMost === undefined ? [] : [t("at most {n}", { n: Number(atMost) })]),
  ]
  return {
    share: t("{records} of {total} {nouns} ({percent}%)", of),
    option: `${option}`,
    limit: bounds.length === 0 ? `${allowed}` : `${allowed} (${bounds.join(", ")})`,
  }
}

const describeWaiting = ({ count, since, until }: Params) =>
  Number(count) === 1
    ? t("1 e-mail has been waiting since {since}, and is tried until {until}", {
        since: `${since}`,
        until: `${until}`,
      })
    : t("{n} e-mails have been waiting since {since}; the first one is tried until {until}", {
        n: Number(count),
        since: `${since}`,
        until: `${until}`,
      })

export const problemTexts = {
  // A field.
  missing: "is missing",
  empty: "must not be empty",
  empty_list: "must not be an empty array; omit the field",
  not_an_object: "must be an object",
  not_a_list: "must be an array",
  not_a_string: "must be a string",
  not_a_number: "must be a number",
  not_a_boolean: "must be true or false",
  not_an_integer: "must be an integer from {min} to {max}",
  not_a_url: "must be an http or https URL",
  not_an_https_url: "must be an https URL",
  signed_parameter: "must not have the parameters expires and signature, which Pazar adds",
  not_a_currency: "must be a currency code of three letters",
  not_a_version: "must be a version number such as 1.4.0",
  not_a_timestamp: "must be an ISO 8601 timestamp with a time zone, such as 2026-01-31T02:00:00Z",
  no_time_zone: "has no time zone; add one, or set --timezone or timezone in the sync file",
  no_such_time: "is a date or time that does not exist",
  before_1970: "must not be before 1970",
  not_a_username: "must have 1 to {max} characters and no leading or trailing whitespace",
  not_a_code:
    "must have 1 to {max} characters in normal form (NFKC, plain dashes, no invisible characters, no leading or trailing whitespace)",
  placeholder: ({ value }, field) => {
    const shown = { value: value === undefined ? t("the value") : JSON.stringify(value) }
    return field === "api_key"
      ? t("{value} is a placeholder, not an API key; omit the field", shown)
      : t("{value} is a placeholder, not a purchase code", shown)
  },
  untrimmed: "must not have leading or trailing whitespace",
  issued_key: ({ prefix = t("a prefix") }) =>
    t("starts with {prefix} reserved for keys that Pazar creates; omit the field", { prefix }),
  damaged_text: "contains the replacement character U+FFFD; check the encoding of the source",
  invalid_character: "contains a NUL character or an unpaired surrogate; remove it",
  too_long: ({ max }) => t("must have at most {max} characters", { max: Number(max) }),
  too_many_entries: ({ max }) => t("must have at most {max} entries", { max: Number(max) }),
  too_many_digits: "has more digits than a number can represent; round it",
  duplicate_field: "appears twice; remove one",
  unknown_field: "is not a known field; correct or remove it",
  unknown_type: "must be account, item or purchase",
  not_removable: "is required; a patch cannot remove it",
  patch_of_deleted: "cannot be combined with deleted; remove one of them",

  // A line.
  line_too_long: ({ max }) => t("must have at most {max} bytes", { max: Number(max) }),
  invalid_json: "is not valid JSON",
  item_too_large: ({ bytes, max }) =>
    bytes === undefined
      ? t("the item must take at most {max}; shorten its texts or lists", { max: kilobytes(max) })
      : t("the item must take at most {max}, not {bytes}; shorten its texts or lists", {
          max: kilobytes(max),
          bytes: kilobytes(bytes),
        }),
  invalid_utf8: "is not valid UTF-8",
  too_deep: "is nested too deeply",

  // Conflicts between a record and the database.
  unknown_account: ({ username }) =>
    username === undefined
      ? t("the account does not exist; import it first")
      : t("account {username} does not exist; import it first", { username }),
  unknown_item: ({ id }) =>
    id === undefined
      ? t("the item does not exist; import it first")
      : t("item {id} does not exist; import it first", { id: String(id) }),
  unknown_purchase: ({ code }) =>
    code === undefined
      ? t("the purchase does not exist; import it first")
      : t("purchase {code} does not exist; import it first", { code }),
  too_many_pending: ({ max }) =>
    t(
      "the record that it refers to does not exist, and {max} records are already pending; import the missing records first",
      { max: Number(max) },
    ),
  has_items:
    "the account still has items, or keys for items that moved to another author; delete or move the items and revoke the keys first",
  has_purchases: "the item still has purchases; delete them first",
  key_of_other_account:
    "belongs to another account; if that account was renamed, set `was` to its old name",
  both_accounts_exist: "accounts exist under both names; omit `was`, or delete one of them",
  item_of_other_author: "the item belongs to another author; to move it, set `was_author`",
  code_of_other_author: ({ item }) =>
    item === undefined
      ? t("the purchase code belongs to an item of another author; use a unique code")
      : t("the purchase code belongs to item {item} of another author; use a unique code", {
          item: String(item),
        }),

  // A run.
  too_many_deletes: (params) =>
    t(
      "stopped before deleting {share}; {option} allows {limit} per type; if this is intended, raise {option} and run it again",
      describeExcess(params),
    ),
  too_many_revokes: (params) =>
    t(
      "stopped before revoking {share}; {option} allows {limit}; if this is intended, raise {option} and run it again",
      describeExcess(params),
    ),
  too_many_missing: (params) =>
    t(
      "{share} are not in the feed; {option} allows {limit} per type; if they were really deleted, import it again with {option} {needed}",
      { ...describeExcess(params), needed: `${params.needed}` },
    ),
  unnamed_record: ({ line, row }) =>
    row
      ? t("line {line} does not identify a record ({row}); correct it", {
          line: `${line}`,
          row: `${row}`,
        })
      : t("line {line} does not identify a record; correct it", { line: `${line}` }),
  no_end_line: "the end line is missing; the feed may be truncated",
  records_after_end: "records follow the end line; move it to the end",
  wrong_end_count: ({ type, expected, found }) =>
    t("the end line counts {expected} {nouns}, but the feed has {found}", {
      expected: `${expected}`,
      nouns: translateNoun(type),
      found: `${found}`,
    }),
  timestamps_ahead: ({ records, seconds }) =>
    t(
      "the timestamps of {records record|records} were up to {seconds} s in the future and count as now; synchronize the clocks of the source and this machine",
      { records: Number(records), seconds: Number(seconds) },
    ),
  records_repeated: ({ records }) =>
    t(
      "{records row repeats|rows repeat} an earlier one; a revoked row takes precedence, then the first one; select each record once",
      { records: Number(records) },
    ),
  rejected_strictly: "at least one record or deletion was rejected; --strict then writes nothing",
  internal_error: "internal error; see the output of the command",
  /** The message of a system or a database. */
  other: ({ text }) => `${text}`,

  // An attempt to deliver a webhook.
  no_response: "no response within {seconds} s",
  connection_closed: "the connection was closed without a response",
  connection_failed: "connection failed ({reason})",
  not_http: "the response is not HTTP",
  url_without_tls: "the URL must begin with https://",
  address_not_allowed: "the host does not resolve to an allowed address",

  // Findings of `pazar doctor` and the console.
  standby: "the database is a standby and does not accept writes",
  name_primary: "Include the primary in DATABASE_URL, alone or among several hosts.",
  read_only: "the database is read-only",
  allow_writes:
    "Check default_transaction_read_only of the role, the database and the server. Some providers set it when the disk is full.",
  key_not_needed: "the previous key is no longer needed",
  remove_previous_key:
    "Remove PAZAR_MASTER_KEY_PREVIOUS and PAZAR_MASTER_KEY_PREVIOUS_FILE from the settings of all servers.",
  key_still_needed: "some data is encrypted with the previous key",
  run_reseal: "Start all servers with both keys, then run `pazar master-key reseal`.",
  put_back_key:
    "If the key was lost or replaced, restore it from your copy. Running servers still hold it in memory, but cannot restart without it.",
  import_failed: "import {id} from {source} failed",
  import_interrupted: "import {id} from {source} was interrupted after line {line}",
  import_rejected: ({ id, source, lines }) =>
    t("import {id} from {source} rejected {lines line|lines}", {
      id: `${id}`,
      source: `${source}`,
      lines: Number(lines),
    }),
  import_removed_nothing: "import {id} from {source} deleted nothing",
  see_import:
    "Correct the data or its source and import it again. `pazar imports {id}` prints the details.",
  pull_overdue: ({ name, at }) =>
    at === undefined
      ? t("{name} is overdue: it never succeeded", { name: `${name}` })
      : t("{name} is overdue: it last succeeded at {at}", { name: `${name}`, at }),
  see_pull: "Check the service that runs the database sync: later sales are missing.",
  older_server: "the server on {host} runs version {own}, older than {newest}",
  install_newest: "Install the newest version on this server and restart it.",
  no_backup: "no backup exists",
  set_up_backups: "Set PAZAR_BACKUP_DIR, or run `pazar backup` regularly; see docs/backup.md.",
  start_server: "Start the server: it writes the first backup to PAZAR_BACKUP_DIR.",
  backup_age: ({ hours }) =>
    Number(hours) < 48
      ? t("the newest is {hours hour|hours} old", { hours: Number(hours) })
      : t("the newest is {days} days old", { days: Math.floor(Number(hours) / 24) }),
  repair_backups:
    "Check the server or the timer that creates backups, and run `pazar backup` by hand.",
  backup_failed: "the server failed to create a backup: {text}",
  backup_retried:
    "The server retries every ten minutes. Check that PAZAR_BACKUP_DIR has free space and is writable.",
  records_wait: ({ records, type, identity }) => {
    const needed = { noun: translateNoun(type), identity: `${identity}` }
    return records === 1
      ? t("1 record has been pending for more than a day; it needs {noun} {identity}", needed)
      : t("{records} records are pending, some for more than a day; most need {noun} {identity}", {
          records: Number(records),
          ...needed,
        })
  },
  find_needed: "Run `pazar imports` to see why the records they need were rejected or never sent.",
  endpoint_off: ({ url, owner }) =>
    owner === undefined
      ? t("the webhook {url} of the operators was disabled", { url: `${url}` })
      : t("the webhook {url} of {owner} was disabled", { url: `${url}`, owner }),
  endpoint_gone: "its URL returned 410",
  endpoint_failing: "every attempt failed for five days",
  endpoint_full: "too many messages were pending",
  endpoint_failed: "deliveries to the webhook {url} of the operators have failed since {at}",
  check_receiver: "Check its server: it must respond 2xx within the timeout.",
  endpoint_owner: "Its owner can enable it when its server accepts messages again.",
  mail_certificate: "the certificate of the mail server {server} was rejected: {reason}",
  mail_no_tls: "the mail server {server} does not offer TLS",
  mail_credentials: "the mail server {server} rejected the user or the password ({status})",
  mail_host: "the host name of the mail server {server} does not resolve",
  mail_connection: "the mail server {server} does not respond ({reason})",
  mail_response: "the mail server {server} rejected an e-mail ({status})",
  mail_down: ({ at, ...waiting }) => {
    const text = t("no e-mail could be sent since {at}", { at: `${at}` })
    return waiting.count === 0 ? text : `${text}; ${describeWaiting(waiting)}`
  },
  mail_delayed: (waiting) => describeWaiting(waiting),
  check_mail: "Check PAZAR_SMTP_URL and the mail server; `pazar doctor` tries to connect.",
  not_https: "PAZAR_PUBLIC_URL is not an https URL",
  use_tls: "Put a TLS proxy in front: keys and codes must not travel unencrypted.",
  no_trusted_proxies:
    "PAZAR_TRUSTED_PROXIES is not set, so all requests appear to come from the proxy",
  set_proxies: "Set it to the IP address of the TLS proxy.",
  disk_space: ({ free, used }) =>
    t("{free} are free; the database uses {used}", {
      free: megabytes(free),
      used: megabytes(used),
    }),
  free_disk: "Free disk space: a backup or an upgrade needs as much space as the database.",
  file_limit: ({ max }) => t("a process may open {max} files", { max: Number(max) }),
  raise_file_limit:
    "Raise the limit of the server's process: `ulimit -n 65536`, or LimitNOFILE in systemd.",
  open_to_all: "every user of this machine can read or write {path}",
  open_to_group: "the group of {path} can read or write it",
  open_folder: "every user can write to {path}",
  run_chmod: "Run `chmod {mode} {path}`.",
  clock_behind: "it shows {now}, but the last record in the database is from {newest}",
  clock_differs: "it differs from the database's clock by {seconds} s",
  sync_clocks:
    "Synchronize the clocks, for example with `timedatectl set-ntp true`: expiry, sessions and signatures depend on them.",
  sync_clocks_behind:
    "Synchronize the clocks, for example with `timedatectl set-ntp true`. If they are right by now, this ends with the next import or change.",
} as const satisfies Readonly<Record<string, Text>>
