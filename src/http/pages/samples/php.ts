import { headerValueOf, type SampleRequest } from "./sample-request.ts"

export const phpSample = (request: SampleRequest) =>
  request.form === null ? readSample(request) : decisionSample(request, request.form)

const headerOf = (request: SampleRequest) =>
  `["${request.header}: ${headerValueOf(request, "$key")}"]`

const readSample = (request: SampleRequest) => `<?php
$key = '${request.secret}';
$request = curl_init('${request.url}');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ${headerOf(request)},
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
]);
$body = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);

echo $status, "\\n", $body, "\\n";
`

function decisionSample(request: SampleRequest, form: Readonly<Record<string, string>>): string {
  const fields = Object.entries(form).map(([name, value]) => `        '${name}' => '${value}',\n`)
  return `<?php
$key = '${request.secret}';
$reason = '';
$request = curl_init('${request.url}');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ${headerOf(request)},
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
$invalid = ['unknown_code', 'revoked_code'];

echo "$status $reason\\n";
if ($status === 200 && $reason === 'ok') {
    $purchase = json_decode($body, true)['data']['purchase'];
    echo "valid: {$purchase['purchase_code']}, {$purchase['item']['name']}\\n";
} elseif ($status === 404 && in_array($reason, $invalid, true)) {
    echo "invalid\\n";
} else {
    echo "cannot say: keep the last state\\n";
}
`
}
