import type { SampleRequest } from "./sample-request.ts"

export function curlSample({ url, header, form }: SampleRequest): string {
  const fields = Object.entries(form ?? {}).map(([name, value]) => `  -d ${name}=${value} \\\n`)
  return `curl -i --max-time 5 \\
  -H "${header.name}: ${header.value}" \\
${fields.join("")}  "${url}"
`
}
