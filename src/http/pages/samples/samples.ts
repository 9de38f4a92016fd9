/** The code samples of the documentation. A test runs each of them as it stands in the page. */
import { javaSample } from "./java.ts"
import { javascriptSample } from "./javascript.ts"
import { phpSample } from "./php.ts"
import { pythonSample } from "./python.ts"
import {
  findSampleRequest,
  headerValueOf,
  type SampleRequest,
  type SampleSettings,
} from "./sample-request.ts"

function curlSample(request: SampleRequest): string {
  const { url, secret, header, form } = request
  const fields = Object.entries(form ?? {}).map(([name, value]) => `  -d ${name}=${value} \\\n`)
  return `curl -i --max-time 5 \\
  -H "${header}: ${headerValueOf(request, secret)}" \\
${fields.join("")}  "${url}"
`
}

const sampleLanguages = ["curl", "php", "javascript", "python", "java"] as const
type SampleLanguage = (typeof sampleLanguages)[number]

/** As its makers write it; the same in every language. */
export const languageNames: Readonly<Record<SampleLanguage, string>> = {
  curl: "curl",
  php: "PHP",
  javascript: "JavaScript",
  python: "Python",
  java: "Java",
}

const formats: Readonly<Record<SampleLanguage, (request: SampleRequest) => string>> = {
  curl: curlSample,
  php: phpSample,
  javascript: javascriptSample,
  python: pythonSample,
  java: javaSample,
}

export type Sample = Readonly<{ language: SampleLanguage; text: string }>

/** One in each language; none for a path that has no samples. */
export function createSamples(path: string, settings: SampleSettings): readonly Sample[] {
  const request = findSampleRequest(path, settings)
  if (request === null) return []
  return sampleLanguages.map((language) => ({ language, text: formats[language](request) }))
}
