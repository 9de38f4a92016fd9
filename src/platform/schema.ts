/** Libraries are slower on millions of lines, and accept text that JSON parsers and databases cannot store. */
import { type Problem, problem } from "./problem.ts"
import {
  hasTimestampForm,
  isLocalTime,
  isZeroDate,
  normalizeTimestamp,
  timestampForm,
} from "./time.ts"

export type Fields = Record<string, unknown>

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Merges objects field by field. Other values, including arrays, are replaced. */
export function mergeFields<Kept extends object>(kept: Kept, patch: Readonly<Fields>): Kept {
  // No prototype: `__proto__` is an ordinary name in `social_links`.
  const merged: Fields = Object.assign(Object.create(null), kept)
  for (const [name, change] of Object.entries(patch)) {
    const before = merged[name]
    if (change === null) delete merged[name]
    else if (isObject(change)) merged[name] = mergeFields(isObject(before) ? before : {}, change)
    else merged[name] = change
  }
  // The patch was validated: it keeps the types of fields and removes only optional ones.
  return merged as Kept
}

/** One line of a feed can have half a million problems. */
export const problemsMax = 50

export class InvalidRecord extends Error {
  override name = "InvalidRecord"
  readonly problems: readonly [Problem, ...Problem[]]

  constructor(first: Problem, others: readonly Problem[] = []) {
    const problems = [first, ...others] as const
    super(problems.map(({ field, code }) => `${field}: ${code}`).join("; "))
    this.problems = problems
  }
}

export const invalid = (...found: Parameters<typeof problem>) =>
  new InvalidRecord(problem(...found))

/** Collects problems, so that one rejection lists them all. */
export class Problems {
  readonly #found: Problem[] = []

  /** Keeps the first problem of each field. Throws InvalidRecord at `problemsMax`. */
  add(found: Problem): void {
    if (this.#found.some(({ field }) => field === found.field)) return
    this.#found.push(found)
    if (this.#found.length >= problemsMax) this.throwIfAny()
  }

  /** Adds the problems of the value at `path`. Rethrows other errors. */
  addFrom(error: unknown, path = ""): void {
    if (!(error instanceof InvalidRecord)) throw error
    for (const found of error.problems) this.add({ ...found, field: join(path, found.field) })
  }

  throwIfAny(): void {
    const [first, ...others] = this.#found
    if (first !== undefined) throw new InvalidRecord(first, others)
  }
}

/** `field` is the name in the parent record. The full path is built only for problems: valid lines stay fast. */
type Check<T> = (value: unknown, field: string) => T
export type JsonSchema = Readonly<Record<string, unknown>>

export type Schema<T> = Check<T> &
  Readonly<{
    jsonSchema: JsonSchema
    isOptional: boolean
    /** Validates the value in a patch; for an object, only the changed fields. */
    patch: Check<unknown>
  }>

/** The changed fields of a record, nested objects included; null removes a field. */
export type PatchFields = Readonly<Fields>
export type Schemas = Readonly<Record<string, Schema<unknown>>>
export type ParsedFields<M extends Schemas> = { [Name in keyof M]: ReturnType<M[Name]> }
export type PatchedFields<M extends Schemas> = { [Name in keyof M]?: ReturnType<M[Name]> | null }

/** Without `patch`, a patch replaces the whole value. */
export function createSchema<T>(
  jsonSchema: JsonSchema,
  check: Check<T>,
  patch: Check<unknown> = check,
): Schema<T> {
  return Object.assign(check, { jsonSchema, isOptional: false, patch })
}

/** The field may be absent. Null and empty values do not count as absent. */
export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  const check: Check<T | undefined> = (value, field) => schema(value, field)
  return Object.assign(check, { ...schema, isOptional: true })
}

export function record<M extends Schemas>(fields: M): Schema<ParsedFields<M>> {
  const entries = Object.entries(fields).map(([name, schema]) => ({
    name,
    schema,
    isOptional: schema.isOptional,
  }))
  const jsonSchema = {
    type: "object",
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema.jsonSchema])),
    required: entries.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    additionalProperties: false,
  }
  const check: Check<ParsedFields<M>> = (value, field) => {
    const source = plainObject(value, field)
    const parsed: Record<string, unknown> = {}
    let found = 0
    const problems = new Problems()
    for (const { name, schema, isOptional } of entries) {
      if (Object.hasOwn(source, name)) {
        found += 1
        try {
          parsed[name] = schema(source[name], name)
        } catch (error) {
          if (isOptional || !isEmptyText(source[name])) problems.addFrom(error, field)
          // Absent, null and empty are one problem.
          else problems.add(problem(join(field, name), "missing"))
        }
      } else if (!isOptional) {
        problems.add(problem(join(field, name), "missing"))
      }
    }
    if (Object.keys(source).length > found) {
      for (const name of Object.keys(source)) {
        if (Object.hasOwn(fields, name)) continue
        problems.add(problem(join(field, shortened(name)), "unknown_field"))
      }
    }
    problems.throwIfAny()
    // Every required field was validated above.
    return parsed as ParsedFields<M>
  }
  return createSchema(jsonSchema, check, (value, field) => checkPatch(fields, value, field))
}

