export type Setting = Readonly<{
  name: string
  /** Null for a secret, and for a setting without a value. */
  value: string | null
  isSecret: boolean
  /** `file`: the variable NAME_FILE contains `path`. */
  origin: "environment" | "file" | "default"
  path: string | null
}>

export type Environment = Readonly<Record<string, string | undefined>>
