/** The result of one check. It never holds a secret: neither a key, nor a code, nor a password. */
export type Finding = Readonly<{
  check: string
  level: "ok" | "warning" | "problem"
  detail: string
  /** Advice for the operator; null where nothing is to be done. */
  hint: string | null
  runId?: number
}>

const finding =
  <Hint extends Finding["hint"]>(level: Finding["level"]) =>
  (check: string, detail: string, hint: Hint): Finding => ({ check, level, detail, hint })

export const ok = (check: string, detail: string) => finding<null>("ok")(check, detail, null)
export const warning = finding<string>("warning")
export const problem = finding<string>("problem")
