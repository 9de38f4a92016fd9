import type { SampleRequest } from "./sample-request.ts"

export const phpSample = (request: SampleRequest) =>
  request.form === null ? readSample(request) : decisionSample(request, request.form)

const readSample = ({ url, header }: SampleRequest) => `<?php
$request = curl_init('${url}');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ['${header.name}: ${header.value}'],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
]);
$body = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);

echo $status, "\\n", $body, "\\n";
`

function decisionSample(
  { url, header }: SampleRequest,
  form: Readonly<Record<string, string>>,
): string {
  const fields = Object.entries(form).map(([name, value]) => `        '${name}' => '${value}',\n`)
  return `<?php
$reason = '';
$request = curl_init('${url}');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ['${header.name}: ${header.value}'],
    CURLOPT_POSTFIELDS => http_build_query([
${fields.join("")}    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
    CURLOPT_HEADERFUNCTION => function ($request, $line) use (&$reason) {
        if (stripos($line, 'Pazar-Reason:') === 0) {
            $reason = trim(substr($line, 13));
        }
        return strlen($line);
    },
]);
$body = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);

echo "$status $reason\\n";
if ($status === 200 && $reason === 'ok') {
    $purchase = json_decode($body, true)['data']['purchase'];
    echo "valid: {$purchase['purchase_code']}, {$purchase['item']['name']}\\n";
} elseif ($status === 404 && in_array($reason, ['unknown_code', 'revoked_code'], true)) {
    echo "invalid\\n";
} else {
    echo "cannot say: keep the last state\\n";
}
`
}
