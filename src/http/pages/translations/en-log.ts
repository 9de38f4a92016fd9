import type { Failure } from "../../../domain/values/error.ts"
import { count } from "./plurals.ts"

/** Why a request failed, and what the author can do. */
type Explanation = Readonly<{ what: string; todo: string }>

const errors: Readonly<Record<Failure, Explanation>> = {
  unknown_code: {
    what: "Unknown code",
    todo: "Expected: no purchase of your items has this code. Ask the buyer to copy it again.",
  },
  revoked_code: {
    what: "Refunded code",
    todo: "Expected: the purchase was refunded or charged back. No action is needed.",
  },
  site_limit: {
    what: "Site limit reached",
    todo: "Release one of its sites under Check a code, or raise the site limit on the item’s page.",
  },
  revoked_key: {
    what: "Revoked key",
    todo: "If the requests are yours, replace the key with a valid one.",
  },
  expired_key: {
    what: "Expired key",
    todo: "If the requests are yours, replace the key with the rotated or a new one.",
  },
  account_suspended: {
    what: "Your account is suspended",
    todo: "Contact your marketplace.",
  },
  key_not_allowed: {
    what: "Key not allowed",
    todo: "A validation key can only validate purchases and release sites. Use a secret key, on your server.",
  },
  missing_parameter: {
    what: "Missing parameter",
    todo: "Compare the request with the sample in the docs. A common cause is an empty code field.",
  },
  invalid_parameter: {
    what: "Invalid parameter",
    todo: "Compare the request with the sample in the docs. A code has at most 255 characters.",
  },
  no_items: { what: "No published items", todo: "Publish an item, or ignore this error." },
  unknown_item: {
    what: "Unknown item",
    todo: "Check the item ID. The item may be hidden or belong to another author.",
  },
  rate_limited: {
    what: "Rate limit exceeded",
    todo: "Wait for Retry-After seconds and send fewer requests. Cache valid responses for a day.",
  },
  unavailable: {
    what: "Service unavailable",
    todo: "The server had a temporary error. Retry, and keep the last result until then.",
  },
  missing_key: { what: "Missing key", todo: "Send the key with every request." },
  unknown_key: { what: "Unknown key", todo: "Check that the key was copied completely." },
  unknown_path: { what: "Unknown path", todo: "Compare the path with the docs." },
  method_not_allowed: {
    what: "Method not allowed",
    todo: "Compare the request with the docs.",
  },
  too_large: { what: "Request too large", todo: "Send a shorter body." },
}

/** Valid codes are never rate limited. */
const validationErrors: Readonly<Partial<Record<Failure, Explanation>>> = {
  rate_limited: {
    what: "Too many invalid codes or keys",
    todo: "This IP address sent many invalid codes with this key, or its IP range sent invalid keys. Wait for Retry-After seconds and find the sender.",
  },
}

/** Error codes with another meaning for releases. None of them says whether the purchase is valid. */
const releaseErrors: Readonly<Partial<Record<Failure, Explanation>>> = {
  unknown_code: {
    what: "Unknown site or code",
    todo: "The code is not active on this site, or no purchase of your items has it: see Check a code. Do not lock the product.",
  },
  rate_limited: {
    what: "Too many releases or invalid codes",
    todo: "Wait for Retry-After seconds. A product can release sites of a purchase five times in 30 days, and not for some seconds after many invalid codes. You can always release sites under Check a code.",
  },
}

export const log = {
  title: "Failed requests",
  intro:
    "The last 7 days, at most 500 entries. Requests of one day with the same values are one entry.",
  tabs: {
    all: "All",
    codes: "Invalid codes",
    errors: "Errors",
    stopped: "Inactive keys",
  },
  choices: "Type of failure",
  allDays: "All 7 days",
  allKeys: "All keys",
  allOperations: "All operations",
  none: "No failed requests match.",
  expired: "This day is more than 7 days ago. Entries are kept for 7 days.",
  when: "When",
  first: "First request",
  operation: "Operation",
  keyAndOperation: "Key, operation",
  reason: "Error and what to do",
  since: (when: string) => `since ${when}`,
  severalIpRanges: "several",
  noCode: "–",
  otherItem: {
    what: "Item outside the key’s scope",
    todo: "The code is yours, but this key cannot validate its item.",
  },
  masked: "Codes that are not yours are masked.",
  testKeys: "Requests with a test key are listed only if you select that key.",
  entries: (n: number) => count(n, "entry", "entries"),
  seeWhy: "Show failed requests",
  errors,
  validationErrors,
  releaseErrors,
}

/** Texts about requests with an inactive key. */
export const inactiveKeyRequests = {
  title: "Who still uses it?",
  pill: "Still used",
  summary: (calls: number) =>
    `This key is inactive but was sent with ${count(calls, "request", "requests")} in the last 7 days. All were rejected.`,
  none: "No requests with this key since it became inactive, or in the last 7 days.",
  attention: (name: string, calls: number) =>
    `“${name}” is inactive but still used: ${count(calls, "request", "requests")} in the last 7 days.`,
  see: "Show who uses it",
}
