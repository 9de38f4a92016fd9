import type { SampleRequest } from "./sample-request.ts"

export const javascriptSample = (request: SampleRequest) =>
  request.form === null ? readSample(request) : decisionSample(request, request.form)

/** A name with a dash needs quotes. */
const member = (name: string) => (name.includes("-") ? `"${name}"` : name)

function readSample({ url, header }: SampleRequest): string {
  return `const answer = await fetch("${url}", {
  headers: { ${member(header.name)}: "${header.value}" },
  signal: AbortSignal.timeout(5000),
})

console.log(answer.status)
console.log(await answer.json())
`
}

function decisionSample(
  { url, header }: SampleRequest,
  form: Readonly<Record<string, string>>,
): string {
  const fields = Object.entries(form).map(([name, value]) => `${name}: "${value}"`)
  return `const answer = await fetch("${url}", {
  method: "POST",
  headers: { ${member(header.name)}: "${header.value}" },
  body: new URLSearchParams({ ${fields.join(", ")} }),
  signal: AbortSignal.timeout(5000),
}).catch(() => null)
const status = answer?.status ?? 0
const reason = answer?.headers.get("Pazar-Reason")

console.log(status, reason)
if (status === 200 && reason === "ok") {
  const { purchase } = (await answer.json()).data
  console.log(\`valid: \${purchase.purchase_code}, \${purchase.item.name}\`)
} else if (status === 404 && ["unknown_code", "revoked_code"].includes(reason)) {
  console.log("invalid")
} else {
  console.log("cannot say: keep the last state")
}
`
}
