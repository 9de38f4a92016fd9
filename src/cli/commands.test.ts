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
    pid: 0,
    terminate: isNeverCalled,
    startAgain: isNeverCalled,
  }
  return { status: await runCommandLine(args, context), stdout, stderr }
}

const signatureOf = (name: string, usage: string) => `pazar ${name} ${usage}`.trimEnd()

describe.each(commands)("pazar $name", ({ name, usage, summary, positionals }) => {
  const words = name.split(" ")
  const usageLine = `Usage: ${signatureOf(name, usage)}\n`
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
    expect(stderr).toContain("--frobnicate")
    expect(stderr).toEndWith(`\n${usageLine}`)
  })

  test("names the argument that is missing, or the one that is too many", async () => {
    const wrongNumber = fc
      .array(fc.string(), { maxLength: positionals.length + 3 })
      .filter((given) => given.length < required.length || given.length > positionals.length)
      .filter((given) => !given.includes("--help") && !given.includes("-h"))
    await fc.assert(
      fc.asyncProperty(wrongNumber, async (given) => {
        const problem =
          given.length < required.length
            ? `Missing ${required[given.length]}.`
            : `Unexpected argument ${JSON.stringify(given[positionals.length])}.`
        expect(await run(...words, "--", ...given)).toEqual({
          status: 2,
          stdout: "",
          stderr: `pazar: ${problem}\n${usageLine}`,
        })
      }),
      { numRuns: runs(50) },
    )
  })
})

describe("a mistyped word is named with the nearest known one", () => {
  test.each([
    [["imprt", "x"], "There is no command imprt. Did you mean import? `pazar help` lists all."],
    [
      ["key", "creat", "elif"],
      "There is no command key creat. Did you mean key create? `pazar help key` lists all.",
    ],
    [["frobnicate"], "There is no command frobnicate."],
    [
      ["key", "list", "elif", "--jsn"],
      "There is no option --jsn. Did you mean --json? An argument that begins with - goes after --.",
    ],
    [["key", "list", "--", "elif", "--jsn"], 'Unexpected argument "--jsn".'],
    [["help", "imprt"], "There is no command imprt. Did you mean import? `pazar help` lists all."],
    [
      ["help", "key", "creat"],
      "There is no command key creat. Did you mean key create? `pazar help key` lists all.",
    ],
    [["completion", "csh"], "The shell must be one of bash, zsh, fish."],
  ])("%j", async (args, problem) => {
    const { status, stdout, stderr } = await run(...args)
    expect([status, stdout, stderr.split("\n")[0]]).toEqual([2, "", `pazar: ${problem}`])
  })
})

test("a guess is on the screen: no list of all commands follows it", async () => {
  expect((await run("imprt", "x")).stderr).toBe(
    "pazar: There is no command imprt. Did you mean import? `pazar help` lists all.\n",
  )
  expect((await run("key", "creat")).stderr).toBe(
    "pazar: There is no command key creat. Did you mean key create? `pazar help key` lists all.\n",
  )
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

test("the usage lines, as they are documented", () => {
  expect(commands.map(({ name, usage }) => signatureOf(name, usage))).toEqual([
    "pazar serve [--replace] [--background] [--pid-file FILE]",
    "pazar demo",
    "pazar import FILE|- [--strict] [--dry-run] [--defaults FILE] [--timezone ZONE] [--as-of TIME] [--full] [--max-deletes N] [--max-revokes N] [--rejects FILE] [--report FILE] [--max-refused N] [--quiet]",
    "pazar pull FILE.json [--since TIME] [--every 5m] [--strict] [--dry-run] [--defaults FILE] [--timezone ZONE] [--as-of TIME] [--full] [--max-deletes N] [--max-revokes N] [--rejects FILE] [--report FILE] [--max-refused N] [--quiet]",
    "pazar export [FILE|-]",
    "pazar account list [--json]",
    "pazar account show USERNAME [--json]",
    "pazar account password USERNAME",
    "pazar account invite [USERNAME] [--all] [--without-password] [--json]",
    "pazar account second-factor USERNAME [--remove] [--json]",
    "pazar account suspend USERNAME [--json]",
    "pazar account resume USERNAME [--json]",
    "pazar operator create NAME [--link] [--json]",
    "pazar operator list [--json]",
    "pazar operator password NAME [--link] [--remove-totp] [--json]",
    "pazar operator remove NAME [--json]",
    "pazar token create NAME --may feed,links [--json]",
    "pazar token list [--json]",
    "pazar token rotate NAME [--overlap 0|1h|1d|7d] [--json]",
    "pazar token remove NAME [--json]",
    "pazar key create USERNAME [--kind sk|vk|tk] [--name NAME] [--items 1,2] [--expires TIME] [--json]",
    "pazar key list [USERNAME] [--all] [--json]",
    "pazar key find [--json]",
    "pazar key revoke KEY_ID",
    "pazar key rotate KEY_ID [--overlap 0|1h|1d|7d] [--json]",
    "pazar item show ID [--json]",
    "pazar item limit ID [none|N] [--licence NAME=N …] [--json]",
    "pazar purchase show CODE [--json]",
    "pazar purchase release CODE SITE [--json]",
    "pazar webhook create [USERNAME] [--operator] --url URL [--events a,b] [--json]",
    "pazar webhook list [USERNAME] [--operator] [--json]",
    "pazar webhook show ENDPOINT_ID [--secret] [--json]",
    "pazar webhook test ENDPOINT_ID [--json]",
    "pazar webhook resend MESSAGE_ID [--json]",
    "pazar webhook off ENDPOINT_ID [--json]",
    "pazar webhook on ENDPOINT_ID [--json]",
    "pazar webhook remove ENDPOINT_ID [--json]",
    "pazar usage [--by key|account|operation|reason] [--since TIME] [--limit N] [--json]",
    "pazar imports [ID] [--limit N] [--json]",
    "pazar status [--json]",
    "pazar signing-key list [--json]",
    "pazar signing-key rotate [--compromised=KEY_ID] [--json]",
    "pazar signing-key export",
    "pazar signing-key import [--json]",
    "pazar master-key replace [--json]",
    "pazar migrate [--json]",
    "pazar backup FILE [--overwrite] [--json]",
    "pazar restore FILE [--force] [--json]",
    "pazar move [--to URL] [--cancel] [--json]",
    "pazar doctor [--backups FOLDER] [--full] [--json]",
    "pazar openapi [--operator] [--lang en|tr]",
    "pazar completion bash|zsh|fish",
    "pazar version [--json]",
  ])
})
