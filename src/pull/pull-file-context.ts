/** Access to the variables and files that a pull file refers to. Paths are relative to its folder. */
export type PullFileContext = Readonly<{
  env: Readonly<Record<string, string | undefined>>
  /** Null when the file cannot be read. */
  readText(path: string): string | null
  resolvePath(path: string): string
}>

/** Takes a sentence about one problem; the check goes on. */
export type Report = (problem: string) => void
