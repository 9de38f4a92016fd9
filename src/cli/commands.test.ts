/** How command lines are parsed, for every command. No case here gets as far as a store. */
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../tests/harness/tier.ts"
import { commands } from "./commands.ts"
import type { CommandContext } from "./frame/command.ts"
import { runCommandLine } from "./run-command-line.ts"

async function run(...args: readonly string[]) {
  let [stdout, stderr] = ["", ""]
  const isNeverCalled = () => {
    throw new Error("a command line that is wrong reads and does nothing")
  }
  const context: CommandContext = {
    env: {},
    terminal: { columns: null, hasColours: false },
    async write(text) {
      stdout += text
    },
    tell(line) {
      stderr += `${line}\n`
    },
    showProgress: isNeverCalled,
    writeLog: isNeverCalled,
    readStandardInput: isNeverCalled,
    lowerPriority: isNeverCalled,
    surviveHangup: isNeverCalled,
    untilStopped: isNeverCalled,
    untilInterrupted: isNeverCalled,
  }
  return { status: await runCommandLine(args, context), stdout, stderr }
}

const signatureOf = (name: string, usage: string) => `pazar ${name} ${usage}`.trimEnd()

describe.each(commands)("pazar $name", ({ name, usage, summary, positionals }) => {
  const words = name.split(" ")
  const usageLine = ` ${signatureOf(name, usage)}\n`
  const required = positionals.filter((positional) => !positional.startsWith("["))

  test("explains itself with --help", async () => {
    const { status, stdout, stderr } = await run(...words, "--help")
    expect({ status, stderr, shown: stdout.split("\n").slice(0, 3) }).toEqual({
      status: 0,
      stderr: "",
      shown: [signatureOf(name, usage), "", summary],
    })
  })

  test("refuses an unknown option", async () => {
    const { status, stdout, stderr } = await run(...words, "--frobnicate")
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr.split("\n")[0]).toContain("--frobnicate")
    expect(stderr).toEndWith(usageLine)
  })

  test("names the argument that is missing, or the one that is too many", async () => {
    const wrongNumber = fc
      .array(fc.string(), { maxLength: positionals.length + 3 })
      .filter((given) => given.length < required.length || given.length > positionals.length)
      .filter((given) => !given.includes("--help") && !given.includes("-h"))
    await fc.assert(
      fc.asyncProperty(wrongNumber, async (given) => {
        const named =
          given.length < required.length
            ? required[given.length]
            : JSON.stringify(given[positionals.length])
        const { status, stdout, stderr } = await run(...words, "--", ...given)
        expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
        expect(stderr.split("\n")[0]).toContain(` ${named}`)
        expect(stderr).toEndWith(usageLine)
      }),
      { numRuns: runs(50) },
    )
  })
})

describe("a mistyped word is named with the nearest known one", () => {
  test.each([
    [["imprt", "x"], / imprt\b.* import\b.*`pazar help`/],
    [["key", "creat", "elif"], / key creat\b.* key create\b.*`pazar help key`/],
    [["frobnicate"], / frobnicate\b/],
    [["key", "list", "elif", "--jsn"], / --jsn\b.* --json\b/],
    [["key", "list", "--", "elif", "--jsn"], / "--jsn"(?!.*--json)/],
    [["help", "imprt"], / imprt\b.* import\b.*`pazar help`/],
    [["help", "key", "creat"], / key creat\b.* key create\b.*`pazar help key`/],
  ])("%j", async (args, named) => {
    const { status, stdout, stderr } = await run(...args)
    expect([status, stdout]).toEqual([2, ""])
    expect(stderr.split("\n")[0]).toMatch(named)
  })
})

test("a guess is on the screen: no list of all commands follows it", async () => {
  for (const args of [
    ["imprt", "x"],
    ["key", "creat"],
  ]) {
    expect((await run(...args)).stderr).toMatch(/^pazar: .+\n$/)
  }
})

describe("help before a command says what --help after it says", () => {
  test.each(commands.map(({ name }) => [name]))("%s", async (name) => {
    const words = name.split(" ")
    expect(await run("help", ...words)).toEqual(await run(...words, "--help"))
  })

  test("also for a group of commands", async () => {
    const ofGroup = await run("help", "key")
    expect(ofGroup).toEqual(await run("key", "--help"))
    expect(ofGroup.stdout).toContain("pazar key create")
    expect(ofGroup.stdout).not.toContain("pazar import")
  })
})

test.each(["--version", "-V"])("%s prints what version prints", async (option) => {
  expect(await run(option)).toEqual(await run("version"))
})

test("the commands and their options", () => {
  const optionsOf = (usage: string) => usage.match(/--[\w-]+/g) ?? []
  expect(commands.map(({ name, usage }) => [name, ...optionsOf(usage)].join(" "))).toEqual([
    "serve",
    "demo",
    "import --strict --dry-run --defaults --timezone --as-of --full --max-deletes --max-revokes --rejects --report --max-refused --quiet",
    "pull --since --every --strict --dry-run --defaults --timezone --as-of --full --max-deletes --max-revokes --rejects --report --max-refused --quiet",
    "export",
    "account list --json",
    "account show --json",
    "account password",
    "account invite --all --without-password --json",
    "account second-factor --remove --json",
    "account suspend --json",
    "account resume --json",
    "operator create --link --json",
    "operator list --json",
    "operator password --link --remove-totp --json",
    "operator remove --json",
    "token create --may --json",
    "token list --json",
    "token rotate --overlap --json",
    "token remove --json",
    "key create --kind --name --items --expires --json",
    "key list --all --json",
    "key find --json",
    "key revoke",
    "key rotate --overlap --json",
    "item show --json",
    "item limit --licence --json",
    "purchase show --json",
    "webhook create --operator --url --events --json",
    "webhook list --operator --json",
    "webhook remove --json",
    "imports --limit --json",
    "signing-key list --json",
    "signing-key rotate --compromised --json",
    "master-key reseal --json",
    "migrate --json",
    "backup --overwrite --json",
    "restore --force --json",
    "move --to --cancel --json",
    "doctor --quick --backups --full --json",
    "version --json",
  ])
})