const isEmptyText = (value: unknown) => value === null || value === ""

/** Absent fields stay unchanged; only optional fields can be removed. */
export function checkPatch<M extends Schemas>(
  fields: M,
  value: unknown,
  field: string,
): PatchedFields<M> {
  const changes: Record<string, unknown> = {}
  const problems = new Problems()
  for (const [name, change] of Object.entries(plainObject(value, field))) {
    const schema = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (schema === undefined) {
      problems.add(problem(join(field, shortened(name)), "unknown_field"))
    } else if (change === null && !schema.isOptional) {
      problems.add(problem(join(field, name), "not_removable"))
    } else {
      try {
        changes[name] = change === null ? null : schema.patch(change, name)
      } catch (error) {
        problems.addFrom(error, field)
      }
    }
  }
  problems.throwIfAny()
  // Every present field was validated above.
  return changes as PatchedFields<M>
}

const entriesMax = 1_000
const tooManyEntries = (field: string) => invalid(field, "too_many_entries", { max: entriesMax })

export function map<T>(schema: Schema<T>): Schema<Record<string, T>> {
  const jsonSchema = {
    type: "object",
    propertyNames: shortNonEmpty.jsonSchema,
    additionalProperties: schema.jsonSchema,
    maxProperties: entriesMax,
  }
  const checkEntries = <Entry>(value: unknown, field: string, check: Check<Entry>) => {
    // No prototype: `__proto__` is an ordinary name.
    const parsed: Record<string, Entry> = Object.create(null)
    const problems = new Problems()
    const entries = Object.entries(plainObject(value, field))
    if (entries.length > entriesMax) throw tooManyEntries(field)
    for (const [name, entry] of entries) {
      try {
        shortNonEmpty(name, `${field} (a name)`)
        parsed[name] = check(entry, join(field, shortened(name)))
      } catch (error) {
        problems.addFrom(error)
      }
    }
    problems.throwIfAny()
    return parsed
  }
  const checkChange: Check<T | null> = (value, field) =>
    value === null ? null : schema(value, field)
  return createSchema(
    jsonSchema,
    (value, field) => checkEntries(value, field, schema),
    (value, field) => checkEntries(value, field, checkChange),
  )
}

export function list<T>(schema: Schema<T>): Schema<T[]> {
  const jsonSchema = { type: "array", items: schema.jsonSchema, maxItems: entriesMax }
  return createSchema(jsonSchema, (value, field) => {
    if (!Array.isArray(value)) throw invalid(field, "not_a_list")
    if (value.length > entriesMax) throw tooManyEntries(field)
    const parsed: T[] = []
    const problems = new Problems()
    for (let at = 0; at < value.length; at += 1) {
      try {
        parsed.push(schema(value[at], ""))
      } catch (error) {
        problems.addFrom(error, `${field}[${at}]`)
      }
    }
    problems.throwIfAny()
    return parsed
  })
}

export function nonEmptyList<T>(schema: Schema<T>): Schema<T[]> {
  const any = list(schema)
  return createSchema({ ...any.jsonSchema, minItems: 1 }, (value, field) => {
    const entries = any(value, field)
    if (entries.length > 0) return entries
    throw invalid(field, "empty_list")
  })
}

