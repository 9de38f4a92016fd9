/** The texts of all problems in English. Summaries omit the values of single records, so each text works without them. */

export type Params = Readonly<Record<string, string | number>>

const count = (value: string | number | undefined) => Number(value).toLocaleString("en")

const megabytes = (bytes: string | number | undefined) =>
  `${count(Math.floor(Number(bytes) / 1000 ** 2))} MB`

const kilobytes = (bytes: string | number | undefined) =>
  `${count(Math.ceil((Number(bytes) / 1024) * 10) / 10)} KB`

const share = ({ type, records, total }: Params) =>
  `${count(records)} of ${count(total)} ${type}s (${Number(((Number(records) / Number(total)) * 100).toPrecision(4))}%)`

/** `1% (at least 20, at most 100)`, unless the limit was set. */
function limit({ allowed, atLeast, atMost }: Params): string {
  const bounds = [
    atLeast === undefined ? [] : `at least ${count(atLeast)}`,
    atMost === undefined ? [] : `at most ${count(atMost)}`,
  ].flat()
  return bounds.length === 0 ? `${allowed}` : `${allowed} (${bounds.join(", ")})`
}

const waitingEmails = ({ count: emails, since, until }: Params) =>
  Number(emails) === 1
    ? `1 e-mail has been waiting since ${since}, and is tried until ${until}`
    : `${count(emails)} e-mails have been waiting since ${since}; the first one is tried until ${until}`

