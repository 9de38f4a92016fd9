/** Checks a file of defaults against the contract, and reports every problem of it at once. */
import {
  InvalidRecord,
  isObject,
  type Members,
  Problems,
  record,
  type Shape,
  shortened,
} from "../../domain/values/shape.ts"
import { parseJsonLine } from "../lines/json-line.ts"
import {
  type FeedDefaults,
  type FilledType,
  findMember,
  noDefaults,
  placeholdersOf,
  renderDefault,
  sampleRecords,
} from "./fill-record.ts"
import { accountLineMembers, itemLineMembers, purchaseLineMembers, withHint } from "./record.ts"

const isFilledType = (type: string): type is FilledType => Object.hasOwn(sampleRecords, type)

type LineMembers = Readonly<Record<string, Shape<unknown>>>
const lineMembers: Readonly<Record<FilledType, LineMembers>> = {
  account: accountLineMembers,
  item: itemLineMembers,
  purchase: purchaseLineMembers,
}

/** They say which record it is, and to which other it belongs. */
const identities: readonly string[] = ["type", "username", "id", "purchase_code", "item_id"]
/** They say of which kind an item is. */
const kinds: readonly string[] = ["media.preview_audio", "media.preview_video"]

/** Adds to `problems`; the result is of use only if it added none. */
export function parseDefaults(text: string, problems: string[]): FeedDefaults {
  const defaults: Record<FilledType, Members> = { account: {}, item: {}, purchase: {} }
  for (const [type, members] of Object.entries(parseObject(text, problems))) {
    if (!isFilledType(type)) {
      problems.push(`${shortened(type)} is not a type of record (account, item or purchase)`)
    } else if (!isObject(members)) {
      problems.push(`${type} must be an object`)
    } else {
      defaults[type] = members
      for (const [name, value] of Object.entries(members)) {
        const where = `${type}: ${shortened(name)}`
        problems.push(...findProblems(type, name, value).map((problem) => `${where} ${problem}`))
      }
    }
  }
  return defaults
}

function parseObject(text: string, problems: string[]): Members {
  const found = new Problems()
  try {
    const value = parseJsonLine(text, found)
    if (!isObject(value)) throw new InvalidRecord("it", "must be an object")
    found.refuse()
    return value
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    const inFile = ({ member }: { member: string }) => (member === "record" ? "it" : member)
    problems.push(...error.problems.map((problem) => `${inFile(problem)} ${problem.reason}`))
    return noDefaults
  }
}

function findProblems(type: FilledType, name: string, value: unknown): readonly string[] {
  const path = name.split(".")
  const sample: Members = structuredClone(sampleRecords[type])
  const refusal = refuseMember(type, name, findMember(sample, path))
  if (refusal !== null) return [refusal]
  const strangers = placeholdersOf(value).filter((placeholder) => {
    const found = findMember(sample, placeholder.split("."))
    return found === undefined || isObject(found)
  })
  if (strangers.length > 0) {
    return strangers.map((placeholder) => `has {${shortened(placeholder)}}, which is not a member`)
  }
  if (placeholdersOf(value).includes(name)) return [`has {${name}}, which is the member itself`]
  const around = path.length === 1 ? sample : findMember(sample, path.slice(0, -1))
  // `refuseMember` found the member in it.
  Object.assign(around as Members, { [path.at(-1) ?? ""]: renderDefault(value, sample) })
  try {
    record(lineMembers[type])(sample, "")
    return []
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    if (value === null || value === "") return ["must not be empty"]
    return error.problems.map((problem) => withHint(problem).reason)
  }
}

/** Why a member cannot have a default; null if it can. */
function refuseMember(type: FilledType, name: string, sampled: unknown): string | null {
  const [first = ""] = name.split(".")
  if (!Object.hasOwn(lineMembers[type], first)) return `is not a member of this type`
  if (kinds.includes(name)) return "says of which kind an item is: it cannot have a default"
  if (sampled === undefined || identities.includes(name)) return "cannot have a default"
  if (isObject(sampled) && Object.keys(sampled).length > 0) {
    return `has members of its own: name one of them, as in ${name}.${Object.keys(sampled)[0]}`
  }
  return null
}
