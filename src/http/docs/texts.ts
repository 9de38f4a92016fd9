/** The explanations and the guides, in both languages: one source for page and copy. A new one is an entry here. */
import type { Locale } from "../api/response/messages.ts"
import { webhooksOf } from "../openapi/openapi-document.ts"
import enCors from "./text/en/cors.md" with { type: "text" }
import enDecision from "./text/en/decision.md" with { type: "text" }
import enClients from "./text/en/guides/clients.md" with { type: "text" }
import enLimitSites from "./text/en/guides/limit-sites.md" with { type: "text" }
import enMoveFromEnvato from "./text/en/guides/move-from-envato.md" with { type: "text" }
import enOtherLicenceChecks from "./text/en/guides/other-licence-checks.md" with { type: "text" }
import enReceiveWebhooks from "./text/en/guides/receive-webhooks.md" with { type: "text" }
import enReplaceAKey from "./text/en/guides/replace-a-key.md" with { type: "text" }
import enShipAKey from "./text/en/guides/ship-a-key.md" with { type: "text" }
import enSurviveAnOutage from "./text/en/guides/survive-an-outage.md" with { type: "text" }
import enVerifyASignature from "./text/en/guides/verify-a-signature.md" with { type: "text" }
import enKeys from "./text/en/keys.md" with { type: "text" }
import enLimits from "./text/en/limits.md" with { type: "text" }
import enParameters from "./text/en/parameters.md" with { type: "text" }
import enSignedAnswers from "./text/en/signed-answers.md" with { type: "text" }
import enStates from "./text/en/states.md" with { type: "text" }
import enTestCodes from "./text/en/test-codes.md" with { type: "text" }
import enTiming from "./text/en/timing.md" with { type: "text" }
import enVersions from "./text/en/versions.md" with { type: "text" }
import enWebhooks from "./text/en/webhooks.md" with { type: "text" }
import trCors from "./text/tr/cors.md" with { type: "text" }
import trDecision from "./text/tr/decision.md" with { type: "text" }
import trClients from "./text/tr/guides/clients.md" with { type: "text" }
import trLimitSites from "./text/tr/guides/limit-sites.md" with { type: "text" }
import trMoveFromEnvato from "./text/tr/guides/move-from-envato.md" with { type: "text" }
import trOtherLicenceChecks from "./text/tr/guides/other-licence-checks.md" with { type: "text" }
import trReceiveWebhooks from "./text/tr/guides/receive-webhooks.md" with { type: "text" }
import trReplaceAKey from "./text/tr/guides/replace-a-key.md" with { type: "text" }
import trShipAKey from "./text/tr/guides/ship-a-key.md" with { type: "text" }
import trSurviveAnOutage from "./text/tr/guides/survive-an-outage.md" with { type: "text" }
import trVerifyASignature from "./text/tr/guides/verify-a-signature.md" with { type: "text" }
import trKeys from "./text/tr/keys.md" with { type: "text" }
import trLimits from "./text/tr/limits.md" with { type: "text" }
import trParameters from "./text/tr/parameters.md" with { type: "text" }
import trSignedAnswers from "./text/tr/signed-answers.md" with { type: "text" }
import trStates from "./text/tr/states.md" with { type: "text" }
import trTestCodes from "./text/tr/test-codes.md" with { type: "text" }
import trTiming from "./text/tr/timing.md" with { type: "text" }
import trVersions from "./text/tr/versions.md" with { type: "text" }
import trWebhooks from "./text/tr/webhooks.md" with { type: "text" }

/** A page at `/docs/ID`. Both languages have the same headings: the links to them are made of the English ones. */
export type Text = Readonly<{ id: string; markdown: Readonly<Record<Locale, string>> }>

/** Begins with a heading of the second level: it is also a part of the reference as one text. */
type Section = Text
/** Its first paragraph says what it is about. */
type Guide = Text

/** Each event under its name, with what it means and the body that is sent. */
function describeEvents(text: string, locale: Locale): string {
  const webhooks = webhooksOf(locale)
  const { example } = webhooks["purchase.created"].post.requestBody.content["application/json"]
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const content = post.requestBody.content["application/json"]
    const body = "example" in content ? content.example : { ...example, type }
    return `#### \`${type}\`\n\n${post.description}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``
  })
  return text.replace("{events}", () => events.join("\n\n"))
}

const webhooks: Section = {
  id: "webhooks",
  markdown: { en: describeEvents(enWebhooks, "en"), tr: describeEvents(trWebhooks, "tr") },
}

export const sections: readonly Section[] = [
  { id: "keys", markdown: { en: enKeys, tr: trKeys } },
  { id: "test-codes", markdown: { en: enTestCodes, tr: trTestCodes } },
  { id: "decision", markdown: { en: enDecision, tr: trDecision } },
  { id: "timing", markdown: { en: enTiming, tr: trTiming } },
  { id: "parameters", markdown: { en: enParameters, tr: trParameters } },
  { id: "limits", markdown: { en: enLimits, tr: trLimits } },
  { id: "cors", markdown: { en: enCors, tr: trCors } },
  { id: "signed-answers", markdown: { en: enSignedAnswers, tr: trSignedAnswers } },
  webhooks,
  { id: "states", markdown: { en: enStates, tr: trStates } },
  { id: "versions", markdown: { en: enVersions, tr: trVersions } },
]

export const guides: readonly Guide[] = [
  { id: "clients", markdown: { en: enClients, tr: trClients } },
  { id: "ship-a-key", markdown: { en: enShipAKey, tr: trShipAKey } },
  { id: "limit-sites", markdown: { en: enLimitSites, tr: trLimitSites } },
  { id: "survive-an-outage", markdown: { en: enSurviveAnOutage, tr: trSurviveAnOutage } },
  { id: "verify-a-signature", markdown: { en: enVerifyASignature, tr: trVerifyASignature } },
  { id: "receive-webhooks", markdown: { en: enReceiveWebhooks, tr: trReceiveWebhooks } },
  { id: "replace-a-key", markdown: { en: enReplaceAKey, tr: trReplaceAKey } },
  { id: "move-from-envato", markdown: { en: enMoveFromEnvato, tr: trMoveFromEnvato } },
  { id: "other-licence-checks", markdown: { en: enOtherLicenceChecks, tr: trOtherLicenceChecks } },
]

/** The text of its first line. */
export const titleOf = ({ markdown }: Text, locale: Locale) =>
  markdown[locale].slice(0, markdown[locale].indexOf("\n")).replace(/^#+ /, "")

/** The text of its first paragraph. */
export const summaryOf = ({ markdown }: Guide, locale: Locale) =>
  markdown[locale].split("\n\n")[1]?.replaceAll("\n", " ") ?? ""
