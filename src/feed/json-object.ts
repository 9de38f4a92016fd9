/** A JSON object that a line, or a file of defaults, holds; it is changed in place. */
export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
