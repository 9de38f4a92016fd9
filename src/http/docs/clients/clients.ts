/** The clients that every server offers at `/docs/clients/`. */
import typescriptPath from "./pazar-client.tgz" with { type: "file" }
import { clientsVersion, renderPhpClient } from "./php-client.ts"

export type ClientFile = Readonly<{
  name: string
  bytes: Uint8Array<ArrayBuffer>
  contentType: string
  /** In hexadecimal, like the output of `sha256sum`. */
  sha256: string
}>

export async function readClientFiles(): Promise<readonly ClientFile[]> {
  const php = new TextEncoder().encode(renderPhpClient())
  const typescript = await Bun.file(typescriptPath).bytes()
  return [
    describe("pazar.php", php, "application/x-httpd-php; charset=utf-8"),
    describe("pazar-client.tgz", typescript, "application/gzip"),
  ]
}

const describe = (
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): ClientFile => ({ name, bytes, contentType, sha256: Bun.SHA256.hash(bytes, "hex") })

/** Replaces the placeholders of the version and the checksums. */
export const describeClients = (text: string, files: readonly ClientFile[]) =>
  files.reduce(
    (filled, { name, sha256 }) => filled.replace(`{sha256 ${name}}`, sha256),
    text.replace("{version}", clientsVersion),
  )
