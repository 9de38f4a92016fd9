import { count } from "../../pages/translations/counting.ts"
import type { Told } from "./tr-problems.ts"

export const imports = {
  title: "Imports",
  none: "Nothing was imported yet.",
  ways: { file: "Files", pull: "Pulls from a database", push: "Pushes" },
  noneOfWay: "None yet.",
  started: "Started",
  finished: "Finished",
  notFinished: "Interrupted, or still running",
  failed: "Failed",
  notReadToEnd: "It could not be read to its end:",
  source: "From",
  accepted: "Accepted",
  adjusted: "Adjusted",
  waiting: "Waiting",
  rejected: "Rejected",
  removed: "Removed",
  waitingTitle: "Records that wait",
  waitingHint: (items: number, purchases: number) =>
    `${count(items, "item", "items")} and ${count(purchases, "purchase", "purchases")} need a record that is not there. They are taken when it arrives; until then their codes are unknown. Those with the most first.`,
  missing: "Missing",
  needs: { account: "author", item: "item" },
  waiters: (missing: "account" | "item", n: number) =>
    missing === "account" ? count(n, "item", "items") : count(n, "purchase", "purchases"),
  waitingSince: "Since",
  unknown: "Finished by an older version that kept no numbers.",
  runTitle: (id: number) => `Import ${id}`,
  lines: "Lines read",
  nothingRemoved: "Nothing was removed:",
  problems: "Why lines were rejected",
  noProblems: "No line was rejected.",
  record: "Record",
  problem: "Problem",
  /** Null where there is no translation. */
  reason: (reason: string): string | null => reason,
  /** Why a pull failed, why a full feed removed nothing, and the warnings of “pazar doctor”. */
  told: (text: string): Told => ({ own: text, foreign: "" }),
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
    "another line": "a record it needs was rejected",
    unknown: "a record it needs is missing",
  },
  count: "Lines",
  first: "First",
  line: (line: number) => `line ${line.toLocaleString("en")}`,
  others: (kinds: number, problems: number) =>
    `${count(kinds, "more kind", "more kinds")} of problems, ${count(problems, "time", "times")} in all.`,
  report: "Download the report",
  reportHint:
    "The report holds what the store keeps of this import. To get every rejected line, run the import with “--report FILE”.",
}
