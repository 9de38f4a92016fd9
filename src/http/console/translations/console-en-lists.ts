export const lists = {
  every: "All",
  none: "Nothing matches this filter.",
  endFilter: " (show all)",
  more: "More",
  itemName: "Name or id of an item",
  itemId: "Id",
}

export const search = {
  label: "Search for a code, key, author, item, operator or page",
  intro:
    "A purchase code or a message that holds one, a key, the name of an author, item, key, operator or page, or an id. A key is looked up and not stored. Open an author to find a key by its last four characters.",
}

export const purchases = {
  title: "Purchases",
  intro: "Paste a purchase code, the message it is in, or the ID of an item.",
  label: "Purchase code or item ID",
  submit: "Look up",
  empty: "Paste a code or an ID first.",
  unknown:
    "There is no purchase with this code, and no item with this ID. If you pasted a message, paste the code alone.",
  test: "This is a test code. It works with test keys only; no buyer has it.",
  caseVariants: "Several codes differ from this one only in upper and lower case:",
  inText: "Found in the text that you pasted.",
  others: "The text holds more codes:",
  noBuyer: "not known",
  purchase: "Purchase",
  chooseAuthor: "Whose purchases?",
  chooseAuthorHint: "Those of one author or item are listed. These authors had the most calls.",
  allAuthors: "All authors",
  history: "What happened to it",
  feedState: "Your shop says",
  operatorOverride: "Set by operators",
  nothing: "–",
  refunds: {
    note: "Why",
    noteHint: "Operators see it with this purchase and in the audit. Buyers and authors do not.",
    refund: {
      submit: "Mark as refunded",
      title: "Mark this purchase as refunded?",
      text: (code: string, item: string, author: string) =>
        `The code ${code} of “${item}” by ${author} stops validating within a second, on every server. It stays so, whatever your shop says, until an operator undoes the refund.`,
    },
    "take-back": {
      submit: "Undo refund",
      title: "Undo this refund?",
      text: (code: string, item: string, author: string) =>
        `What your shop says about the code ${code} of “${item}” by ${author} counts again within a second, on every server.`,
    },
  },
  itemTitle: (id: number) => `Item ${id}`,
  hiddenHint: "Hidden: its buyers' codes are still valid.",
  visible: "Listed",
  sold: "Sold",
}

export const keys = {
  title: "Keys",
  intro: "Paste a key that was found somewhere, alone or in a line of a program. It is not stored.",
  submit: "Whose key is this?",
  none: "No account has this key. Check that it was copied whole.",
  publicTest: "This is the test key of the documentation. It belongs to no account.",
  lastCharacters: "Ends in",
  active: "Works",
  inactive: "Stopped or expired",
  activeOrRotated: "Not stopped or expired",
  calls: "Calls in 7 days",
  shipped:
    "This key looks shipped in a product: it was used from many networks this week. Anyone who has it can read the author's account.",
}
