/** The texts of all problems in English. A text must also work without the values of a single record. */

export type Params = Readonly<Record<string, string | number>>

const count = (value: string | number | undefined) => Number(value).toLocaleString("en")

const megabytes = (bytes: string | number | undefined) =>
  `${count(Math.floor(Number(bytes) / 1000 ** 2))} MB`

const share = ({ type, records, total }: Params) =>
  `${count(records)} of ${count(total)} ${type}s (${Number(((Number(records) / Number(total)) * 100).toPrecision(4))} %)`

export const en = {
  // A field.
  missing: "is missing",
  empty: "must not be empty",
  empty_list: "must not be an empty list; leave it out",
  not_an_object: "must be an object",
  not_a_list: "must be a list",
  not_a_string: "must be a string",
  not_a_number: "must be a number",
  not_a_boolean: "must be true or false",
  not_an_integer: ({ min, max }: Params) => `must be an integer from ${min} to ${max}`,
  not_a_url: "must be an http or https URL",
  not_a_currency: "must be three letters",
  not_a_version: "must be a dotted version number, major.minor.patch",
  not_a_timestamp: "must be an ISO 8601 timestamp with a time zone",
  no_time_zone: "has no time zone (--timezone of an import, or timezone in a pull file, sets one)",
  no_such_time: "is a day or a time that does not exist",
  before_1970: "is before 1970",
  not_a_username: ({ max }: Params) =>
    `must be 1 to ${max} characters without white space at its ends`,
  not_a_code: ({ max }: Params) =>
    `must be 1 to ${max} characters in normal form (NFKC, plain dashes, nothing invisible, no white space at its ends)`,
  placeholder: ({ value }: Params) =>
    `${value === undefined ? "the value" : JSON.stringify(value)} is a placeholder`,
  untrimmed: "must not have white space at its ends",
  issued_key: ({ prefix }: Params) =>
    `starts with ${prefix ?? "the prefix"}, the form of keys issued here`,
  damaged_text: "contains U+FFFD, the sign of damaged text",
  invalid_character: "contains a NUL character or half of a surrogate pair",
  too_long: ({ max }: Params) => `is longer than ${count(max)} characters`,
  too_many_entries: ({ max }: Params) => `has more than ${count(max)} entries`,
  too_many_digits: "has more digits than a number can hold",
  duplicate_field: "is given twice",
  unknown_field: "is an unknown field",
  unknown_type: "must be account, item or purchase",
  not_removable: "is required: a patch cannot remove it",
  patch_of_deleted: "must be left out of a record that is deleted",

  // A line.
  line_too_long: ({ max }: Params) => `is longer than ${count(max)} bytes`,
  invalid_json: "is not valid JSON",
  invalid_utf8: "is not valid UTF-8",
  too_deep: "is nested too deeply",

  // A record and what the database has.
  unknown_account: ({ username }: Params) =>
    username === undefined ? "there is no such account" : `there is no account ${username}`,
  unknown_item: ({ id }: Params) =>
    id === undefined ? "there is no such item" : `there is no item ${id}`,
  unknown_purchase: ({ code }: Params) =>
    code === undefined ? "there is no such purchase" : `there is no purchase ${code}`,
  too_many_pending: ({ max }: Params) =>
    `the record that this one needs is missing, and ${count(max)} records are pending already`,
  has_items: "the account still has items",
  has_purchases: "the item still has purchases",
  key_of_other_account: "belongs to another account; if it was renamed, give the old name in `was`",
  both_accounts_exist: "there are two accounts, one under each name",
  item_of_other_author: "the item belongs to another author",
  code_of_other_author: ({ item }: Params) =>
    `the code belongs to ${item === undefined ? "an item" : `item ${item}`} of another author`,

  // A run.
  too_many_deletes: (params: Params) =>
    `stopped before it would delete ${share(params)}; ${params.option} allows ${params.allowed} of each type. If this is intended, run it again with a higher ${params.option}`,
  too_many_revokes: (params: Params) =>
    `stopped before it would revoke ${share(params)}; ${params.option} allows ${params.allowed}. If this is intended, run it again with a higher ${params.option}`,
  too_many_missing: (params: Params) =>
    `the feed lacks ${share(params)}; ${params.option} allows ${params.allowed} of each type. If they are really gone, import it again with ${params.option} ${params.needed}`,
  unnamed_record: ({ line }: Params) => `line ${line} does not say which record it is`,
  no_end_line: "the feed has no end line, so it may have been cut off",
  records_after_end: "the feed has records after its end line",
  wrong_end_count: ({ type, expected, found }: Params) =>
    `the end line counts ${expected} ${type}, but the feed has ${found}`,
  rejected_strictly: "something was rejected, and --strict then keeps nothing",
  internal_error: "an error of the program; the output of the command has it",
  /** The message of a system or a database, or of a version before 0.13. */
  other: ({ text }: Params) => `${text}`,

  // What `pazar doctor` and the console find.
  standby: "the database is a standby, and takes no writes",
  name_primary: "DATABASE_URL must name the primary, alone or among several hosts.",
  read_only: "the database takes no writes: it is set to read-only",
  allow_writes:
    "Look for default_transaction_read_only of the role, the database and the server. Some providers set it when the disk is full.",
  key_not_needed: "the previous key is no longer needed",
  remove_previous_key:
    "Remove PAZAR_MASTER_KEY_PREVIOUS and PAZAR_MASTER_KEY_PREVIOUS_FILE from the settings of all servers.",
  key_still_needed: "some data is encrypted with the previous key",
  run_reseal: "Start all servers with both keys, then run `pazar master-key reseal`.",
  put_back_key:
    "If the key is lost or another one, put back the copy that you keep elsewhere. Servers that run still hold it, and cannot start again without it.",
  import_failed: ({ id, source }: Params) => `import ${id} from ${source} failed`,
  import_interrupted: ({ id, source, line }: Params) =>
    `import ${id} from ${source} was interrupted after line ${line}`,
  import_rejected: ({ id, source, lines }: Params) =>
    `import ${id} from ${source} rejected ${lines === 1 ? "1 line" : `${count(lines)} lines`}`,
  import_removed_nothing: ({ id, source }: Params) => `import ${id} from ${source} removed nothing`,
  see_import:
    "`pazar imports ID` says more. It is listed until an import of this source succeeds, for at most 7 days.",
  pull_overdue: ({ name, at }: Params) =>
    `${name} is overdue: it ${at === undefined ? "never succeeded" : `last succeeded at ${at}`}`,
  see_pull: "Look at the service that runs it: sales since then are missing.",
  older_server: ({ host, own, newest }: Params) =>
    `the server on ${host} runs ${own}, and ${newest} is there`,
  install_newest: "Install the newest version there, and start the server again.",
  no_backup: "there is none",
  set_up_backups: "Set PAZAR_BACKUP_DIR, or run `pazar backup` regularly; see docs/backup.md.",
  backup_age: ({ hours }: Params) =>
    Number(hours) < 48
      ? `the newest is ${hours === 1 ? "1 hour" : `${hours} hours`} old`
      : `the newest is ${Math.floor(Number(hours) / 24)} days old`,
  repair_backups:
    "Look at the server or the timer that makes them, and run `pazar backup` by hand.",
  backup_failed: ({ text }: Params) => `the server could not make one: ${text}`,
  backup_retried:
    "It tries again every ten minutes. Has PAZAR_BACKUP_DIR room, and may the server write there?",
  records_wait: ({ records, type, identity }: Params) =>
    records === 1
      ? `1 record waits, for more than a day, for ${type} ${identity}`
      : `${count(records)} records wait, some for more than a day; most of them for ${type} ${identity}`,
  find_needed: "Find out with `pazar imports` why what they need was rejected or never came.",
  endpoint_off: ({ id, owner }: Params) =>
    `endpoint ${id} of ${owner ?? "the operators"} was turned off`,
  endpoint_gone: "its address answered 410",
  endpoint_failing: "every try failed for five days",
  endpoint_full: "too many messages waited for it",
  endpoint_owner: "Its owner turns it on when its server takes messages again.",
  not_https: "PAZAR_PUBLIC_URL is no https address",
  use_tls: "Put a TLS proxy in front: keys and codes must not cross a network in the clear.",
  no_trusted_proxies:
    "PAZAR_TRUSTED_PROXIES is not set, so all callers seem to come from the proxy",
  set_proxies: "Set it to the address of the TLS proxy.",
  disk_space: ({ free, used }: Params) =>
    `${megabytes(free)} are free, and the store takes ${megabytes(used)}`,
  free_disk: "Free some room: a backup or an upgrade beside the store needs as much as the store.",
  file_limit: ({ max }: Params) => `a program may have ${count(max)} files open here`,
  raise_file_limit:
    "Raise it where the server is started: `ulimit -n 65536`, or LimitNOFILE in systemd.",
  open_to_all: ({ path }: Params) => `${path} is open to every user of this machine`,
  open_to_group: ({ path }: Params) => `${path} is open to its group`,
  open_folder: ({ path }: Params) => `everybody may write to ${path}`,
  run_chmod: ({ mode, path }: Params) => `Run chmod ${mode} ${path}`,
  clock_behind: ({ now, newest }: Params) =>
    `it shows ${now}, but the store has an entry of ${newest}`,
  clock_differs: ({ seconds }: Params) => `it differs from that of the database by ${seconds} s`,
  sync_clocks: "Keep the clocks in time with NTP: expiry, sessions and signatures depend on them.",
}
