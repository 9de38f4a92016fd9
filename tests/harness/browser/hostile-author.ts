import { requireAccount } from "../../../src/accounts/account-operations.ts"
import { revokeKey } from "../../../src/keys/key-operations.ts"
import { formatTimestamp } from "../../../src/platform/time.ts"
import { type Program, startProgram } from "../program.ts"
import { account, item, purchase } from "../records.ts"
import { givePassword } from "./sample-workspace.ts"

const attack = "window.hacked=1"

/** Each text would break a page if it were not escaped. Together they have the maximum length of a name. */
export const poisons = {
  markup: `<script>${attack}</script>"><img src=x onerror="${attack}">`,
  closing: `</title></textarea></style><svg onload=${attack}>'"\`<!--`,
  template: "{{7*7}}#{7*7}<%= 7*7 %>",
  direction: "\u202Egnp.exe\u202Dabc\u200F\u2067def",
  long: "W".repeat(250),
  marks: `Z${"\u0335\u0321\u0489".repeat(60)}`,
  emoji: "👩‍👩‍👧‍👦🏳️‍🌈👍🏿".repeat(10),
  script: `javascript:${attack}//`,
  lookalike: "ʝаvаѕсrірt:alert(1)",
  blank: " \u00A0\u3000",
} as const

export type Poison = keyof typeof poisons
export const poisonNames = Object.keys(poisons) as readonly Poison[] // The names of the record's properties.

export const hostileUsername = `"><script>${attack}</script>`
export const hostileEmail = "hostile@example.com"
export const hostileDevice = `<script>${attack}</script>" onmouseover="${attack}`
export const itemIdOf = (poison: Poison) => poisonNames.indexOf(poison) + 1
/** A code has at most 255 characters and no whitespace at its ends. */
export const codeOf = (poison: Poison) => `${itemIdOf(poison)}<script>${attack}</script>`

export async function startHostileWorkspace(): Promise<Program> {
  const program = await startProgram({ LOG_LEVEL: "error" })
  const all = Object.values(poisons).join(" ")
  const hidden = `https://files.example.com/"onerror="${attack}"`
  const loaded = await program.load([
    account(hostileUsername, {
      email: hostileEmail,
      name: { firstname: poisons.markup, lastname: poisons.long, full_name: all },
      profile: {
        heading: all,
        description: all,
        contact: { email: poisons.markup },
        social_links: { [poisons.markup]: `https://example.com/#${poisons.script}`, x: hidden },
        media: { avatar: hidden, cover: hidden },
      },
    }),
    ...poisonNames.map((poison) =>
      item(hostileUsername, itemIdOf(poison), {
        name: poisons[poison],
        description: all,
        category: poisons.markup,
        sub_category: poisons.long,
        options: [poisons.markup],
        tags: [poisons.direction],
        demo_link: `https://example.com/#${poisons.script}`,
        media: { thumbnail: hidden, preview_image: hidden },
      }),
    ),
    ...poisonNames.map((poison) =>
      purchase(codeOf(poison), itemIdOf(poison), { license_type: poisons[poison] }),
    ),
  ])
  if (loaded.rejected > 0) throw new Error(`refused: ${loaded.rejectedText.slice(0, 1000)}`)
  await givePassword(program, hostileUsername)
  await makeKeys(program)
  await nameSites(program)
  return program
}

/** Sites that are not host names are stored as sent; a site limit can be set for any license name. */
async function nameSites({ app }: Program): Promise<void> {
  const [code, itemId] = [codeOf("markup"), itemIdOf("markup")]
  const sites = Object.values(poisons).filter((poison) => poison.trim() !== "")
  const at = formatTimestamp(app.now())
  await app.store.sites.recordSeen(
    at,
    sites.map((site) => ({ code, site })),
  )
  const byLicense = { [poisons.markup]: 3, [poisons.long]: 4, [poisons.direction]: 5 }
  await app.store.sites.putLimits(itemId, { sites: 2, byLicense })
}

async function makeKeys({ app, issue }: Program): Promise<void> {
  const { id } = await requireAccount(app.store.accounts, hostileUsername)
  for (const poison of poisonNames) {
    const { key } = await issue(hostileUsername)
    await app.store.keys.rename(key.id, [...poisons[poison]].slice(0, 100).join(""))
    const at = formatTimestamp(app.now())
    const call = { keyId: key.id, operation: "validate_purchase", reason: "unknown_code" } as const
    const failure = { ...call, ipRange: poisons.markup, code: poisons[poison], calls: 1 }
    await app.store.counts.add(at, { failures: [{ ...failure, firstAt: at, lastAt: at }] })
  }
  const [first] = await app.store.keys.list(id)
  if (first !== undefined)
    await revokeKey(
      app.keyServices({
        kind: "author",
        name: poisons.markup,
        role: "owner",
        ipRange: poisons.markup,
      }),
      first,
    )
}
