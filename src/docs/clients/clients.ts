/** The clients that every server offers at `/docs/clients/`. */
import entry from "../../../clients/php/pazar.php" with { type: "text" }
import client from "../../../clients/php/src/client.php" with { type: "text" }
import code from "../../../clients/php/src/code.php" with { type: "text" }
import http from "../../../clients/php/src/http.php" with { type: "text" }
import options from "../../../clients/php/src/options.php" with { type: "text" }
import record from "../../../clients/php/src/record.php" with { type: "text" }
import result from "../../../clients/php/src/result.php" with { type: "text" }
import server from "../../../clients/php/src/server.php" with { type: "text" }
import signature from "../../../clients/php/src/signature.php" with { type: "text" }
import stores from "../../../clients/php/src/stores.php" with { type: "text" }
import wordpress from "../../../clients/php/src/wordpress.php" with { type: "text" }
import wordpressPage from "../../../clients/php/src/wordpress-page.php" with { type: "text" }
import wordpressUpdates from "../../../clients/php/src/wordpress-updates.php" with { type: "text" }
import typescriptPath from "./pazar-client.tgz" with { type: "file" }

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

/** In the order of `src/all.php`. */
const sources = [
  code,
  options,
  http,
  stores,
  signature,
  record,
  result,
  server,
  client,
  wordpressPage,
  wordpressUpdates,
  wordpress,
]

const head = "declare(strict_types=1);\n"
const bodyOf = (source: string) => source.slice(source.indexOf(head) + head.length).trim()

/** The version of both clients; a test compares them. */
const clientsVersion = /\['pazar_php_copies'\]\['([\d.]+)'\]/.exec(entry)?.[1] ?? ""

/**
 * The first time that the file is required it says its version, as `clients/php/pazar.php` does. The function that
 * chooses among the copies of a site requires it again, and then it declares the classes.
 */
export function renderPhpClient(): string {
  const classes = sources.map((source) => bodyOf(source).replace("namespace Pazar;\n", ""))
  return `${entry.slice(0, entry.indexOf(head))}${head}
namespace {
${bodyOf(entry).replace("__DIR__", "__FILE__")}
}

namespace Pazar {
if (defined('Pazar\\\\VERSION') && VERSION === '${clientsVersion}' && !class_exists('Pazar\\\\Client', false)) {
${classes.join("\n\n")}
}
}
`
}
