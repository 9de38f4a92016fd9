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
type Verdicts = Readonly<Record<"valid" | "invalid" | "unknown", string>>

const verdictsOf: Readonly<Record<Locale, Verdicts>> = {
  en: { valid: "valid", invalid: "invalid", unknown: "unknown: keep the last state" },
  tr: { valid: "geçerli", invalid: "geçersiz", unknown: "belirlenemedi: son durumu koruyun" },
}

/** The item of the test codes. */
const itemId = 1

/** Error codes of a 404 that is a verdict. Everything but a complete 200 or 404 is unknown. */
const invalid = ["unknown_code", "revoked_code", "expired_code", "site_limit"]
const listInvalid = (quote: string, prefix = "") =>
  invalid.map((code) => quote + prefix + code + quote).join(", ")

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
  const fields = Object.entries(form).map(([name, value]) => `'${name}' => '${value}'`)
  return `<?php
$key = '${request.secret}';
$itemId = ${itemId};
$reason = '';
$request = curl_init('${request.url}');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ${phpHeaderOf(request)},
    CURLOPT_POSTFIELDS => http_build_query([${fields.join(", ")}]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
    CURLOPT_HEADERFUNCTION => function ($_, $line) use (&$reason) {
        if (stripos($line, 'Pazar-Reason:') === 0) {
            $reason = trim(substr($line, 13));
        }
        return strlen($line);
    },
]);
$body = json_decode((string) curl_exec($request), true);
$status = is_array($body) ? curl_getinfo($request, CURLINFO_RESPONSE_CODE) : 0;
$invalid = [${listInvalid("'")}];

echo "$status $reason\\n";
if ($status === 200 && $reason === 'ok' && isset($body['data']['purchase'])) {
    ['purchase_code' => $code, 'item' => $item] = $body['data']['purchase'];
    echo $item['id'] === $itemId ? "${verdicts.valid}: $code, {$item['name']}\\n" : "${verdicts.invalid}\\n";
} elseif ($status === 404 && in_array($reason, $invalid, true)) {
    echo "${verdicts.invalid}\\n";
} else {
    echo "${verdicts.unknown}\\n";
}
`
}

const javascriptHeaderOf = ({ header }: SampleRequest) =>
  header === "Authorization" ? `{ Authorization: "Bearer " + key }` : `{ "X-Api-Key": key }`

/** Joined: the architecture test would take a line that begins with the last text for top-level await. */
const joinLines = (...lines: readonly string[]) => lines.join("\n")

function javascriptRead(request: SampleRequest): string {
  return joinLines(
    `const key = "${request.secret}"`,
    `const response = await fetch("${request.url}", {
  headers: ${javascriptHeaderOf(request)},
  signal: AbortSignal.timeout(5000),
})

console.log(response.status)
console.log(await response.json())
`,
  )
}

