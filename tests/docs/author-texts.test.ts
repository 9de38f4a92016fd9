/** Compares numbers and quotations in the texts under /docs, in both languages, with the program, its pages and the clients. */
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { accountMembers } from "../../src/domain/catalogue/account.ts"
import { itemMembers } from "../../src/domain/catalogue/item.ts"
import { purchaseMembers } from "../../src/domain/catalogue/purchase.ts"
import {
  newSitesEachDay,
  placeDays,
  releasesMax,
  siteDays,
  sitesMax,
} from "../../src/domain/catalogue/sites.ts"
import { waitingMessagesMax } from "../../src/domain/events/endpoint.ts"
import { messageDays } from "../../src/domain/events/message.ts"
import { liveKeysMax } from "../../src/domain/keys/api-key.ts"
import { auditSeconds } from "../../src/domain/sign-in/audit-event.ts"
import { failedCallDays } from "../../src/domain/usage/failed-calls.ts"
import { daySeconds } from "../../src/domain/values/time/timestamp.ts"
import { nonceForm } from "../../src/http/api/validate-purchase.ts"
import { guides, sections } from "../../src/http/docs/texts.ts"
import { catalogues } from "../../src/http/pages/view.ts"
import { manySites } from "../../src/operations/catalogue/sites.ts"

const read = (file: string) => readFileSync(join(import.meta.dir, "../..", file), "utf8")
const words: Readonly<Record<number, Readonly<Record<"en" | "tr", string>>>> = {
  5: { en: "five", tr: "beş" },
  10: { en: "ten", tr: "10" },
}
const releases = words[releasesMax]
const many = words[manySites]
const auditDays = auditSeconds / daySeconds
const [, nonceMin, nonceMax] = /\{(\d+),(\d+)\}/.exec(nonceForm.source) ?? []

type Sentences = Readonly<Record<string, readonly string[]>>

const sentences: Readonly<Record<"en" | "tr", Sentences>> = {
  en: {
    "limit-sites": [
      `were seen in the last ${placeDays} days stay in use`,
      `its place is free after ${placeDays} days`,
      `can be released ${releases?.en} times in ${placeDays} days, then the answer is 429. Its \`Retry-After\` can be ${placeDays} days`,
      `that they can name, ${releases?.en} times in ${placeDays} days`,
      `keeps at most ${sitesMax} sites, and without a limit takes at most ${newSitesEachDay} new ones a day`,
      `in use on more than ${many?.en} sites`,
      `the purchase and the time, for ${placeDays} days`,
      `in the audit of your marketplace, for ${auditDays} days`,
      `the code if it was refused, for ${failedCallDays} days`,
      `\`site.refused\`, for ${messageDays + 1} days`,
      `${siteDays} days after it was last seen, and with its purchase`,
      `otherwise ${siteDays} days after it was last seen; if we release it by hand, the record of that is kept for ${auditDays} days`,
    ],
    keys: [`fewer than ${liveKeysMax} work`, `beyond that, up to ${2 * liveKeysMax}.`],
    "verify-a-signature": [`${nonceMin} to ${nonceMax} letters`],
    decision: [`failed calls of the last ${failedCallDays} days`],
    "replace-a-key": [`the networks of the last ${failedCallDays} days`],
    webhooks: [
      `deliveries of the last ${messageDays} days`,
      `more than ${waitingMessagesMax.toLocaleString("en")} messages would wait`,
    ],
  },
  tr: {
    "limit-sites": [
      `Son ${placeDays} günde görülen siteler`,
      `yeri ${placeDays} gün sonra boşalır`,
      `${placeDays} günde ${releases?.tr} kez site bırakılabilir; sonra yanıt 429 olur. \`Retry-After\` ${placeDays} gün`,
      `siteleri ${placeDays} günde ${releases?.tr} kez bırakabilir`,
      `en çok ${sitesMax} site tutulur; sınır yoksa günde en çok ${newSitesEachDay} yeni site`,
      `${many?.tr}'dan çok sitede kullanılan`,
      `satın alma ve zaman, ${placeDays} gün boyunca`,
      `denetim kaydında, ${auditDays} gün boyunca`,
      `reddedildiyse kod, ${failedCallDays} gün.`,
      `iletisinde adı, ${messageDays + 1} gün.`,
      `son görülmesinden ${siteDays} gün sonra ve satın almayla birlikte`,
      `bırakmazsa son > görülmesinden ${siteDays} gün sonra adres silinir; siteyi biz bırakırsak bu işlemin kaydı ${auditDays} gün saklanır`,
    ],
    keys: [
      `anahtarlarınız ${liveKeysMax}'den azsa`,
      `toplam sayı ${2 * liveKeysMax}'e kadar çıkabilir`,
    ],
    "verify-a-signature": [`${nonceMin}–${nonceMax} harf`],
    decision: [`Son ${failedCallDays} günün başarısız istekleri`],
    "replace-a-key": [`son ${failedCallDays} günün ağlarını`],
    webhooks: [
      `son ${messageDays} günün gönderilerini`,
      `${waitingMessagesMax.toLocaleString("tr")}'den fazla ileti`,
    ],
  },
}

function refuses(name: string, shape: (value: unknown, member: string) => unknown): boolean {
  try {
    shape("", name)
    return false
  } catch {
    return true
  }
}

describe.each(["en", "tr"] as const)("the texts under /docs in %s", (locale) => {
  const markdown = (name: string) =>
    [...guides, ...sections].find(({ id }) => id === name)?.markdown[locale] ?? ""
  const page = (name: string) => markdown(name).replace(/\s+/g, " ")

  test.each(Object.entries(sentences[locale]))("%s has the numbers of the program", (name, all) => {
    const text = page(name)
    expect(all.filter((sentence) => !text.includes(sentence))).toEqual([])
  })

  test("quote the pages for keys, the form of a new key, and the settings page of WordPress", () => {
    const { keys, keyPages } = catalogues[locale]
    const { find, leak } = keyPages
    const php = read("clients/php/src/wordpress-texts.php")
    const [, own = ""] = php.split(`const ${locale.toUpperCase()} = `)
    const [, release = ""] = /'release' => '([^']+)'/.exec(own) ?? []
    const quoted = {
      "replace-a-key": [find.label, leak.link, leak.replace],
      "ship-a-key": [keys.new.choices.vk, keys.new.choices.sk, keys.new.some],
      "limit-sites": [release],
    }
    const missing = Object.entries(quoted).flatMap(([name, texts]) =>
      texts.filter((text) => !page(name).includes(`"${text}"`)),
    )
    expect(missing).toEqual([])
  })

  test("say which texts are never empty", () => {
    const members = Object.entries({ ...accountMembers, ...itemMembers, ...purchaseMembers })
    const never = members.filter(([name, shape]) => {
      const { type, pattern, format } = shape.schema
      return (
        type === "string" && pattern === undefined && format === undefined && refuses(name, shape)
      )
    })
    const [said = ""] =
      /[^.]*(?:may be empty, apart from|dışındaki metinler)[^.]*\./.exec(
        catalogues[locale].docs.objectsIntro,
      ) ?? []
    const named = [...said.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(never.map(([name]) => name).toSorted())
  })
})
