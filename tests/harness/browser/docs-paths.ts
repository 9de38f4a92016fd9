import { authorDocuments } from "../../../src/contract/openapi.ts"
import { publicTestSecret } from "../../../src/contract/operation.ts"
import { readClientFiles } from "../../../src/docs/clients/clients.ts"
import { listPages, pathOf } from "../../../src/docs/pages.ts"
import { createReference } from "../../../src/docs/reference.ts"
import { inLocale } from "../../../src/platform/t.ts"

export type Locale = "en" | "tr"
const baseUrl = "http://127.0.0.1:8080"

export async function listDocsPages(locale: Locale) {
  const settings = { baseUrl, secret: publicTestSecret, locale }
  const clients = await readClientFiles()
  const reference = createReference(authorDocuments[locale])
  return inLocale(locale, () => listPages(reference, locale, settings, clients))
}

export const docsPages = await listDocsPages("en")
export const docsPaths: readonly string[] = ["/docs", ...docsPages.map(pathOf)]
export const operationPaths = docsPages
  .filter(({ operation }) => operation !== null)
  .map((page) => pathOf(page))
