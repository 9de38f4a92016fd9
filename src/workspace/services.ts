import type { KeyPageServices } from "../keys/key-facts.tsx"
import type { PeoplePageServices } from "../people/session-pages.ts"
import type { PurchasePageServices } from "../purchases/sale-pages.tsx"
import type { Catalog } from "../purchases/test-catalog.ts"
import type { WebhookPageServices } from "../webhooks/endpoint-pages.tsx"

export type WorkspaceServices = PeoplePageServices &
  KeyPageServices &
  PurchasePageServices &
  WebhookPageServices &
  Readonly<{
    testCatalog: Catalog
    /** Pictures that this server hosts, as SVG by path. */
    pictures: Readonly<Record<string, string>>
  }>
