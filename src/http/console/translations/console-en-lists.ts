export const lists = {
  every: "All",
  none: "No results match this filter.",
  endFilter: " (show all)",
  more: "More",
  itemName: "Item name or ID",
}

export const search = {
  label: "Search for a code, key, author, item, operator or page",
  intro:
    "Enter a purchase code or a message that contains one, a key, a name of an author, item, key, operator or page, or an ID. Pazar does not store the key. To find a key by its last four characters, open its author.",
}

export const purchases = {
  title: "Purchases",
  intro: "Paste a purchase code, a message that contains one, or an item ID.",
  label: "Purchase code or item ID",
  submit: "Look up",
  empty: "Paste a code or an ID first.",
  unknown:
    "No purchase has this code, and no item has this ID. If you pasted a message, paste only the code.",
  test: "This is a test code. It works with test keys only; no buyer has it.",
  caseVariants: "Several codes differ from this one only in upper and lower case:",
  inText: "Found in the text that you pasted.",
  others: "The text contains more codes:",
  noBuyer: "unknown",
  purchase: "Purchase",
  chooseAuthor: "Choose an author",
  chooseAuthorHint: "Purchases are listed by author or item. These authors had the most requests.",
  allAuthors: "All authors",
  history: "History",
  feedState: "Imported state",
  operatorOverride: "Operator override",
  nothing: "–",
  refunds: {
    note: "Note",
    noteHint: "Only operators see the note, here and in the audit log.",
    refund: {
      submit: "Mark as refunded",
      title: "Mark this purchase as refunded?",
      text: (code: string, item: string, author: string) =>
        `The code ${code} of “${item}” by ${author} is invalid within a second, on every server. This override takes precedence over imports until an operator undoes it.`,
    },
    "take-back": {
      submit: "Undo refund",
      title: "Undo this refund?",
      text: (code: string, item: string, author: string) =>
        `The imported state of the code ${code} of “${item}” by ${author} applies again within a second, on every server.`,
    },
  },
  itemTitle: (id: number) => `Item ${id}`,
  hiddenHint: "Hidden: its purchase codes stay valid.",
  visible: "Visible",
  sold: "Sold",
}

export const keys = {
  title: "Keys",
  intro: "Paste a key, alone or in a line of code, to find its owner. Pazar does not store it.",
  submit: "Find the owner",
  none: "This key does not exist. Check that it was copied completely.",
  lastCharacters: "Ends in",
  inactive: "Revoked or expired",
  activeOrRotated: "Valid",
  shipped:
    "This key looks shipped in a product: it was used from many IP ranges this week. Anyone who has it can read the author's account.",
}
