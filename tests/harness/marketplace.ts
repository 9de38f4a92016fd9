/** The marketplace of the API tests, and the expected response of each operation. */
import { commandLine } from "../../src/access/actor.ts"
import { revokeKey } from "../../src/keys/key-operations.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { type Language, statusTexts } from "./http/contract-messages.ts"
import { type Program, startProgram } from "./program.ts"
import { account, audioMedia, item, type Line, purchase, videoMedia } from "./records.ts"

export const ada = account("ada")
export const plain = item("ada", 11)
export const audio = item("ada", 12, { media: audioMedia })
export const video = item("ada", 13, { media: videoMedia })
export const hidden = item("ada", 14, { hidden: true })
export const sold = purchase("6f1c1d2e-aaaa-4000-8000-000000000001", 11, {
  supported_until: "2027-01-01T00:00:00Z",
  downloaded: true,
})
export const unsupported = purchase("6f1c1d2e-aaaa-4000-8000-000000000002", 12)
export const revoked = purchase("6f1c1d2e-aaaa-4000-8000-000000000003", 11, { revoked: true })
export const hiddenCode = purchase("6f1c1d2e-aaaa-4000-8000-000000000004", 14)
export const bobs = purchase("6f1c1d2e-bbbb-4000-8000-000000000001", 21)

export const importedSecret = "eski-anahtar-1234"

export type Marketplace = Program &
  Readonly<{
    keys: Readonly<Record<"secret" | "validation" | "oneItem" | "test" | "bob" | "empty", string>>
    inactiveKeys: Readonly<Record<"revoked" | "expired", string>>
  }>

export async function openMarketplace(
  ...settings: Parameters<typeof startProgram>
): Promise<Marketplace> {
  const program = await startProgram(...settings)
  const { rejected } = await program.load([
    { ...ada, api_key: importedSecret },
    account("bob"),
    account("empty"),
    ...[plain, audio, video, hidden, item("bob", 21)],
    ...[sold, unsupported, revoked, hiddenCode, bobs],
  ])
  if (rejected > 0) throw new Error("the marketplace was refused")
  const issue = async (...options: Parameters<Program["issue"]>) =>
    (await program.issue(...options)).secret
  const keys = {
    secret: await issue("ada"),
    validation: await issue("ada", "vk"),
    oneItem: await issue("ada", "vk", [12]),
    test: await issue("ada", "tk"),
    bob: await issue("bob"),
    empty: await issue("empty"),
  }
  return { ...program, keys, inactiveKeys: await killTwo(program) }
}

async function killTwo({ app, issue }: Program) {
  const revoked = await issue("ada")
  await revokeKey(app.keyServices(commandLine), revoked.key)
  const expired = await issue("ada")
  const replacement = await issue("ada")
  const { keys } = app.store
  await keys.rotate(expired.key.id, formatTimestamp(app.now()), {
    ...replacement.key,
    id: "key_other",
    lookup: new Uint8Array(32),
  })
  return { revoked: revoked.secret, expired: expired.secret }
}

const fields = (line: Line, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in line).map((name) => [name, line[name]]))

const accountOrder = [
  "name",
  "username",
  "email",
  "balance",
  "currency",
  "profile",
  "registered_at",
]
const itemOrder = [
  ...["id", "name", "description", "category", "sub_category", "options", "version", "demo_link"],
  ...["tags", "media", "price", "currency", "published_at"],
]
const purchaseOrder = [
  ...["purchase_code", "license_type", "price", "currency", "item"],
  ...["supported_until", "downloaded", "date"],
]

const contractAccount = (line: Line) => fields(line, accountOrder)
const contractItem = (line: Line) => fields(line, itemOrder)
const contractPurchase = (line: Line, of: Line) =>
  fields({ ...line, item: contractItem(of) }, purchaseOrder)

const success = (language: Language, rest: object) =>
  JSON.stringify({ status: statusTexts[language].success, ...rest })

export const bodies = {
  account: (language: Language, line: Line = ada) =>
    success(language, { data: contractAccount(line) }),
  list: (language: Language, ...lines: Line[]) =>
    success(language, { items: lines.map(contractItem) }),
  item: (language: Language, line: Line) => success(language, { item: contractItem(line) }),
  purchase: (language: Language, line: Line, of: Line) =>
    success(language, { data: { purchase: contractPurchase(line, of) } }),
}
