/**
 * docs/install.md, line by line, below a folder that stands for the root directory. Programs that need root are
 * stubs; nginx, the units and the executable have their own tests.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { $ } from "bun"
import { openVisitor } from "../harness/browser/visitor.ts"
import { installBlocks as blocks, root } from "../harness/deploy-files.ts"
import { type MailServer, openMailServer, pathIn } from "../harness/mail-server.ts"
import { temporaryFolder } from "../harness/program.ts"
import { plainEnvironment, startServer } from "../harness/run-pazar.ts"
import { createMariadbDatabase, queryMariadb } from "../harness/stores/mariadb-server.ts"

const nothing = "#!/bin/sh\n"
const programs: Readonly<Record<string, string>> = {
  runuser: '#!/bin/sh\nshift 3\nexec "$@"\n',
  // The owner is left out, because the user does not exist here.
  install: `#!/bin/bash
args=()
while [ $# -gt 0 ]; do
  case $1 in -o | -g) shift 2 ;; *) args+=("$1"); shift ;; esac
done
exec /usr/bin/install "\${args[@]}"
`,
  npm: nothing,
  "apt-get": nothing,
  useradd: nothing,
  systemctl: nothing,
  certbot: nothing,
  nginx: nothing,
  mysql: nothing,
  sha256sum: nothing,
}

let machine: string
let checkout: string
beforeAll(() => {
  machine = temporaryFolder()
  checkout = temporaryFolder()
  for (const folder of [
    "etc/systemd/system",
    "etc/cron.d",
    "etc/nginx/conf.d",
    "usr/local/bin",
    "usr/local/sbin",
  ])
    mkdirSync(join(machine, folder), { recursive: true })
  for (const folder of ["var/lib", "var/backups", "programs"])
    mkdirSync(join(machine, folder), { recursive: true })
  for (const folder of ["deploy", "examples"])
    cpSync(join(root, folder), join(checkout, folder), { recursive: true })
  const script = join(checkout, "deploy/pazar-as-service")
  writeFileSync(script, below(readFileSync(script, "utf8")))
  mkdirSync(join(checkout, "dist"))
  // No public address leads to this machine.
  const launcher = `#!/bin/sh\n[ "$2" = --outside ] || exec node "${root}/bin/pazar.mjs" "$@"\n`
  writeFileSync(join(checkout, "dist/pazar-linux-x64"), launcher)
  for (const [name, text] of Object.entries(programs)) {
    const path = join(machine, "programs", name)
    writeFileSync(path, text)
    chmodSync(path, 0o755)
  }
})
afterAll(() => {
  for (const folder of [machine, checkout]) rmSync(folder, { recursive: true })
})

/** Moves absolute paths below the folder that stands for the root directory. */
const below = (text: string) =>
  text.replace(/(?<![\w.])\/(?=(etc|var|usr\/local)\/)/g, `${machine}/`)

async function follow(text: string): Promise<string> {
  const PATH = ["programs", "usr/local/bin", "usr/local/sbin"]
    .map((folder) => join(machine, folder))
    .concat(plainEnvironment.PATH ?? "")
    .join(":")
  const env = { ...plainEnvironment, PATH }
  const { exitCode, stdout, stderr } = await $`bash -eu -c ${below(text)}`
    .cwd(checkout)
    .env(env)
    .quiet()
    .nothrow()
  expect({ text, exitCode, stderr: exitCode === 0 ? "" : stderr.toString() }).toEqual({
    text,
    exitCode: 0,
    stderr: "",
  })
  return stdout.toString()
}

/** The values that systemd 252 parses from each line of an EnvironmentFile. */
const settingsFile = [
  ["# A=comment", null],
  ["; B=comment", null],
  ["PLAIN=sqlite:/var/lib/pazar/pazar.db", "sqlite:/var/lib/pazar/pazar.db"],
  ["BLANK=Elif's Theme Shop", "Elif's Theme Shop"],
  ["AMPERSAND=mysql://u:p&w@h/db?x=1&y=2", "mysql://u:p&w@h/db?x=1&y=2"],
  ["SINGLE='--max-refused 100'", "--max-refused 100"],
  [String.raw`DOUBLE="a $HOME b \"c\" d\\e"`, String.raw`a $HOME b "c" d\e`],
  ["ENDS=  abc   ", "abc"],
  ["SHELL_WORDS=a$HOME`id`;b!*~", "a$HOME`id`;b!*~"],
  ["HASH=a#b c # d", "a#b c # d"],
  ["EMPTY=", ""],
  [String.raw`BACKSLASH=a\b\\c`, String.raw`ab\c`],
  ["EQUALS=a=b=c", "a=b=c"],
  ["  INDENTED=yes", "yes"],
  ['INNER=a"b"c', 'a"b"c'],
] as const

