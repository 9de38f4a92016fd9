/** The code samples of the documentation, from the files in `samples/`. A test runs each of them. */

import { raw } from "hono/html"
import { envatoPaths, operationPaths } from "../contract/operation.ts"
import type { Locale } from "../platform/locale.ts"
import { highlight } from "../platform/pages/highlight.ts"
import { t } from "../platform/t.ts"
import clientJs from "./samples/client.js.txt" with { type: "text" }
import clientPhp from "./samples/client.php.txt" with { type: "text" }
import readCs from "./samples/read.cs.txt" with { type: "text" }
import readGo from "./samples/read.go.txt" with { type: "text" }
import readJava from "./samples/read.java.txt" with { type: "text" }
import readJs from "./samples/read.js.txt" with { type: "text" }
import readPhp from "./samples/read.php.txt" with { type: "text" }
import readPy from "./samples/read.py.txt" with { type: "text" }
import validateCs from "./samples/validate.cs.txt" with { type: "text" }
import validateGo from "./samples/validate.go.txt" with { type: "text" }
import validateJava from "./samples/validate.java.txt" with { type: "text" }
import validateJs from "./samples/validate.js.txt" with { type: "text" }
import validatePhp from "./samples/validate.php.txt" with { type: "text" }
import validatePy from "./samples/validate.py.txt" with { type: "text" }
import wordpressPhp from "./samples/wordpress.php.txt" with { type: "text" }

const verdicts: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: { valid: "valid", invalid: "invalid", unknown: "unknown: keep the last state" },
  tr: { valid: "geçerli", invalid: "geçersiz", unknown: "belirlenemedi: son durumu koruyun" },
}

/** In the order of the tabs. `field` renders one field of the form. */
const languages = {
  curl: { name: "curl" },
  php: { name: "PHP", read: readPhp, validate: validatePhp, field: "'$1' => '$2'" },
  javascript: { name: "JavaScript", read: readJs, validate: validateJs, field: '$1: "$2"' },
  python: { name: "Python", read: readPy, validate: validatePy, field: '"$1": "$2"' },
  // Runs on the JDK and on Android: uses neither a JSON parser nor java.net.http.
  java: { name: "Java", read: readJava, validate: validateJava, field: null },
  go: { name: "Go", read: readGo, validate: validateGo, field: null },
  // Uses a parser that .NET, .NET Framework, Mono and Unity all have.
  csharp: { name: "C#", read: readCs, validate: validateCs, field: '{ "$1", "$2" }' },
} as const
type SampleLanguage = keyof typeof languages

export type Sample = Readonly<{ id: string; name: string; language: SampleLanguage; text: string }>

/** One per language; none for a path without samples. */
export function createSamples(path: string, settings: SampleSettings): readonly Sample[] {
  const request = findSampleRequest(path, settings)
  if (request === null) return []
  // `as`: the names of the object are known.
  return (Object.keys(languages) as SampleLanguage[]).map((language) => ({
    id: language,
    name: languages[language].name,
    language,
    text:
      language === "curl" ? curlSample(request) : fillTemplate(language, request, settings.locale),
  }))
}

/** The first validation: plain HTTP and the clients. */
export function createQuickstartSamples(settings: SampleSettings): readonly Sample[] {
  const { baseUrl, secret, purchaseCode: code = testCode } = settings
  const plain = createSamples(operationPaths.validate_purchase, settings)
  const pick = (...ids: readonly string[]) => plain.filter(({ id }) => ids.includes(id))
  const client = (
    id: string,
    name: string,
    language: SampleLanguage,
    template: string,
  ): Sample => ({ id, name, language, text: fillIn(template, { baseUrl, secret, code }) })
  return [
    ...pick("curl", "php"),
    client("php_client", "PHP client", "php", clientPhp),
    client("wordpress", "WordPress", "php", wordpressPhp),
    client("typescript_client", "TypeScript client", "javascript", clientJs),
    ...pick("python"),
  ]
}

const fillIn = (template: string, values: Readonly<Record<string, string>>) =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "")

function curlSample(request: SampleRequest): string {
  const { url, secret, header, form } = request
  const fields = Object.entries(form ?? {}).map(([name, value]) => `  -d ${name}=${value} \\\n`)
  return `curl -i --max-time 5 \\
  -H "${header}: ${headerValueOf(request, secret)}" \\
${fields.join("")}  "${url}"
`
}

