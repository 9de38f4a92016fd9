import { headerValueOf, type SampleRequest } from "./sample-request.ts"

export function curlSample(request: SampleRequest): string {
  const { url, secret, header, form } = request
  const fields = Object.entries(form ?? {}).map(([name, value]) => `  -d ${name}=${value} \\\n`)
  return `curl -i --max-time 5 \\
  -H "${header}: ${headerValueOf(request, secret)}" \\
${fields.join("")}  "${url}"
`
}
