/** A JSON object in a line of a feed or in a file of defaults. It is changed in place. */
export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