function javascriptDecision(request: SampleRequest, form: Fields, verdicts: Verdicts): string {
  const fields = Object.entries(form).map(([name, value]) => `${name}: "${value}"`)
  return joinLines(
    `const key = "${request.secret}"`,
    `const itemId = ${itemId}`,
    `const [response, body] = await fetch("${request.url}", {
  method: "POST",
  headers: ${javascriptHeaderOf(request)},
  body: new URLSearchParams({ ${fields.join(", ")} }),
  signal: AbortSignal.timeout(5000),
}).then(async (response) => [response, await response.json()]).catch(() => [])
const outcome = \`\${response?.status ?? 0} \${response?.headers.get("Pazar-Reason") ?? ""}\`
const invalid = [${listInvalid('"', "404 ")}]

console.log(outcome)
if (outcome === "200 ok" && body?.data?.purchase) {
  const { purchase_code, item } = body.data.purchase
  console.log(item.id === itemId ? \`${verdicts.valid}: \${purchase_code}, \${item.name}\` : "${verdicts.invalid}")
} else if (invalid.includes(outcome)) {
  console.log("${verdicts.invalid}")
} else {
  console.log("${verdicts.unknown}")
}
`,
  )
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
with urllib.request.urlopen(request, timeout=5) as response:
    print(response.status)
    print(json.load(response))
`

function pythonDecision(request: SampleRequest, form: Fields, verdicts: Verdicts): string {
  const fields = Object.entries(form).map(([name, value]) => `"${name}": "${value}"`)
  return `import json
import urllib.error
import urllib.parse
import urllib.request

key = "${request.secret}"
item_id = ${itemId}
request = urllib.request.Request(
    "${request.url}",
    data=urllib.parse.urlencode({${fields.join(", ")}}).encode(),
    headers=${pythonHeaderOf(request)},
)
try:
    try:
        response = urllib.request.urlopen(request, timeout=5)
    except urllib.error.HTTPError as error:
        response = error
    status, reason, body = response.getcode(), response.headers["Pazar-Reason"], json.load(response)
except Exception:
    status, reason, body = 0, None, {}
print(status, reason)
if status == 200 and reason == "ok" and "data" in body:
    purchase = body["data"]["purchase"]
    verdict = f"${verdicts.valid}: {purchase['purchase_code']}, {purchase['item']['name']}"
    print(verdict if purchase["item"]["id"] == item_id else "${verdicts.invalid}")
elif status == 404 and reason in (${listInvalid('"')}):
    print("${verdicts.invalid}")
else:
    print("${verdicts.unknown}")
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
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

public class ${request.name} {
    public static void main(String[] args) throws Exception {
        String key = "${request.secret}";
        int itemId = ${itemId};
        URI address = URI.create("${request.url}");
        HttpURLConnection request = (HttpURLConnection) address.toURL().openConnection();
        request.setRequestProperty("${request.header}", ${valueOfHeader(request)});
        request.setConnectTimeout(5000);
        request.setReadTimeout(5000);
        request.setDoOutput(true);

        String outcome = "0";
        String body = "";
        try {
            byte[] form = "${new URLSearchParams(form)}".getBytes(StandardCharsets.UTF_8);
            request.getOutputStream().write(form);
            int status = request.getResponseCode();
            InputStream stream = status == 200 ? request.getInputStream() : request.getErrorStream();
            body = stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            outcome = status + " " + request.getHeaderField("Pazar-Reason");
        } catch (IOException error) {
            body = "";
        }

        System.out.println(outcome);
        if (outcome.equals("200 ok") && body.matches("(?s).*\\"item\\":\\\\{\\"id\\":.*}}}")) {
            boolean isOurs = body.contains("\\"item\\":{\\"id\\":" + itemId + ",");
            System.out.println(isOurs ? "${verdicts.valid}: " + body : "${verdicts.invalid}");
        } else if (outcome.matches("404 (${invalid.join("|")})") && body.endsWith("}")) {
            System.out.println("${verdicts.invalid}");
        } else {
            System.out.println("${verdicts.unknown}");
        }
    }
}
`

const goHeaderOf = ({ header, secret }: SampleRequest) =>
  `request.Header.Set("${header}", "${headerValueOf({ header }, secret)}")`

const goRead = (request: SampleRequest) => `package main

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

func main() {
	request, _ := http.NewRequest("GET", "${request.url}", nil)
	${goHeaderOf(request)}
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode)
	fmt.Println(string(body))
}
`

const goDecision = (request: SampleRequest, form: Fields, verdicts: Verdicts) => `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const itemId = ${itemId}

