/**
 * The contract's field tables as data, and a checker for them. Written from the contract alone and
 * without the shapes of src/domain, so that both do not share a mistake.
 */

type Scalar =
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "url"
  | "currency"
  | "timestamp"
  | "version"

type FieldType =
  | Scalar
  | Readonly<{ listOf: Scalar }>
  | Readonly<{ mapOf: Scalar }>
  | Readonly<{ object: Table }>

type Members = Readonly<Record<string, unknown>>

/** Whether the field is required, forbidden or optional in this object. */
type Presence = (members: Members) => "must" | "must not" | "may"

type Table = Readonly<Record<string, Readonly<{ type: FieldType; presence: Presence }> | FieldType>>

const isAudio = (media: Members) => Object.hasOwn(media, "preview_audio")
const isVideo = (media: Members) => Object.hasOwn(media, "preview_video")
const may: Presence = () => "may"

const mediaTable: Table = {
  thumbnail: "url",
  preview_image: {
    type: "url",
    presence: (media) => (isAudio(media) ? "must not" : "must"),
  },
  // A media object does not name its kind: a preview shows it, and no item has both.
  preview_video: { type: "url", presence: (media) => (isAudio(media) ? "must not" : "may") },
  preview_audio: { type: "url", presence: (media) => (isVideo(media) ? "must not" : "may") },
  screenshots: { type: { listOf: "url" }, presence: may },
}

const profileTable: Table = {
  heading: "string",
  description: "string",
  contact: { object: { email: "string" } },
  social_links: { mapOf: "url" },
  media: { object: { avatar: "url", cover: "url" } },
}

export const accountTable: Table = {
  name: { object: { firstname: "string", lastname: "string", full_name: "string" } },
  username: "string",
  email: "string",
  balance: "number",
  currency: "currency",
  profile: { object: profileTable },
  registered_at: "timestamp",
}

export const itemTable: Table = {
  id: "integer",
  name: "string",
  description: "string",
  category: "string",
  sub_category: "string",
  options: { listOf: "string" },
  version: "version",
  demo_link: "url",
  tags: { listOf: "string" },
  media: { object: mediaTable },
  price: { object: { regular: "number", extended: "number" } },
  currency: "currency",
  published_at: "timestamp",
}

export const purchaseTable: Table = {
  purchase_code: "string",
  license_type: "string",
  price: "number",
  currency: "currency",
  item: { object: itemTable },
  supported_until: { type: "timestamp", presence: may },
  downloaded: "boolean",
  date: "timestamp",
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed()
const matches = (form: RegExp) => (value: unknown) => isText(value) && form.test(value)

const scalars: Readonly<Record<Scalar, (value: unknown) => boolean>> = {
  string: isText,
  number: Number.isFinite,
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === "boolean",
  url: (value) => isText(value) && /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
  currency: matches(/^[A-Za-z]{3}$/),
  timestamp: (value) =>
    matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)(value) && !Number.isNaN(Date.parse(String(value))),
  version: matches(/^\d+\.\d+\.\d+$/),
}

/**
 * Every violation of the table in `value`. `path` is its place, with a dot at its end.
 */
export function checkMembers(table: Table, value: unknown, path = ""): string[] {
  if (!isObject(value)) return [`${path.slice(0, -1) || "value"} is no object`]
  const strangers = Object.keys(value)
    .filter((name) => !Object.hasOwn(table, name))
    .map((name) => `${path}${name} is not in the contract`)
  const problems = Object.entries(table).flatMap(([name, field]) => {
    const { type, presence } = withPresence(field)
    const isThere = Object.hasOwn(value, name)
    const rule = presence(value)
    if (isThere && rule === "must not") return [`${path}${name} must not be there`]
    if (!isThere) return rule === "must" ? [`${path}${name} is missing`] : []
    // An optional list is there only when it has something in it.
    const isEmptyOptional = rule === "may" && Array.isArray(value[name]) && value[name].length === 0
    if (isEmptyOptional) return [`${path}${name} is empty`]
    return checkType(type, value[name], `${path}${name}`)
  })
  return [...strangers, ...problems]
}

function withPresence(field: Table[string]): { type: FieldType; presence: Presence } {
  if (typeof field === "object" && "presence" in field) return field
  return { type: field, presence: () => "must" }
}

function checkType(type: FieldType, value: unknown, path: string): string[] {
  if (typeof type === "string") return scalars[type](value) ? [] : [`${path} is no ${type}`]
  if ("object" in type) return checkMembers(type.object, value, `${path}.`)
  if ("mapOf" in type) {
    if (!isObject(value)) return [`${path} is no map`]
    return Object.entries(value).flatMap(([name, entry]) =>
      checkType(type.mapOf, entry, `${path}.${name}`),
    )
  }
  if (!Array.isArray(value)) return [`${path} is no list`]
  return value.flatMap((entry, at) => checkType(type.listOf, entry, `${path}[${at}]`))
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