test("pazar-as-service parses settings as systemd does", async () => {
  const folder = join(machine, "etc/pazar")
  mkdirSync(folder)
  writeFileSync(join(folder, "pazar.env"), settingsFile.map(([line]) => line).join("\n"))
  const program = join(machine, "usr/local/bin/pazar")
  writeFileSync(program, "#!/bin/sh\nexec env --null\n")
  chmodSync(program, 0o755)
  const printed = (await follow("sh deploy/pazar-as-service")).split("\0")
  const names = settingsFile.map(([line]) => line.trim().split("=")[0] ?? "")
  const read = (name: string) =>
    printed.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
  expect(names.map((name) => [name, read(name)])).toEqual(
    settingsFile.map(([, value], at) => [names[at] ?? "", value]),
  )
  rmSync(folder, { recursive: true })
})

describe("docs/install.md", () => {
  let url: string
  let mail: MailServer
  afterAll(() => mail.close())
  beforeAll(async () => {
    mail = await openMailServer()
    url = await createMariadbDatabase()
    for (const name of ["wordpress-tables.sql", "woocommerce/tables.sql"])
      await queryMariadb(url, readFileSync(join(root, "examples/pull", name), "utf8"))
  })
  const fill = (text: string) =>
    text
      .replace(/mysql:\/\/\S+/, url)
      .replace(/pazar%40example\.com:\S+/, `pazar%40example.com:PASSWORD@127.0.0.1:${mail.port}`)
      .replace("YOUR-NAME", "deniz")
      .replace("AUTHOR", "elif")
      .replace("CODE", code)
  const code = "wc_order_aB12cD34-3"

  test("leads to the first valid code, and to a full sync every night", async () => {
    const invitation = mail.next(({ to }) => to.includes("elif@example.com"))
    const validating = blocks.findIndex((block) => block.includes("/api/purchases/validation"))
    for (const block of blocks.slice(0, validating)) await follow(fill(block))
    // Files with secrets get this mode before anything is written to them.
    for (const name of ["pazar.env", "pull.env"])
      expect(statSync(join(machine, "etc/pazar", name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(machine, "etc/systemd/system/pazar-pull.service"), "utf8")).toContain(
      "pull /etc/pazar/pull.json --every 30s",
    )
    const server = await startServer(machine, { PORT: "0" }, "serve", [
      "env",
      `PATH=${join(machine, "programs")}:${plainEnvironment.PATH}`,
      join(machine, "usr/local/sbin/pazar-as-service"),
    ])
    const author = openVisitor(server.url)
    const path = pathIn(await invitation)
    const password = "elma armut pencere"
    await author.submit(path, { password, repeat: password }, path)
    const form = { form_id: "1111111111111111", kind: "sk", name: "Mine" }
    const { text } = await author.submit("/workspace/elif/settings/keys/new", form)
    const [key = ""] = /pzr_sk_\w+/.exec(text) ?? []
    const response = await follow(
      fill(blocks[validating] ?? "")
        .replace("KEY", key)
        .replace("https://api.example.com", server.url),
    )
    expect(response).toStartWith("HTTP/1.1 200 ")
    expect(response).toContain(`"purchase_code":"${code}"`)
    await server.stop()
    await queryMariadb(
      url,
      `UPDATE wp_woocommerce_order_itemmeta SET meta_value = 'free'
       WHERE meta_key = '_line_total' AND order_item_id = 4`,
    )
    await follow(blocks.find((block) => block.includes("/etc/cron.d/")) ?? "")
    const [, nightly = ""] =
      / root (.*)$/m.exec(readFileSync(join(machine, "etc/cron.d/pazar"), "utf8")) ?? []
    const { rejected } = JSON.parse(await follow(nightly))
    expect(rejected).toBeGreaterThan(0)
  })

  test("pazar-as-service finds runuser with the PATH of cron", async () => {
    const { stderr } = await $`${machine}/usr/local/sbin/pazar-as-service doctor`
      .env({ PATH: "/usr/bin:/bin" })
      .quiet()
      .nothrow()
    // The user pazar may be missing here, but not the program.
    expect(stderr.toString()).not.toContain("runuser: not found")
  })
})
