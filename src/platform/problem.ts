import { type Params, problemTexts } from "./problem-texts.ts"
import { fill, inLocale } from "./t.ts"

/** Why an import failed, or what `pazar doctor` found. Stored as JSON. */
export type Message = Readonly<{ code: keyof typeof problemTexts; params: Params }>

/** Why a record was rejected, or a field got its default. `field` is `record` for the whole line. */
export type Problem = Message & Readonly<{ field: string }>

export const message = (code: Message["code"], params: Params = {}): Message => ({ code, params })

export const problem = (field: string, code: Message["code"], params: Params = {}): Problem => ({
  field,
  code,
  params,
})

type Described = Message & Readonly<{ field?: string }>

/** In English, as in logs, in the output of commands and in the API. */
export const describe = (described: Described) => inLocale("en", () => translate(described))

/** In the language of the reader. Numbers in the sentence itself are not formatted. */
export function translate({ code, params, field }: Described): string {
  const text = problemTexts[code]
  if (typeof text === "function") return text(params, field)
  const values = Object.entries(params).map(([name, value]) => [name, String(value)])
  return fill(text, Object.fromEntries(values))
}
