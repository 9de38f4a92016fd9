/** How every command parses its arguments. No test here opens a database. */
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../tests/harness/full-test-run.ts"
import { commands, runCommandLine } from "./cli.ts"
import type { CommandContext } from "./platform/cli/command.ts"

async function run(...args: readonly string[]) {
  let [stdout, stderr] = ["", ""]
  const isNeverCalled = () => {
    throw new Error("a command line that is wrong reads and does nothing")
  }
  const context: CommandContext = {
    env: {},
    hasColors: false,
    isTyped: false,
    async write(text) {
      stdout += text
    },
    printStderr(line) {
      stderr += `${line}\n`
    },
    showProgress: isNeverCalled,
    writeLog: isNeverCalled,
    readStandardInput: isNeverCalled,
    lowerPriority: isNeverCalled,
    ignoreHangup: isNeverCalled,
    untilStopped: isNeverCalled,
    untilInterrupted: isNeverCalled,
  }
  return { status: await runCommandLine(args, context), stdout, stderr }
}

const signatureOf = (name: string, usage: string) => `pazar ${name} ${usage}`.trimEnd()

const loaded = await Promise.all(
  commands.map(async ({ name, summary, load }) => ({ ...(await load()), name, summary })),
)

describe.each(loaded)("pazar $name", ({ name, usage, summary, positionals }) => {
  const words = name.split(" ")
  const remedy = `; run pazar help ${name}\n`
  const required = positionals.filter((positional) => !positional.startsWith("["))

  test("prints help with --help", async () => {
    const { status, stdout, stderr } = await run(...words, "--help")
    expect({ status, stderr, shown: stdout.split("\n").slice(0, 3) }).toEqual({
      status: 0,
      stderr: "",
      shown: [signatureOf(name, usage), "", summary],
    })
  })

  test("rejects an unknown option", async () => {
    expect(await run(...words, "--frobnicate")).toEqual({
      status: 2,
      stdout: "",
      stderr: `pazar: unknown option --frobnicate${remedy}`,
    })
  })

  test("names a missing or an extra argument", async () => {
    const wrongNumber = fc
      .array(fc.string(), { maxLength: positionals.length + 3 })
      .filter((args) => args.length < required.length || args.length > positionals.length)
      .filter((args) => !args.includes("--help") && !args.includes("-h"))
    await fc.assert(
      fc.asyncProperty(wrongNumber, async (args) => {
        const named =
          args.length < required.length
            ? required[args.length]
            : JSON.stringify(args[positionals.length])
        const { status, stdout, stderr } = await run(...words, "--", ...args)
        expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
        expect(stderr.split("\n")[0]).toContain(` ${named}`)
        expect(stderr).toEndWith(remedy)
      }),
      { numRuns: propertyRuns(50) },
    )
  })
})

describe("an unknown command or option is reported in one line with a suggestion and a remedy", () => {
  test.each([
    [["imprt", "x"], 'unknown command "imprt"; did you mean import? run pazar help'],
    [["frobnicate"], 'unknown command "frobnicate"; run pazar help'],
    [["key", "creat"], 'unknown command "key creat"; did you mean key create? run pazar help key'],
    [["key"], "missing command; run pazar help key"],
    [["--json"], "missing command; run pazar help"],
    [["help", "imprt"], 'unknown command "imprt"; did you mean import? run pazar help'],
    [["key", "list", "elif", "--jsn"], "unknown option --jsn; did you mean --json?"],
    [["serve", "--port", "80"], "unknown option --port; set PORT"],
    [["serve", "--backup-dir=x"], "unknown option --backup-dir; set PAZAR_BACKUP_DIR"],
    [["status", "--json"], 'unknown command "status"; run pazar help'],
  ])("%j", async (args, message) => {
    expect(await run(...args)).toEqual({ status: 2, stdout: "", stderr: `pazar: ${message}\n` })
  })
})

test("the overview has every command, in at most 40 lines of 100 characters", async () => {
  const { status, stdout } = await run("help")
  expect(status).toBe(0)
  const lines = stdout.split("\n")
  expect(lines.length).toBeLessThanOrEqual(40)
  expect(lines.filter((line) => line.length > 100)).toEqual([])
  for (const { name } of commands) {
    const [first = "", second = ""] = name.split(" ")
    const line = lines.find((each) => each.startsWith(`  ${first} `)) ?? ""
    expect(line).toContain(second)
    expect(line).not.toBe("")
  }
  for (const args of [[], ["--help"], ["-h"]]) expect(await run(...args)).toEqual(await run("help"))
})

describe("help COMMAND prints the same as COMMAND --help", () => {
  test.each(commands.map(({ name }) => [name]))("%s", async (name) => {
    const words = name.split(" ")
    expect(await run("help", ...words)).toEqual(await run(...words, "--help"))
  })

  test("for a group of commands", async () => {
    const ofGroup = await run("help", "key")
    expect(ofGroup).toEqual(await run("key", "--help"))
    expect(ofGroup.stdout).toContain("pazar key create")
    expect(ofGroup.stdout).not.toContain("pazar import")
  })
})

test.each(["--version", "-V"])("%s prints the same as version", async (option) => {
  expect(await run(option)).toEqual(await run("version"))
})

test("the commands and their options", () => {
  const optionsOf = (usage: string) => usage.match(/--[\w-]+/g) ?? []
  expect(loaded.map(({ name, usage }) => [name, ...optionsOf(usage)].join(" "))).toEqual([
    "serve",
    "demo",
    "migrate --json",
    "doctor --quick --backups --outside --full --repair --json",
    "version --json",
    "import --strict --dry-run --timezone --as-of --full --max-deletes --max-revokes --report --max-refused --quiet",
    "pull --since --every --strict --dry-run --timezone --as-of --full --max-deletes --max-revokes --report --max-refused --quiet",
    "export",
    "imports --limit --json",
    "account list --json",
    "account show --json",
    "account password",
    "account invite --role --email --all --without-password --send --json",
    "account suspend --reason --json",
    "account resume --json",
    "person list --json",
    "person second-factor --remove --json",
    "person remove --json",
    "key create --kind --name --items --scope --requires-site --expires --json",
    "key list --all --json",
    "key find --json",
    "key revoke",
    "key rotate --overlap --json",
    "item show --json",
    "item limit --license --json",
    "purchase show --json",
    "webhook create --operator --url --events --json",
    "webhook list --operator --json",
    "webhook remove --json",
    "operator create --role --email --link --json",
    "operator list --json",
    "operator password --link --remove-totp --json",
    "operator role --json",
    "operator remove --json",
    "token create --may --json",
    "token list --json",
    "token rotate --overlap --json",
    "token remove --json",
    "backup --overwrite --json",
    "restore --force --json",
    "move --to --cancel --json",
    "signing-key list --json",
    "signing-key rotate --compromised --json",
    "master-key reseal --json",
  ])
})
