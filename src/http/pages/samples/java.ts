/** For the JDK and for Android alike, so neither a JSON parser nor java.net.http is used. */
import type { SampleRequest } from "./sample-request.ts"

export const javaSample = (request: SampleRequest) =>
  request.form === null ? readSample(request) : decisionSample(request, request.form)

const valueOfHeader = ({ header }: SampleRequest) =>
  header === "Authorization" ? '"Bearer " + key' : "key"

const readSample = (request: SampleRequest) => `import java.net.HttpURLConnection;
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

const decisionSample = (
  request: SampleRequest,
  form: Readonly<Record<string, string>>,
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
            System.out.println("valid: " + body);
        } else if (status == 404 && Set.of("unknown_code", "revoked_code").contains(reason)) {
            System.out.println("invalid");
        } else {
            System.out.println("cannot say: keep the last state");
        }
    }
}
`
