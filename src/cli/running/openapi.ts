import { version } from "../../../package.json"
import { readConfig } from "../../config/config.ts"
import { httpUrl } from "../../domain/values/network.ts"
import { locales } from "../../http/api/answer/messages.ts"
import { createDocument } from "../../http/openapi/document.ts"
import { createOperatorDocument } from "../../http/openapi/operator-document.ts"
import type * as declared from "../declarations/running.ts"
import { type Run, UsageError } from "../frame/command.ts"

export const openapi: Run<typeof declared.openapi> = async ({ values }, { env, write }) => {
  const { publicUrl, host, port, siteLocale } = readConfig(env)
  const create = values.operator ? createOperatorDocument : createDocument
  const document = await create({
    version,
    baseUrl: publicUrl ?? httpUrl(host, port),
    locale: parseLang(values.lang ?? siteLocale),
  })
  await write(`${JSON.stringify(document, null, 2)}\n`)
}

function parseLang(text: string) {
  const locale = locales.find((known) => known === text)
  if (locale === undefined) throw new UsageError(`--lang must be ${locales.join(" or ")}`)
  return locale
}
