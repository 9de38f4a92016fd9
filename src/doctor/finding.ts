import { describe, type Message } from "../platform/problem.ts"

/** The result of one check. It never contains a key, a purchase code or a password. */
export type Finding = Readonly<{
  check: string
  level: "ok" | "warning" | "problem"
  detail: string
  hint: string | null
  /** The same for translated pages; absent if only commands show the finding. */
  messages?: Readonly<{ detail: Message; why: Message | null; hint: Message | null }>
  about?: FindingSubject
}>

export type FindingSubject =
  | Readonly<{ kind: "import"; id: number }>
  | Readonly<{ kind: "webhook"; id: string }>
  | Readonly<{ kind: "author"; id: number }>

type Text = string | Message

const toEnglish = (text: Text) => (typeof text === "string" ? text : describe(text))

const finding =
  <Hint extends Text | null>(level: Finding["level"]) =>
  (check: string, detail: Text, hint: Hint, why: Message | null = null): Finding => {
    const english = {
      check,
      level,
      detail: [toEnglish(detail), ...(why === null ? [] : [describe(why)])].join(": "),
      hint: hint === null ? null : toEnglish(hint),
    }
    if (typeof detail === "string" || typeof hint === "string") return english
    return { ...english, messages: { detail, why, hint } }
  }

export const ok = (check: string, detail: Text) => finding<null>("ok")(check, detail, null)
export const warning = finding<Text>("warning")
export const problem = finding<Text>("problem")