/** Rejects lone surrogates and NUL, which break many JSON parsers and databases. */
export const text = createSchema<string>({ type: "string" }, (value, field) => {
  if (typeof value !== "string") throw invalid(field, "not_a_string")
  if (!value.isWellFormed() || value.includes("\0")) throw invalid(field, "invalid_character")
  return value
})

export const nonEmpty = createSchema<string>({ type: "string", minLength: 1 }, (value, field) => {
  const string = text(value, field)
  if (string === "") throw invalid(field, "empty")
  return string
})

/** Counts code points, as JSON Schema does. */
export function hasAtMost(text: string, charactersMax: number): boolean {
  if (text.length <= charactersMax) return true
  return text.length <= 2 * charactersMax && [...text].length <= charactersMax
}

function limited(schema: Schema<string>, charactersMax: number): Schema<string> {
  return createSchema({ ...schema.jsonSchema, maxLength: charactersMax }, (value, field) => {
    const string = schema(value, field)
    if (hasAtMost(string, charactersMax)) return string
    throw invalid(field, "too_long", { max: charactersMax })
  })
}

export const shortText = limited(text, 1_000)
export const shortNonEmpty = limited(nonEmpty, 1_000)
/** About thirty printed pages. The clients accept responses of up to 256 KB. */
export const longText = limited(text, 64_000)

export const flag = createSchema<boolean>({ type: "boolean" }, (value, field) => {
  if (typeof value !== "boolean") throw invalid(field, "not_a_boolean")
  return value
})

/** JSON.parse reads 1e400 as Infinity, which is rejected. */
export const amount = createSchema<number>({ type: "number" }, (value, field) => {
  if (typeof value !== "number") throw invalid(field, "not_a_number")
  if (!Number.isFinite(value)) throw invalid(field, "too_many_digits")
  return value
})

export const identifier = createSchema<number>(
  { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: "int64" },
  (value, field) => {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value
    throw invalid(field, "not_an_integer", { min: 1, max: Number.MAX_SAFE_INTEGER })
  },
)

/** Stricter than URL.canParse, which accepts `https:///host`. */
const webAddress = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/\\]\S*$/

/** Twice what nginx and Apache accept in a request. */
const anyUrl = limited(text, 16_000)

export const url = createSchema<string>(
  { ...anyUrl.jsonSchema, pattern: webAddress.source },
  (value, field) => {
    const string = anyUrl(value, field)
    if (webAddress.test(string) && URL.canParse(string)) return string
    throw invalid(field, "not_a_url")
  },
)

const threeLetters = /^[A-Za-z]{3}$/

export const currency = createSchema<string>(
  { type: "string", pattern: threeLetters.source },
  (value, field) => {
    const string = text(value, field)
    if (!threeLetters.test(string)) throw invalid(field, "not_a_currency")
    return string
  },
)

export const timestamp = createSchema<string>(
  { type: "string", format: "date-time", pattern: timestampForm.source },
  (value, field) => {
    const string = text(value, field)
    const at = normalizeTimestamp(string)
    if (at !== null) return at
    throw invalid(field, findTimestampProblem(string))
  },
)

function findTimestampProblem(text: string) {
  if (isZeroDate(text)) return "missing"
  if (isLocalTime(text)) return "no_time_zone"
  return hasTimestampForm(text) ? "no_such_time" : "not_a_timestamp"
}

/** For a field that another function validates. */
export const anything = createSchema<unknown>({}, (value) => value)

function plainObject(value: unknown, field: string): Fields {
  if (isObject(value)) return value
  throw invalid(field === "" ? "record" : field, "not_an_object")
}

const shortenedUnitsMax = 100

/** Rejections must not grow with text from the feed. */
export const shortened = (text: string) =>
  text.length <= shortenedUnitsMax ? text : `${text.slice(0, shortenedUnitsMax).toWellFormed()}…`

/** Array entries have no name. */
const join = (path: string, name: string) =>
  path === "" || name === "" ? path + name : `${path}.${name}`
