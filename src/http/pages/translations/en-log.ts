import type { Failure } from "../../../domain/values/error.ts"
import { count } from "./plurals.ts"

/** Why a call failed, and how the author can change that. */
type Explanation = Readonly<{ what: string; todo: string }>

const reasons: Readonly<Record<Failure, Explanation>> = {
  unknown_code: {
    what: "No such code",
    todo: "Correct answer: none of your items was sold with it. Ask the buyer to copy the code again.",
  },
  revoked_code: {
    what: "Refunded code",
    todo: "Correct answer: the sale was refunded or charged back. You need not do anything.",
  },
  site_limit: {
    what: "Code is on too many sites",
    todo: "Release one of its sites under Check a code, or allow more sites on the item’s page.",
  },
  revoked_key: {
    what: "The key was revoked",
    todo: "If the caller is yours, put a working key in its place.",
  },
  expired_key: {
    what: "The key no longer works",
    todo: "If the caller is yours, put its replacement or a new key in its place.",
  },
  account_suspended: {
    what: "Your account is suspended",
    todo: "Ask your marketplace.",
  },
  key_not_allowed: {
    what: "The key may not do this",
    todo: "A validation key only checks codes and releases sites. Use a secret key, on your server.",
  },
  missing_parameter: {
    what: "Something is missing in the request",
    todo: "Compare the request with the sample in the docs. An empty code field is a common cause.",
  },
  invalid_parameter: {
    what: "Something in the request is not valid",
    todo: "Compare the request with the sample in the docs. A code has at most 255 characters.",
  },
  no_items: { what: "No published items", todo: "Publish an item, or ignore it." },
  unknown_item: {
    what: "No such item",
    todo: "Check the item ID. It may be hidden or another author’s.",
  },
  rate_limited: {
    what: "Too many requests",
    todo: "Wait as long as Retry-After says, and ask less often. Keep a valid answer for a day.",
  },
  unavailable: {
    what: "The service could not answer",
    todo: "The error was on our side. Try again, and keep the last answer until then.",
  },
  missing_key: { what: "No key was sent", todo: "Send the key with every call." },
  unknown_key: { what: "Unknown key", todo: "Check whether the key was copied whole." },
  unknown_path: { what: "No such address", todo: "Compare the address with the docs." },
  method_not_allowed: { what: "Wrong method", todo: "Compare the request with the docs." },
  too_large: { what: "The request is too long", todo: "Send a shorter one." },
}

/** Good codes are never too many. */
const validationReasons: Readonly<Partial<Record<Failure, Explanation>>> = {
  rate_limited: {
    what: "Too many wrong codes or keys",
    todo: "Many wrong codes came from this address with this key, or wrong keys from its network. Wait as long as Retry-After says, and find out what sends them.",
  },
}

/** Of a release these mean something else. None says anything about the purchase. */
const releaseReasons: Readonly<Partial<Record<Failure, Explanation>>> = {
  unknown_code: {
    what: "No such site or code",
    todo: "The code is not in use on this site, or none of your items was sold with it. Check a code says which. Do not lock the product because of it.",
  },
  rate_limited: {
    what: "Too many releases or wrong codes",
    todo: "Wait as long as Retry-After says. A product can release sites of a purchase five times in 30 days, and none for some seconds after many wrong codes; under Check a code you can at any time.",
  },
}

export const log = {
  title: "Why calls failed",
  intro:
    "Failed calls of the last 7 days, at most 500 entries. Calls of a day that look the same here are one entry.",
  tabs: {
    all: "All failed calls",
    codes: "Codes not valid",
    errors: "Errors",
    stopped: "Keys that no longer work",
  },
  choices: "What to list",
  everyDay: "All 7 days",
  everyKey: "All keys",
  everyCall: "All calls",
  none: "No failed calls here.",
  old: "This day is more than 7 days ago. Entries are kept for 7 days.",
  when: "When",
  first: "First call",
  call: "Call",
  keyAndCall: "Key and call",
  reason: "Reason, and what to do",
  since: (when: string) => `since ${when}`,
  several: "several, not noted",
  noCode: "–",
  otherItem: {
    what: "Not an item of this key",
    todo: "The code is yours, but this key may not validate its item.",
  },
  masked: "A code that is not yours is shown in part.",
  testKeys: "Failed calls with a test key are listed only if you choose that key.",
  entries: (n: number) => count(n, "entry", "entries"),
  seeWhy: "See why calls failed",
  reasons,
  validationReasons,
  releaseReasons,
}

/** The texts about a key that no longer works and is still called. */
export const inactiveKeyRequests = {
  title: "Who still calls it?",
  pill: "Still called",
  summary: (calls: number) =>
    `This key no longer works, but ${count(calls, "call", "calls")} with it came in the last 7 days. All were refused.`,
  none: "No calls with it since it stopped, or none in the last 7 days.",
  attention: (name: string, calls: number) =>
    `“${name}” no longer works but is still called: ${count(calls, "call", "calls")} in the last 7 days.`,
  see: "See who calls it",
}
