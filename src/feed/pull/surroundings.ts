/** What a pull file is checked with. */

/** What the file refers to. Paths are relative to its folder. */
export type Surroundings = Readonly<{
  env: Readonly<Record<string, string | undefined>>
  /** Null when the file cannot be read. */
  readText(path: string): string | null
  resolvePath(path: string): string
}>

/** Takes a sentence about one problem; the check goes on. */
export type Report = (problem: string) => void

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