export const en = {
  // A field.
  missing: "is missing",
  empty: "must not be empty",
  empty_list: "must not be an empty array; omit the field",
  not_an_object: "must be an object",
  not_a_list: "must be an array",
  not_a_string: "must be a string",
  not_a_number: "must be a number",
  not_a_boolean: "must be true or false",
  not_an_integer: ({ min, max }: Params) => `must be an integer from ${min} to ${max}`,
  not_a_url: "must be an http or https URL",
  not_an_https_url: "must be an https URL",
  signed_parameter: "must not have the parameters expires and signature, which Pazar adds",
  not_a_currency: "must be a currency code of three letters",
  not_a_version: "must be a version number such as 1.4.0",
  not_a_timestamp: "must be an ISO 8601 timestamp with a time zone, such as 2026-01-31T02:00:00Z",
  no_time_zone: "has no time zone; add one, or set --timezone or timezone in the sync file",
  no_such_time: "is a date or time that does not exist",
  before_1970: "must not be before 1970",
  not_a_username: ({ max }: Params) =>
    `must have 1 to ${max} characters and no leading or trailing whitespace`,
  not_a_code: ({ max }: Params) =>
    `must have 1 to ${max} characters in normal form (NFKC, plain dashes, no invisible characters, no leading or trailing whitespace)`,
  placeholder: ({ value }: Params, field?: string) =>
    `${value === undefined ? "the value" : JSON.stringify(value)} is a placeholder, not ${field === "api_key" ? "an API key; omit the field" : "a purchase code"}`,
  untrimmed: "must not have leading or trailing whitespace",
  issued_key: ({ prefix }: Params) =>
    `starts with ${prefix ?? "a prefix"} reserved for keys that Pazar creates; omit the field`,
  damaged_text: "contains the replacement character U+FFFD; check the encoding of the source",
  invalid_character: "contains a NUL character or an unpaired surrogate; remove it",
  too_long: ({ max }: Params) => `must have at most ${count(max)} characters`,
  too_many_entries: ({ max }: Params) => `must have at most ${count(max)} entries`,
  too_many_digits: "has more digits than a number can represent; round it",
  duplicate_field: "appears twice; remove one",
  unknown_field: "is not a known field; correct or remove it",
  unknown_type: "must be account, item or purchase",
  not_removable: "is required; a patch cannot remove it",
  patch_of_deleted: "cannot be combined with deleted; remove one of them",

  // A line.
  line_too_long: ({ max }: Params) => `must have at most ${count(max)} bytes`,
  invalid_json: "is not valid JSON",
  item_too_large: ({ bytes, max }: Params) =>
    `the item must take at most ${kilobytes(max)}${bytes === undefined ? "" : `, not ${kilobytes(bytes)}`}; shorten its texts or lists`,
  invalid_utf8: "is not valid UTF-8",
  too_deep: "is nested too deeply",

  // Conflicts between a record and the database.
  unknown_account: ({ username }: Params) =>
    `${username === undefined ? "the account" : `account ${username}`} does not exist; import it first`,
  unknown_item: ({ id }: Params) =>
    `${id === undefined ? "the item" : `item ${id}`} does not exist; import it first`,
  unknown_purchase: ({ code }: Params) =>
    `${code === undefined ? "the purchase" : `purchase ${code}`} does not exist; import it first`,
  too_many_pending: ({ max }: Params) =>
    `the record that it refers to does not exist, and ${count(max)} records are already pending; import the missing records first`,
  has_items:
    "the account still has items, or keys for items that moved to another author; delete or move the items and revoke the keys first",
  has_purchases: "the item still has purchases; delete them first",
  key_of_other_account:
    "belongs to another account; if that account was renamed, set `was` to its old name",
  both_accounts_exist: "accounts exist under both names; omit `was`, or delete one of them",
  item_of_other_author: "the item belongs to another author; to move it, set `was_author`",
  code_of_other_author: ({ item }: Params) =>
    `the purchase code belongs to ${item === undefined ? "an item" : `item ${item}`} of another author; use a unique code`,

  // A run.
  too_many_deletes: (params: Params) =>
    `stopped before deleting ${share(params)}; ${params.option} allows ${limit(params)} per type; if this is intended, raise ${params.option} and run it again`,
  too_many_revokes: (params: Params) =>
    `stopped before revoking ${share(params)}; ${params.option} allows ${limit(params)}; if this is intended, raise ${params.option} and run it again`,
  too_many_missing: (params: Params) =>
    `${share(params)} are not in the feed; ${params.option} allows ${limit(params)} per type; if they were really deleted, import it again with ${params.option} ${params.needed}`,
  unnamed_record: ({ line, row }: Params) =>
    `line ${line} does not identify a record${row ? ` (${row})` : ""}; correct it`,
  no_end_line: "the end line is missing; the feed may be truncated",
  records_after_end: "records follow the end line; move it to the end",
  wrong_end_count: ({ type, expected, found }: Params) =>
    `the end line counts ${expected} ${type}, but the feed has ${found}`,
  timestamps_ahead: ({ records, seconds }: Params) =>
    `the timestamps of ${records === 1 ? "1 record" : `${count(records)} records`} were up to ${count(seconds)} s in the future and count as now; synchronize the clocks of the source and this machine`,
  records_repeated: ({ records }: Params) =>
    `${records === 1 ? "1 row repeats" : `${count(records)} rows repeat`} an earlier one; a revoked row takes precedence, then the first one; select each record once`,
  rejected_strictly: "at least one record or deletion was rejected; --strict then writes nothing",
  internal_error: "internal error; see the output of the command",
  /** The message of a system or a database. */
  other: ({ text }: Params) => `${text}`,

  // An attempt to deliver a webhook.
  no_response: ({ seconds }: Params) => `no response within ${seconds} s`,
  connection_closed: "the connection was closed without a response",
  connection_failed: ({ reason }: Params) => `connection failed (${reason})`,
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
  import_failed: ({ id, source }: Params) => `import ${id} from ${source} failed`,
  import_interrupted: ({ id, source, line }: Params) =>
    `import ${id} from ${source} was interrupted after line ${line}`,
  import_rejected: ({ id, source, lines }: Params) =>
    `import ${id} from ${source} rejected ${lines === 1 ? "1 line" : `${count(lines)} lines`}`,
  import_removed_nothing: ({ id, source }: Params) => `import ${id} from ${source} deleted nothing`,
  see_import: ({ id }: Params) =>
    `Correct the data or its source and import it again. \`pazar imports ${id}\` prints the details.`,
  pull_overdue: ({ name, at }: Params) =>
    `${name} is overdue: it ${at === undefined ? "never succeeded" : `last succeeded at ${at}`}`,
  see_pull: "Check the service that runs the database sync: later sales are missing.",
  older_server: ({ host, own, newest }: Params) =>
    `the server on ${host} runs version ${own}, older than ${newest}`,
  install_newest: "Install the newest version on this server and restart it.",
  no_backup: "no backup exists",
  set_up_backups: "Set PAZAR_BACKUP_DIR, or run `pazar backup` regularly; see docs/backup.md.",
  start_server: "Start the server: it writes the first backup to PAZAR_BACKUP_DIR.",
  backup_age: ({ hours }: Params) =>
    Number(hours) < 48
      ? `the newest is ${hours === 1 ? "1 hour" : `${hours} hours`} old`
      : `the newest is ${Math.floor(Number(hours) / 24)} days old`,
  repair_backups:
    "Check the server or the timer that creates backups, and run `pazar backup` by hand.",
  backup_failed: ({ text }: Params) => `the server failed to create a backup: ${text}`,
  backup_retried:
    "The server retries every ten minutes. Check that PAZAR_BACKUP_DIR has free space and is writable.",
  records_wait: ({ records, type, identity }: Params) =>
    records === 1
      ? `1 record has been pending for more than a day; it needs ${type} ${identity}`
      : `${count(records)} records are pending, some for more than a day; most need ${type} ${identity}`,
  find_needed: "Run `pazar imports` to see why the records they need were rejected or never sent.",
  endpoint_off: ({ url, owner }: Params) =>
    `the webhook ${url} of ${owner ?? "the operators"} was disabled`,
  endpoint_gone: "its URL returned 410",
  endpoint_failing: "every attempt failed for five days",
  endpoint_full: "too many messages were pending",
  endpoint_failed: ({ url, at }: Params) =>
    `deliveries to the webhook ${url} of the operators have failed since ${at}`,
  check_receiver: "Check its server: it must respond 2xx within the timeout.",
  endpoint_owner: "Its owner can enable it when its server accepts messages again.",
  mail_certificate: ({ server, reason }: Params) =>
    `the certificate of the mail server ${server} was rejected: ${reason}`,
  mail_no_tls: ({ server }: Params) => `the mail server ${server} does not offer TLS`,
  mail_credentials: ({ server, status }: Params) =>
    `the mail server ${server} rejected the user or the password (${status})`,
  mail_host: ({ server }: Params) => `the host name of the mail server ${server} does not resolve`,
  mail_connection: ({ server, reason }: Params) =>
    `the mail server ${server} does not respond (${reason})`,
  mail_response: ({ server, status }: Params) =>
    `the mail server ${server} rejected an e-mail (${status})`,
  mail_down: ({ at, ...waiting }: Params) =>
    `no e-mail could be sent since ${at}${waiting.count === 0 ? "" : `; ${waitingEmails(waiting)}`}`,
  mail_delayed: (waiting: Params) => waitingEmails(waiting),
  check_mail: "Check PAZAR_SMTP_URL and the mail server; `pazar doctor` tries to connect.",
  not_https: "PAZAR_PUBLIC_URL is not an https URL",
  use_tls: "Put a TLS proxy in front: keys and codes must not travel unencrypted.",
  no_trusted_proxies:
    "PAZAR_TRUSTED_PROXIES is not set, so all requests appear to come from the proxy",
  set_proxies: "Set it to the IP address of the TLS proxy.",
  disk_space: ({ free, used }: Params) =>
    `${megabytes(free)} are free; the database uses ${megabytes(used)}`,
  free_disk: "Free disk space: a backup or an upgrade needs as much space as the database.",
  file_limit: ({ max }: Params) => `a process may open ${count(max)} files`,
  raise_file_limit:
    "Raise the limit of the server's process: `ulimit -n 65536`, or LimitNOFILE in systemd.",
  open_to_all: ({ path }: Params) => `every user of this machine can read or write ${path}`,
  open_to_group: ({ path }: Params) => `the group of ${path} can read or write it`,
  open_folder: ({ path }: Params) => `every user can write to ${path}`,
  run_chmod: ({ mode, path }: Params) => `Run \`chmod ${mode} ${path}\`.`,
  clock_behind: ({ now, newest }: Params) =>
    `it shows ${now}, but the last record in the database is from ${newest}`,
  clock_differs: ({ seconds }: Params) => `it differs from the database's clock by ${seconds} s`,
  sync_clocks:
    "Synchronize the clocks, for example with `timedatectl set-ntp true`: expiry, sessions and signatures depend on them.",
  sync_clocks_behind:
    "Synchronize the clocks, for example with `timedatectl set-ntp true`. If they are right by now, this ends with the next import or change.",
}
