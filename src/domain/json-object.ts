/** A JSON object whose members were not checked yet. */
export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
