import { version } from "../../../package.json"
import { readConfig } from "../../config/config.ts"
import { locales } from "../../http/api/answer/messages.ts"
import { createCommand, flag, UsageError } from "../frame/command.ts"

export const openapi = createCommand({
  name: "openapi",
  options: { operator: flag, lang: { type: "string", value: "en|tr" } },
  summary: "print the description of the API in OpenAPI 3.1",
  help: `Standard output gets the document that the server has at /openapi.json. Its address is
PAZAR_PUBLIC_URL, or http://HOST:PORT without it.

--operator   the operator's paths instead: the document at /operator/openapi.json
--lang       the language of its texts; PAZAR_LOCALE without it`,
  async run({ values }, { env, write }) {
    const { publicUrl, host, port, siteLocale } = readConfig(env)
    const create = await loadDocument(values.operator)
    const document = await create({
      version,
      baseUrl: publicUrl ?? `http://${host}:${port}`,
      locale: parseLang(values.lang ?? siteLocale),
    })
    await write(`${JSON.stringify(document, null, 2)}\n`)
  },
})

async function loadDocument(isOperator: boolean) {
  if (!isOperator) return (await import("../../http/openapi/document.ts")).createDocument
  return (await import("../../http/openapi/operator-document.ts")).createOperatorDocument
}

function parseLang(text: string) {
  const locale = locales.find((known) => known === text)
  if (locale === undefined) throw new UsageError(`--lang must be ${locales.join(" or ")}`)
  return locale
}