function fillTemplate(
  language: Exclude<SampleLanguage, "curl">,
  { name, url, secret, header, form }: SampleRequest,
  locale: Locale,
): string {
  const { read, validate, field } = languages[language]
  const isBearer = header === "Authorization"
  const values: Readonly<Record<string, string>> = {
    ...{ ...verdicts[locale], name, url, secret, header },
    scheme: isBearer ? "Bearer " : "",
    value: isBearer ? '"Bearer " + key' : "key",
    headers: headersOf(language === "python", isBearer),
    fields:
      field === null
        ? `${new URLSearchParams(form ?? {})}`
        : Object.entries(form ?? {})
            .map(([name, value]) => field.replace("$1", () => name).replace("$2", () => value))
            .join(", "),
  }
  return fillIn(form === null ? read : validate, values)
}

function headersOf(isPython: boolean, isBearer: boolean): string {
  if (isPython) return isBearer ? '{"Authorization": f"Bearer {key}"}' : '{"X-Api-Key": key}'
  return isBearer ? '{ Authorization: "Bearer " + key }' : '{ "X-Api-Key": key }'
}

const testCode = "test-regular"

type SampleRequest = Readonly<{
  /** The name of the Java class. */
  name: string
  url: string
  secret: string
  header: "X-Api-Key" | "Authorization"
  /** The body as a form; null for GET. */
  form: Readonly<Record<string, string>> | null
}>

export type SampleSettings = Readonly<{
  /** As in `https://api.example.com`. */
  baseUrl: string
  secret: string
  /** The language of the responses and of the printed texts. */
  locale: Locale
  /** Defaults to a test code. */
  purchaseCode?: string
  /** Absent with a real key: a sample must not activate a site. */
  site?: string
}>

/** Null for a path without samples. */
export function findSampleRequest(
  path: string,
  { baseUrl, secret, locale, purchaseCode = testCode, site }: SampleSettings,
): SampleRequest | null {
  const url = `${baseUrl}${path}`
  const sent = site === undefined ? {} : { site }
  const get = { url: `${url}?lang=${locale}`, secret, header: "X-Api-Key", form: null } as const
  switch (path) {
    case operationPaths.read_account:
      return { ...get, name: "ReadAccount" }
    case operationPaths.list_items:
      return { ...get, name: "ListItems" }
    case operationPaths.read_item:
      return { ...get, name: "ReadItem", url: `${url}?item_id=1&lang=${locale}` }
    case operationPaths.list_purchases:
      return { ...get, name: "ListPurchases", url: `${url}?limit=1&lang=${locale}` }
    case operationPaths.list_sites:
      return { ...get, name: "ListSites", url: `${url}?purchase_code=${testCode}&lang=${locale}` }
    case operationPaths.validate_purchase:
      return {
        ...get,
        name: "ValidatePurchase",
        url,
        form: { purchase_code: purchaseCode, ...sent, lang: locale },
      }
    case envatoPaths.sale:
      return {
        ...get,
        name: "FindSale",
        header: "Authorization",
        url: `${url}?${new URLSearchParams({ code: testCode, ...sent })}`,
      }
    case envatoPaths.sales:
      return { ...get, name: "ListSales", header: "Authorization", url: `${url}?page=1` }
    default:
      return null
  }
}

/** The value of the header. `key` is the key or the variable that holds it. */
export const headerValueOf = ({ header }: Pick<SampleRequest, "header">, key: string) =>
  header === "Authorization" ? `Bearer ${key}` : key

type SamplesProps = Readonly<{
  id: string
  title: string
  samples: readonly Sample[]
}>

/** Tabs of radio buttons work without the script. */
export const SamplesBlock = ({ id, title, samples }: SamplesProps) => (
  <fieldset class="sample">
    <legend class="visually-hidden">{t("Code samples: {title}", { title })}</legend>
    {samples.map(({ id: sampleId, name, language, text }, at) => (
      <>
        <label class="tab">
          <input
            type="radio"
            class="visually-hidden"
            name={`language-${id}`}
            value={sampleId}
            checked={at === 0}
          />
          {name}
        </label>
        <div class="sample-panel">
          <pre tabindex={0}>
            <code data-sample={`${id} ${sampleId}`}>{raw(highlight(language, text))}</code>
          </pre>
        </div>
      </>
    ))}
    <button type="button" class="quiet" data-copy-code hidden>
      {t("Copy")}
    </button>
  </fieldset>
)
