// Finds the programs that tests need besides npm's packages, and as root on Debian installs the missing ones.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"

const browserPaths = new URL("../tests/harness/browser/browser-paths.json", import.meta.url)

/** npm has a Chromium for Linux on x64 only. */
const hasBrowser = () =>
  (process.platform === "linux" && process.arch === "x64") ||
  JSON.parse(readFileSync(browserPaths, "utf8")).some((path) => existsSync(path))

const hasProgram = (name) =>
  [...(process.env.PATH ?? "").split(":"), "/usr/sbin"].some((folder) =>
    existsSync(`${folder}/${name}`),
  )
const succeeds = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0
const phpExtensions = ["curl", "mysqli", "pdo_sqlite", "sodium", "zip"]
const phpCheck = `exit(array_diff(${JSON.stringify(phpExtensions)}, get_loaded_extensions()) ? 1 : 0);`
const program = (name, packages = [name]) => [name, () => hasProgram(name), packages]

/** The required programs, a check for each, and the Debian packages that provide them. */
const always = [program("curl")]
const forAll = [
  ["Chromium", hasBrowser, ["chromium-headless-shell"]],
  [
    `php (7.4 or newer) with ${phpExtensions.join(", ")}`,
    () => succeeds("php", "-r", phpCheck),
    ["php-cli", "php-curl", "php-mysql", "php-sqlite3", "php-zip"],
  ],
  [
    "python3 with cryptography",
    () => succeeds("python3", "-c", "import cryptography"),
    ["python3", "python3-cryptography"],
  ],
  [
    "PostgreSQL's programs",
    () => existsSync("/usr/lib/postgresql"),
    ["postgresql", "postgresql-client"],
  ],
  ["WordPress", () => existsSync("/usr/share/wordpress/wp-load.php"), ["wordpress"]],
  program("caddy"),
  program("composer"),
  program("git"),
  program("go", ["golang-go"]),
  program("javac", ["default-jdk-headless"]),
  [
    "mono",
    () => hasProgram("mono") && hasProgram("mcs"),
    [
      ...["mono-runtime", "mono-mcs", "libmono-system-net-http4.0-cil"],
      ...["libmono-system-runtime-serialization4.0-cil", "libmono-system-xml-linq4.0-cil"],
    ],
  ],
  program("mariadbd", ["mariadb-server-core"]),
  program("nginx", ["nginx-light"]),
  program("pgbouncer"),
  program("promtool", ["prometheus"]),
  program("ps", ["procps"]),
  program("systemd-analyze", ["systemd"]),
]

/** @param {{ isAll: boolean }} tier */
export function installTools({ isAll }) {
  const isMissing = ([, isThere]) => !isThere()
  const missing = [...always, ...(isAll ? forAll : [])].filter(isMissing)
  if (missing.length === 0) return
  installByApt(missing.flatMap(([, , packages]) => packages))
  const left = missing.filter(isMissing).map(([name]) => name)
  if (left.length === 0) return
  console.error(`the tests need ${left.join(", ")}; install these programs and run the tests again`)
  process.exit(2)
}

/** Does nothing unless this process is root on Debian. */
function installByApt(packages) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return
  console.error(`Installing ${packages.join(", ")} for the tests…`)
  const stdio = ["ignore", 2, 2]
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  spawnSync("apt-get", ["update", "-qq"], { stdio, env })
  spawnSync("apt-get", ["install", "-qq", "-y", "--no-install-recommends", ...packages], {
    stdio,
    env,
  })
}
