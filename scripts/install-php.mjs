// Finds PHP for the tests of the PHP client and the outbox: the installed one, or as root on Debian the one that this installs.
import { spawnSync } from "node:child_process"
import { installByApt } from "./apt.mjs"

const code =
  "exit(extension_loaded('curl') && extension_loaded('sodium') && extension_loaded('pdo_sqlite') ? 0 : 1);"
const hasPhp = () => spawnSync("php", ["-r", code], { stdio: "ignore" }).status === 0

export function installPhp() {
  if (hasPhp()) return
  if (installByApt("PHP", ["php-cli", "php-curl", "php-sqlite3"]) && hasPhp()) return
  console.error(
    "The tests need the command `php` (7.4 or newer) with its extensions curl, sodium and pdo_sqlite. Install it, then run this again.",
  )
  process.exit(2)
}
