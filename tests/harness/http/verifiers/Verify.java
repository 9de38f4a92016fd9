import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads cases from standard input and prints which of them are valid. See ../verifiers.ts. Java has no JSON
 * parser: each line is a case, its fields in base64 between spaces.
 */
public class Verify {
  static final Pattern FORM =
      Pattern.compile(
          "pazar=(\\(\"@status\" \"unencoded-digest\" \"pazar-reason\" \"pazar-question\"\\);created=\\d+;expires=(\\d+)"
              + ";nonce=\"([\\w-]+)\";keyid=\"([\\w-]+)\";alg=\"ed25519\";tag=\"([\\w-]+)\")");
  static final Pattern SIGNATURE = Pattern.compile("pazar=:([A-Za-z0-9+/]{86}==):");
  /** An X.509 public key is this prefix and a raw Ed25519 key. */
  static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  static String digest(String text) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return "sha-256=:" + Base64.getEncoder().encodeToString(hash) + ":";
  }

  static boolean isGood(
      String status, String reason, String body, String input, String signature,
      String keyId, String publicKey, String question, String nonce, String tag, long now)
      throws Exception {
    Matcher found = FORM.matcher(input);
    Matcher signed = SIGNATURE.matcher(signature);
    if (!found.matches() || !signed.matches()) return false;
    if (!found.group(4).equals(keyId) || !found.group(3).equals(nonce)) return false;
    if (!found.group(5).equals(tag) || Long.parseLong(found.group(2)) < now) return false;
    String base =
        String.join(
            "\n",
            "\"@status\": " + status,
            "\"unencoded-digest\": " + digest(body),
            "\"pazar-reason\": " + reason,
            "\"pazar-question\": " + digest(question),
            "\"@signature-params\": " + found.group(1));
    byte[] encoded = new byte[PREFIX.length + 32];
    System.arraycopy(PREFIX, 0, encoded, 0, PREFIX.length);
    System.arraycopy(Base64.getUrlDecoder().decode(publicKey), 0, encoded, PREFIX.length, 32);
    Signature verifier = Signature.getInstance("Ed25519");
    verifier.initVerify(
        KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
    verifier.update(base.getBytes(StandardCharsets.UTF_8));
    return verifier.verify(Base64.getDecoder().decode(signed.group(1)));
  }

  public static void main(String[] args) throws Exception {
    String all = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    List<Boolean> outcomes = new ArrayList<>();
    for (String line : all.split("\n")) {
      String[] f = line.split(" ");
      for (int i = 0; i < f.length; i++) {
        f[i] = new String(Base64.getDecoder().decode(f[i]), StandardCharsets.UTF_8);
      }
      outcomes.add(
          isGood(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], Long.parseLong(f[10])));
    }
    System.out.println(outcomes);
  }
}
