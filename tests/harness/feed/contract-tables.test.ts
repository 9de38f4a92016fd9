import { expect, test } from "bun:test"
import {
  account,
  audioMedia,
  item,
  type Line,
  plainMedia,
  purchase,
  videoMedia,
} from "../../contracts/records.ts"
import { accountTable, checkMembers, itemTable, purchaseTable } from "./contract-tables.ts"

const itemBody = (changes: Line = {}) => {
  const { type: _, author: __, ...members } = item("elif", 1, changes)
  return members
}
const accountBody = (changes: Line = {}) => {
  const { type: _, ...members } = account("elif", changes)
  return members
}
const purchaseBody = (changes: Line = {}) => {
  const { type: _, item_id: __, ...members } = purchase("code", 1)
  return { ...members, item: itemBody(), ...changes }
}

test.each([
  [accountTable, accountBody()],
  [itemTable, itemBody()],
  [itemTable, itemBody({ media: audioMedia })],
  [itemTable, itemBody({ media: videoMedia })],
  [purchaseTable, purchaseBody()],
  [purchaseTable, purchaseBody({ supported_until: "2026-01-02T03:04:05Z" })],
])("the contract's samples have no problems", (table, body) => {
  expect(checkMembers(table, body)).toEqual([])
})

const broken: readonly (readonly [problem: string, problems: string[]])[] = [
  ["value is no object", checkMembers(itemTable, null)],
  ["hidden is not in the contract", checkMembers(itemTable, itemBody({ hidden: false }))],
  ["id is no integer", checkMembers(itemTable, itemBody({ id: "1" }))],
  ["id is no integer", checkMembers(itemTable, itemBody({ id: 1.5 }))],
  ["version is no version", checkMembers(itemTable, itemBody({ version: "1.4" }))],
  ["options is no list", checkMembers(itemTable, itemBody({ options: "a" }))],
  ["tags[1] is no string", checkMembers(itemTable, itemBody({ tags: ["a", 1] }))],
  ["demo_link is no url", checkMembers(itemTable, itemBody({ demo_link: "javascript:1" }))],
  ["currency is no currency", checkMembers(itemTable, itemBody({ currency: "US" }))],
  [
    "published_at is no timestamp",
    checkMembers(itemTable, itemBody({ published_at: "2024-05-01T08:30:00+00:00" })),
  ],
  ["price.extended is missing", checkMembers(itemTable, itemBody({ price: { regular: 1 } }))],
  [
    "media.preview_image is missing",
    checkMembers(itemTable, itemBody({ media: { thumbnail: "https://a" } })),
  ],
  [
    "media.preview_image must not be there",
    checkMembers(itemTable, itemBody({ media: { ...plainMedia, ...audioMedia } })),
  ],
  [
    "media.screenshots is empty",
    checkMembers(itemTable, itemBody({ media: { ...plainMedia, screenshots: [] } })),
  ],
  ["profile is no object", checkMembers(accountTable, accountBody({ profile: null }))],
  ["balance is no number", checkMembers(accountTable, accountBody({ balance: "120.5" }))],
  ["downloaded is no boolean", checkMembers(purchaseTable, purchaseBody({ downloaded: 0 }))],
  [
    "supported_until is no timestamp",
    checkMembers(purchaseTable, purchaseBody({ supported_until: null })),
  ],
  ["item.name is missing", checkMembers(purchaseTable, purchaseBody({ item: without("name") }))],
]

function without(name: string): Line {
  return Object.fromEntries(Object.entries(itemBody()).filter(([key]) => key !== name))
}

test.each(broken)("finds: %s", (problem, problems) => {
  expect(problems).toEqual([problem])
})
