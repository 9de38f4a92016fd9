/**
 * Corrects spellings of real stores whose meaning is certain, before the record is checked;
 * docs/feed.md lists them. Key and password lines stay as they are: they come from our own export,
 * and an empty list of items in one must not become "all items".
 */
import { audioMediaMembers, dropForbiddenMedia, otherMediaMembers } from "../domain/item.ts"
import type { Shape } from "../domain/shape.ts"
import { isKeptExactly } from "./json-line.ts"
import { accountLineMembers, itemLineMembers, purchaseLineMembers } from "./record.ts"

type Members = Record<string, unknown>

/** Changes `value` in place; true if it changed. */
export function adjustRecord(value: unknown): boolean {
  if (!isObject(value)) return false
  if (value.type === "account") return adjustAccount(value)
  if (value.type === "item") return adjustItem(value)
  if (value.type === "purchase") return adjustPurchase(value)
  return false
}

// Each step is a statement of its own: `||` would skip the steps after the first change.

function adjustAccount(account: Members): boolean {
  const { profile } = account
  const links = isObject(profile) && isObject(profile.social_links) ? profile.social_links : {}
  const leaveOut = leaveOutOf(account)
  let isAdjusted = leaveOut(account, accountOptional)
  isAdjusted = leaveOut(links, Object.keys(links)) || isAdjusted
  return readDecimal(account, "balance") || isAdjusted
}

function adjustItem(item: Members): boolean {
  const leaveOut = leaveOutOf(item)
  let isAdjusted = leaveOut(item, itemOptional)
  isAdjusted = completeVersion(item) || isAdjusted
  if (isObject(item.media)) {
    isAdjusted = leaveOut(item.media, mediaOptional) || isAdjusted
    // In a patch, null removes the preview that would make it an audio item.
    const mayBeAudio = item.media.preview_audio !== null
    isAdjusted = (mayBeAudio && dropForbiddenMedia(item.media)) || isAdjusted
  }
  if (isObject(item.price)) {
    isAdjusted = readDecimal(item.price, "regular") || isAdjusted
    isAdjusted = readDecimal(item.price, "extended") || isAdjusted
  }
  return isAdjusted
}

function adjustPurchase(purchase: Members): boolean {
  const isAdjusted = leaveOutOf(purchase)(purchase, purchaseOptional)
  return readDecimal(purchase, "price") || isAdjusted
}

type LeaveOut = (members: Members, names: readonly string[]) => boolean

/** In a patch an absent member stays as it is, and null removes it. */
const leaveOutOf = (line: Members): LeaveOut => (line.patch === true ? removeEmpty : dropEmpty)

type Shapes = Readonly<Record<string, Shape<unknown>>>

const isRequired = (members: Shapes, name: string) => members[name]?.isOptional === false
const optionalOf = (members: Shapes) =>
  Object.keys(members).filter((name) => !isRequired(members, name))

/** Optional members that are not stored with the record: there is nothing to remove. */
const unstored: readonly string[] = ["api_key", "deleted"]

const accountOptional = optionalOf(accountLineMembers)
const itemOptional = optionalOf(itemLineMembers)
const purchaseOptional = optionalOf(purchaseLineMembers)
/** Empty previews must go before the kind of the item is known, so all but the thumbnail are here. */
const mediaOptional = Object.keys({ ...audioMediaMembers, ...otherMediaMembers }).filter(
  (name) => !isRequired(audioMediaMembers, name) || !isRequired(otherMediaMembers, name),
)
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0)

function dropEmpty(members: Members, names: readonly string[]): boolean {
  let isDropped = false
  for (const name of names) {
    if (!isEmpty(members[name])) continue
    delete members[name]
    isDropped = true
  }
  return isDropped
}

function removeEmpty(members: Members, names: readonly string[]): boolean {
  let isRemoved = false
  for (const name of names) {
    if (!isEmpty(members[name])) continue
    if (unstored.includes(name)) delete members[name]
    else if (members[name] === null) continue
    else members[name] = null
    isRemoved = true
  }
  return isRemoved
}

const decimal = /^-?\d+(?:\.\d+)?$/

/** A text that is no decimal, or has too many digits to keep, is left to be refused. */
function readDecimal(members: Members, name: string): boolean {
  const text = members[name]
  if (typeof text !== "string" || !decimal.test(text) || !isKeptExactly(text)) return false
  members[name] = Number(text)
  return true
}

/** One to three numbers, then any more numbers, then a tail such as `-beta`, `rc1` or `+build.7`. */
const looseVersion =
  /^[vV]?(\d{1,9})(?:\.(\d{1,9})(?:\.(\d{1,9})(?:\.\d+)*)?)?(?:(?:[-+]\d|[-+._ ]?[A-Za-z])[ -~]*)?$/

function completeVersion(item: Members): boolean {
  const { version } = item
  const parts = typeof version === "string" ? looseVersion.exec(version) : null
  if (parts === null) return false
  const [, major, minor = "0", patch = "0"] = parts
  item.version = `${major}.${minor}.${patch}`
  return item.version !== version
}
