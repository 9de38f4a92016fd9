/** The Markdown pages of the documentation in both languages. A new page is an entry here. */
import type { Locale } from "../../domain/values/locale.ts"
import enAuthentication from "./text/en/authentication.md" with { type: "text" }
import enClients from "./text/en/clients.md" with { type: "text" }
import enDownloads from "./text/en/downloads.md" with { type: "text" }
import enErrors from "./text/en/errors.md" with { type: "text" }
import enMoveFromEnvato from "./text/en/move-from-envato.md" with { type: "text" }
import enObjects from "./text/en/objects.md" with { type: "text" }
import enOffline from "./text/en/offline.md" with { type: "text" }
import enQuickstart from "./text/en/quickstart.md" with { type: "text" }
import enRateLimits from "./text/en/rate-limits.md" with { type: "text" }
import enRotateAKey from "./text/en/rotate-a-key.md" with { type: "text" }
import enShipAKey from "./text/en/ship-a-key.md" with { type: "text" }
import enSiteLimits from "./text/en/site-limits.md" with { type: "text" }
import enTestData from "./text/en/test-data.md" with { type: "text" }
import enVerifySignatures from "./text/en/verify-signatures.md" with { type: "text" }
import enVersioning from "./text/en/versioning.md" with { type: "text" }
import enWebhooks from "./text/en/webhooks.md" with { type: "text" }
import trAuthentication from "./text/tr/authentication.md" with { type: "text" }
import trClients from "./text/tr/clients.md" with { type: "text" }
import trDownloads from "./text/tr/downloads.md" with { type: "text" }
import trErrors from "./text/tr/errors.md" with { type: "text" }
import trMoveFromEnvato from "./text/tr/move-from-envato.md" with { type: "text" }
import trObjects from "./text/tr/objects.md" with { type: "text" }
import trOffline from "./text/tr/offline.md" with { type: "text" }
import trQuickstart from "./text/tr/quickstart.md" with { type: "text" }
import trRateLimits from "./text/tr/rate-limits.md" with { type: "text" }
import trRotateAKey from "./text/tr/rotate-a-key.md" with { type: "text" }
import trShipAKey from "./text/tr/ship-a-key.md" with { type: "text" }
import trSiteLimits from "./text/tr/site-limits.md" with { type: "text" }
import trTestData from "./text/tr/test-data.md" with { type: "text" }
import trVerifySignatures from "./text/tr/verify-signatures.md" with { type: "text" }
import trVersioning from "./text/tr/versioning.md" with { type: "text" }
import trWebhooks from "./text/tr/webhooks.md" with { type: "text" }

/**
 * A page at `/docs/ID`. The first line is its title, the first paragraph its summary. Both languages have the same
 * headings: anchors are made from the English ones.
 */
export type Text = Readonly<{ id: string; markdown: Readonly<Record<Locale, string>> }>

/** In the order of the index. The pages of the operations precede the other pages of the reference. */
export const markdownPages = {
  start: [
    { id: "quickstart", markdown: { en: enQuickstart, tr: trQuickstart } },
    { id: "clients", markdown: { en: enClients, tr: trClients } },
  ],
  guides: [
    { id: "ship-a-key", markdown: { en: enShipAKey, tr: trShipAKey } },
    { id: "site-limits", markdown: { en: enSiteLimits, tr: trSiteLimits } },
    { id: "offline", markdown: { en: enOffline, tr: trOffline } },
    { id: "verify-signatures", markdown: { en: enVerifySignatures, tr: trVerifySignatures } },
    { id: "downloads", markdown: { en: enDownloads, tr: trDownloads } },
    { id: "webhooks", markdown: { en: enWebhooks, tr: trWebhooks } },
    { id: "rotate-a-key", markdown: { en: enRotateAKey, tr: trRotateAKey } },
    { id: "move-from-envato", markdown: { en: enMoveFromEnvato, tr: trMoveFromEnvato } },
  ],
  reference: [
    { id: "errors", markdown: { en: enErrors, tr: trErrors } },
    { id: "authentication", markdown: { en: enAuthentication, tr: trAuthentication } },
    { id: "rate-limits", markdown: { en: enRateLimits, tr: trRateLimits } },
    { id: "test-data", markdown: { en: enTestData, tr: trTestData } },
    { id: "objects", markdown: { en: enObjects, tr: trObjects } },
    { id: "versioning", markdown: { en: enVersioning, tr: trVersioning } },
  ],
} as const satisfies Readonly<Record<string, readonly Text[]>>
