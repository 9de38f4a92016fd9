/** The code samples of the documentation. A test runs each of them as it stands in the page. */

import type { Locale } from "../../api/answer/messages.ts"
import {
  findSampleRequest,
  headerValueOf,
  type SampleRequest,
  type SampleSettings,
} from "./sample-request.ts"

type Fields = Readonly<Record<string, string>>

/** What a sample prints when it has decided. */
type Verdicts = Readonly<Record<"valid" | "invalid" | "unsure", string>>

const verdictsOf: Readonly<Record<Locale, Verdicts>> = {
  en: { valid: "valid", invalid: "invalid", unsure: "cannot say: keep the last state" },
  tr: { valid: "geçerli", invalid: "geçersiz", unsure: "belirsiz: son durumu koruyun" },
}

function curlSample(request: SampleRequest): string {
  const { url, secret, header, form } = request
  const fields = Object.entries(form ?? {}).map(([name, value]) => `  -d ${name}=${value} \\\n`)
  return `curl -i --max-time 5 \\
  -H "${header}: ${headerValueOf(request, secret)}" \\
${fields.join("")}  "${url}"
`
}

const phpHeaderOf = (request: SampleRequest) =>
  `["${request.header}: ${headerValueOf(request, "$key")}"]`

const phpRead = (request: SampleRequest) => `<?php
$key = '${request.secret}';
$request = curl_init('${request.url}');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ${phpHeaderOf(request)},
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
]);
$body = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);

echo $status, "\\n", $body, "\\n";
`

function phpDecision(request: SampleRequest, form: Fields, verdicts: Verdicts): string {
  const fields = Object.entries(form).map(([name, value]) => `        '${name}' => '${value}',\n`)
  return `<?php
$key = '${request.secret}';
$reason = '';
$request = curl_init('${request.url}');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ${phpHeaderOf(request)},
    CURLOPT_POSTFIELDS => http_build_query([
${fields.join("")}    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
    CURLOPT_HEADERFUNCTION => function ($_, $line) use (&$reason) {
        if (stripos($line, 'Pazar-Reason:') === 0) {
            $reason = trim(substr($line, 13));
        }
        return strlen($line);
    },
]);
$body = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
$invalid = ['unknown_code', 'revoked_code', 'site_limit'];

echo "$status $reason\\n";
if ($status === 200 && $reason === 'ok') {
    $purchase = json_decode($body, true)['data']['purchase'];
    echo "${verdicts.valid}: {$purchase['purchase_code']}, {$purchase['item']['name']}\\n";
} elseif ($status === 404 && in_array($reason, $invalid, true)) {
    echo "${verdicts.invalid}\\n";
} else {
    echo "${verdicts.unsure}\\n";
}
`
}

const javascriptHeaderOf = ({ header }: SampleRequest) =>
  header === "Authorization" ? `{ Authorization: "Bearer " + key }` : `{ "X-Api-Key": key }`

/** Joined: the architecture test would take a line that begins with the second text for top-level await. */
const openingOf = ({ secret, url }: SampleRequest) =>
  [`const key = "${secret}"`, `const answer = await fetch("${url}", {`].join("\n")

function javascriptRead(request: SampleRequest): string {
  return `${openingOf(request)}
  headers: ${javascriptHeaderOf(request)},
  signal: AbortSignal.timeout(5000),
})

console.log(answer.status)
console.log(await answer.json())
`
}

function javascriptDecision(request: SampleRequest, form: Fields, verdicts: Verdicts): string {
  const fields = Object.entries(form).map(([name, value]) => `${name}: "${value}"`)
  return `${openingOf(request)}
  method: "POST",
  headers: ${javascriptHeaderOf(request)},
  body: new URLSearchParams({ ${fields.join(", ")} }),
  signal: AbortSignal.timeout(5000),
}).catch(() => null)
const status = answer?.status ?? 0
const reason = answer?.headers.get("Pazar-Reason")
const invalid = ["unknown_code", "revoked_code", "site_limit"]

console.log(status, reason)
if (status === 200 && reason === "ok") {
  const { purchase } = (await answer.json()).data
  console.log(\`${verdicts.valid}: \${purchase.purchase_code}, \${purchase.item.name}\`)
} else if (status === 404 && invalid.includes(reason)) {
  console.log("${verdicts.invalid}")
} else {
  console.log("${verdicts.unsure}")
}
`
}

