// Finds the programs that the tests need besides npm's packages: the installed ones, or as root on Debian those that
// this installs.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"

const browserPaths = new URL("../tests/harness/browser/browser-paths.json", import.meta.url)

/** npm carries a Chromium for Linux on x64 alone. */
const hasBrowser = () =>
  (process.platform === "linux" && process.arch === "x64") ||
  JSON.parse(readFileSync(browserPaths, "utf8")).some((path) => existsSync(path))

const code =
  "exit(extension_loaded('curl') && extension_loaded('sodium') && extension_loaded('pdo_sqlite') ? 0 : 1);"
const hasPhp = () => spawnSync("php", ["-r", code], { stdio: "ignore" }).status === 0

const hasProgram = (name) =>
  [...(process.env.PATH ?? "").split(":"), "/usr/sbin"].some((folder) =>
    existsSync(`${folder}/${name}`),
  )

/** For the samples of the documentation and for memory; names of Debian's packages. */
const packagesByProgram = { curl: "curl", git: "git", ps: "procps", python3: "python3" }

export function installTools() {
  install(
    hasBrowser,
    ["chromium-headless-shell"],
    `npm carries no Chromium for ${process.platform} on ${process.arch}. Install Chromium, then run this again.`,
  )
  install(
    hasPhp,
    ["php-cli", "php-curl", "php-sqlite3"],
    "The tests need the command `php` (7.4 or newer) with its extensions curl, sodium and pdo_sqlite. Install it, then run this again.",
  )
  for (const [program, name] of Object.entries(packagesByProgram)) {
    install(
      () => hasProgram(program),
      [name],
      `The tests need the program \`${program}\`. Install it, then run this again.`,
    )
  }
  // For `pazar pull`.
  install(
    () => hasProgram("mariadbd"),
    ["mariadb-server-core"],
    "The tests need the program `mariadbd`. Install MariaDB, then run this again.",
  )
}

function install(isThere, packages, problem) {
  if (isThere() || (installByApt(packages) && isThere())) return
  console.error(problem)
  process.exit(2)
}

/** False where this is not root on a Debian, or if the installation fails. */
function installByApt(packages) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false
  console.error(`Installing ${packages.join(", ")} for the tests…`)
  const commands = [
    ["update", "-qq"],
    ["install", "-qq", "-y", "--no-install-recommends", ...packages],
  ]
  const stdio = ["ignore", 2, 2]
  return commands.every((args) => spawnSync("apt-get", args, { stdio }).status === 0)
}
