import type { Catalog } from "../../domain/catalog/catalog.ts"
import type { Store } from "../../domain/store.ts"
import type { PageServices } from "./page-services.ts"

export type WorkspaceServices = PageServices &
  Pick<Store, "failedRequests" | "preferences"> &
  Readonly<{
    testCatalog: Catalog
    /** Pictures that this server hosts, as SVG by path. */
    pictures: Readonly<Record<string, string>>
  }>