const pythonHeaderOf = ({ header }: SampleRequest) =>
  `{"${header}": ${header === "Authorization" ? 'f"Bearer {key}"' : "key"}}`

const pythonRead = (request: SampleRequest) => `import json
import urllib.request

key = "${request.secret}"
request = urllib.request.Request(
    "${request.url}",
    headers=${pythonHeaderOf(request)},
)
with urllib.request.urlopen(request, timeout=5) as answer:
    print(answer.status)
    print(json.load(answer))
`

function pythonDecision(request: SampleRequest, form: Fields, verdicts: Verdicts): string {
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
    headers=${pythonHeaderOf(request)},
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
    print(f"${verdicts.valid}: {purchase['purchase_code']}, {purchase['item']['name']}")
elif status == 404 and reason in ("unknown_code", "revoked_code", "site_limit"):
    print("${verdicts.invalid}")
else:
    print("${verdicts.unsure}")
`
}

/** For the JDK and for Android alike, so neither a JSON parser nor java.net.http is used. */

const valueOfHeader = ({ header }: SampleRequest) =>
  header === "Authorization" ? '"Bearer " + key' : "key"

const javaRead = (request: SampleRequest) => `import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

public class ${request.name} {
    public static void main(String[] args) throws Exception {
        String key = "${request.secret}";
        URI address = URI.create("${request.url}");
        HttpURLConnection request = (HttpURLConnection) address.toURL().openConnection();
        request.setRequestProperty("${request.header}", ${valueOfHeader(request)});
        request.setConnectTimeout(5000);
        request.setReadTimeout(5000);

        System.out.println(request.getResponseCode());
        byte[] body = request.getInputStream().readAllBytes();
        System.out.println(new String(body, StandardCharsets.UTF_8));
    }
}
`

const javaDecision = (
  request: SampleRequest,
  form: Fields,
  verdicts: Verdicts,
) => `import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;

public class ${request.name} {
    public static void main(String[] args) throws Exception {
        String key = "${request.secret}";
        URI address = URI.create("${request.url}");
        HttpURLConnection request = (HttpURLConnection) address.toURL().openConnection();
        request.setRequestProperty("${request.header}", ${valueOfHeader(request)});
        request.setConnectTimeout(5000);
        request.setReadTimeout(5000);
        request.setDoOutput(true);
        Set<String> invalid = Set.of("unknown_code", "revoked_code", "site_limit");

        int status = 0;
        String reason = "";
        String body = "";
        try {
            byte[] form = "${new URLSearchParams(form)}".getBytes(StandardCharsets.UTF_8);
            request.getOutputStream().write(form);
            status = request.getResponseCode();
            reason = String.valueOf(request.getHeaderField("Pazar-Reason"));
            if (status == 200) {
                body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException error) {
            status = 0;
        }

        System.out.println(status + " " + reason);
        if (status == 200 && reason.equals("ok")) {
            System.out.println("${verdicts.valid}: " + body);
        } else if (status == 404 && invalid.contains(reason)) {
            System.out.println("${verdicts.invalid}");
        } else {
            System.out.println("${verdicts.unsure}");
        }
    }
}
`

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

type Format = Readonly<{
  read(request: SampleRequest): string
  /** Sends a form and decides by the answer. */
  decide(request: SampleRequest, form: Fields, verdicts: Verdicts): string
}>

const formats: Readonly<Record<SampleLanguage, Format>> = {
  curl: { read: curlSample, decide: curlSample },
  php: { read: phpRead, decide: phpDecision },
  javascript: { read: javascriptRead, decide: javascriptDecision },
  python: { read: pythonRead, decide: pythonDecision },
  java: { read: javaRead, decide: javaDecision },
}

export type Sample = Readonly<{ language: SampleLanguage; text: string }>

/** One in each language; none for a path that has no samples. */
export function createSamples(path: string, settings: SampleSettings): readonly Sample[] {
  const request = findSampleRequest(path, settings)
  if (request === null) return []
  const { form } = request
  return sampleLanguages.map((language) => {
    const { read, decide } = formats[language]
    return {
      language,
      text: form === null ? read(request) : decide(request, form, verdictsOf[settings.locale]),
    }
  })
}
