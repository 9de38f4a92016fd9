/** The result of one check. It never holds a secret: neither a key, nor a code, nor a password. */
export type Finding = Readonly<{
  check: string
  level: "ok" | "warning" | "problem"
  detail: string
  /** Advice for the operator; null where nothing is to be done. */
  hint: string | null
}>

export const ok = (check: string, detail: string): Finding => ({
  ...{ check, level: "ok", detail, hint: null },
})

export const warning = (check: string, detail: string, hint: string): Finding => ({
  ...{ check, level: "warning", detail, hint },
})

export const problem = (check: string, detail: string, hint: string): Finding => ({
  ...{ check, level: "problem", detail, hint },
})
