/** Rules of the linters that the description of the API breaks on purpose. */
type Exception = Readonly<{
  rule: string
  /** The places, as paths into the document. */
  where: RegExp
  why: string
}>

export const exceptions: readonly Exception[] = [
  {
    rule: "owasp:api1:2023-no-numeric-ids",
    where: /^paths\/\/api\/items\/item\//,
    why: "the contract has integer ids, and an id alone opens nothing: the key must own the item",
  },
  {
    rule: "owasp:api2:2023-no-api-keys-in-url",
    where: /^components\/securitySchemes\/parameter\//,
    why: "the contract has the parameter api_key; the description advises a header",
  },
  {
    rule: "owasp:api4:2023-array-limit",
    where: /\/(items|options|tags|screenshots)$/,
    why: "the list holds all items, and the contract sets no limit for an item's lists",
  },
  {
    rule: "owasp:api4:2023-string-limit",
    where: /^(components\/schemas|paths\/.*\/responses|paths\/\/operator|webhooks)\//,
    why: "the contract sets no limit for the texts of an answer; a feed is as long as it likes",
  },
  {
    rule: "owasp:api4:2023-string-restricted",
    where: /^(components\/schemas|paths|webhooks)\//,
    why: "names, descriptions, licences, codes and keys are free text",
  },
  {
    rule: "owasp:api4:2023-rate-limit",
    where: /^paths\/.*\/headers$/,
    why: "a validation that finds a purchase counts against no limit, so its answer has none to tell",
  },
  {
    rule: "owasp:api8:2023-define-error-validation",
    where: /^paths\/\/api\/(account\/details|items\/all)\//,
    why: "these two have no parameter that could be malformed",
  },
  {
    rule: "owasp:api8:2023-define-cors-origin",
    where: /^paths\/\/(api\/(account|items)|operator)\//,
    why: "these answers are not for pages of other origins",
  },
  ...[
    "owasp:api2:2023-read-restricted",
    "owasp:api8:2023-define-error-responses-401",
    "owasp:api8:2023-define-error-validation",
  ].map((rule) => ({
    rule,
    where: /^paths\/\/\.well-known\//,
    why: "public keys are for everybody, and there is nothing to ask for wrongly",
  })),
  {
    rule: "owasp:api4:2023-rate-limit-responses-429",
    where: /^paths\/\/\.well-known\//,
    why: "the same short answer for everybody, which caches may keep",
  },
  {
    rule: "owasp:api4:2023-array-limit",
    where: /^paths\/\/\.well-known\//,
    why: "as many keys as have receipts that are still good",
  },
  {
    rule: "owasp:api8:2023-define-cors-origin",
    where: /^paths\/\/\.well-known\/.*\/(405|500|503)\//,
    why: "a page has no use for these",
  },
]
