import type { SampleRequest } from "./sample-request.ts"

export const pythonSample = (request: SampleRequest) =>
  request.form === null ? readSample(request) : decisionSample(request, request.form)

const headerOf = ({ header }: SampleRequest) =>
  `{"${header}": ${header === "Authorization" ? 'f"Bearer {key}"' : "key"}}`

const readSample = (request: SampleRequest) => `import json
import urllib.request

key = "${request.secret}"
request = urllib.request.Request(
    "${request.url}",
    headers=${headerOf(request)},
)
with urllib.request.urlopen(request, timeout=5) as answer:
    print(answer.status)
    print(json.load(answer))
`

function decisionSample(request: SampleRequest, form: Readonly<Record<string, string>>): string {
  const fields = Object.entries(form).map(([name, value]) => `"${name}": "${value}"`)
  return `import json
import urllib.error
import urllib.parse
import urllib.request

key = "${request.secret}"
form = {${fields.join(", ")}}
request = urllib.request.Request(
    "${request.url}",
    data=urllib.parse.urlencode(form).encode(),
    headers=${headerOf(request)},
)
try:
    with urllib.request.urlopen(request, timeout=5) as answer:
        status, headers, body = answer.status, answer.headers, answer.read()
except urllib.error.HTTPError as error:
    status, headers, body = error.code, error.headers, b""
except OSError:
    status, headers, body = 0, {}, b""
reason = headers.get("Pazar-Reason")

print(status, reason)
if status == 200 and reason == "ok":
    purchase = json.loads(body)["data"]["purchase"]
    print(f"valid: {purchase['purchase_code']}, {purchase['item']['name']}")
elif status == 404 and reason in ("unknown_code", "revoked_code"):
    print("invalid")
else:
    print("cannot say: keep the last state")
`
}
