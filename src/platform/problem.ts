import type { en, Params } from "./problem-texts.ts"

/** Why an import failed, or what `pazar doctor` found. Stored as JSON. */
export type Message = Readonly<{ code: keyof typeof en; params: Params }>

/** Why a record was rejected, or a field got its default. `field` is `record` for the whole line. */
export type Problem = Message & Readonly<{ field: string }>
type Text = string | ((params: Params, field?: string) => string)
export type Texts = Readonly<Record<Message["code"], Text>>

export const message = (code: Message["code"], params: Params = {}): Message => ({ code, params })

export const problem = (field: string, code: Message["code"], params: Params = {}): Problem => ({
  field,
  code,
  params,
})

export function describe(
  texts: Texts,
  { code, params, field }: Message & Readonly<{ field?: string }>,
): string {
  const text = texts[code]
  return typeof text === "function" ? text(params, field) : text
}