type validation struct {
	Data struct {
		Purchase struct {
			Code string \`json:"purchase_code"\`
			Item struct {
				Id   int
				Name string
			}
		}
	}
}

func main() {
	form := strings.NewReader("${new URLSearchParams(form)}")
	request, _ := http.NewRequest("POST", "${request.url}", form)
	${goHeaderOf(request)}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{Timeout: 5 * time.Second}
	outcome, body := "0", validation{}
	if response, err := client.Do(request); err == nil {
		defer response.Body.Close()
		if json.NewDecoder(response.Body).Decode(&body) == nil {
			outcome = fmt.Sprint(response.StatusCode, " ", response.Header.Get("Pazar-Reason"))
		}
	}
	fmt.Println(outcome)
	purchase := body.Data.Purchase
	switch outcome {
	case "200 ok":
		if purchase.Item.Id == itemId {
			fmt.Printf("${verdicts.valid}: %s, %s\\n", purchase.Code, purchase.Item.Name)
		} else if purchase.Item.Id != 0 {
			fmt.Println("${verdicts.invalid}")
		} else {
			fmt.Println("${verdicts.unknown}")
		}
	case ${listInvalid('"', "404 ")}:
		fmt.Println("${verdicts.invalid}")
	default:
		fmt.Println("${verdicts.unknown}")
	}
}
`

const csharpHeaderOf = ({ header, secret }: SampleRequest) =>
  `client.DefaultRequestHeaders.Add("${header}", "${headerValueOf({ header }, secret)}");`

/** For .NET, .NET Framework, Mono and Unity alike, so the parser is one that all of them have. */
const csharpRead = (request: SampleRequest) => `using System;
using System.Net.Http;

public class ${request.name}
{
    public static void Main()
    {
        var client = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };
        ${csharpHeaderOf(request)}
        var response = client.GetAsync("${request.url}").Result;

        Console.WriteLine((int)response.StatusCode);
        Console.WriteLine(response.Content.ReadAsStringAsync().Result);
    }
}
`

function csharpDecision(request: SampleRequest, form: Fields, verdicts: Verdicts): string {
  const fields = Object.entries(form).map(([name, value]) => `{ "${name}", "${value}" }`)
  return `using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Xml;
using System.Xml.Linq;

public class ${request.name}
{
    const string ItemId = "${itemId}";

    public static void Main()
    {
        var client = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };
        ${csharpHeaderOf(request)}
        var form = new Dictionary<string, string> { ${fields.join(", ")} };
        var outcome = "0";
        XElement purchase = null;
        try
        {
            var response = client.PostAsync("${request.url}", new FormUrlEncodedContent(form)).Result;
            var text = response.Content.ReadAsStringAsync().Result;
            if (!text.EndsWith(response.IsSuccessStatusCode ? "}}}" : "}")) throw new FormatException(text);
            var bytes = Encoding.UTF8.GetBytes(text);
            var body = XElement.Load(JsonReaderWriterFactory.CreateJsonReader(bytes, XmlDictionaryReaderQuotas.Max));
            purchase = body.Element("data")?.Element("purchase");
            outcome = (int)response.StatusCode + " " + response.Headers.GetValues("Pazar-Reason").First();
        }
        catch (Exception)
        {
            outcome = "0";
        }
        var invalid = new[] { ${listInvalid('"', "404 ")} };

        Console.WriteLine(outcome);
        if (outcome == "200 ok" && purchase != null)
        {
            var item = purchase.Element("item");
            var verdict = "${verdicts.valid}: " + purchase.Element("purchase_code").Value + ", " + item.Element("name").Value;
            Console.WriteLine(item.Element("id").Value == ItemId ? verdict : "${verdicts.invalid}");
        }
        else
        {
            Console.WriteLine(invalid.Contains(outcome) ? "${verdicts.invalid}" : "${verdicts.unknown}");
        }
    }
}
`
}

const sampleLanguages = ["curl", "php", "javascript", "python", "java", "go", "csharp"] as const
type SampleLanguage = (typeof sampleLanguages)[number]

/** As its makers write it; the same in every language. */
export const languageNames: Readonly<Record<SampleLanguage, string>> = {
  curl: "curl",
  php: "PHP",
  javascript: "JavaScript",
  python: "Python",
  java: "Java",
  go: "Go",
  csharp: "C#",
}

type Format = Readonly<{
  read(request: SampleRequest): string
  /** Sends a form and decides by the response. */
  decide(request: SampleRequest, form: Fields, verdicts: Verdicts): string
}>

const formats: Readonly<Record<SampleLanguage, Format>> = {
  curl: { read: curlSample, decide: curlSample },
  php: { read: phpRead, decide: phpDecision },
  javascript: { read: javascriptRead, decide: javascriptDecision },
  python: { read: pythonRead, decide: pythonDecision },
  java: { read: javaRead, decide: javaDecision },
  go: { read: goRead, decide: goDecision },
  csharp: { read: csharpRead, decide: csharpDecision },
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
