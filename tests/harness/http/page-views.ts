import type { Locale } from "../../../src/domain/values/locale.ts"
import type { View } from "../../../src/http/pages/page-context.ts"
import { dictionaries } from "../../../src/http/pages/translations/texts.ts"

export const viewAt = (path: string, locale: Locale): View => ({
  site: { name: "Pazar", supportUrl: null, signInUrl: null, identityHost: null },
  locale,
  theme: "system",
  texts: dictionaries[locale],
  path,
  author: { username: "ada", name: "Ada" },
  operator: null,
  formToken: "",
  notice: null,
})

export const consoleViewAt = (path: string, locale: Locale): View => ({
  ...viewAt(path, locale),
  author: null,
  operator: { name: "deniz", role: "admin" },
})

export const textOf = (page: unknown) =>
  String(page)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
