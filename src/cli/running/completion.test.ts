/** The completions in real shells; zsh and fish where they are installed. */
import { describe, expect, test } from "bun:test"
import { commands } from "../commands.ts"
import { renderers } from "./completion.ts"

type Case = readonly [line: string, offered: readonly string[]]

/** The completions of the last word of a line. */
const cases: readonly Case[] = [
  ["pazar exp", ["export"]],
  ["pazar key cr", ["create"]],
  ["pazar key create elif --kind ", ["sk", "tk", "vk"]],
  ["pazar key create elif --ki", ["--kind"]],
  ["pazar signing-key ro", ["rotate"]],
  ["pazar completion ", ["--help", "bash", "fish", "zsh"]],
  ["pazar openapi --lang t", ["tr"]],
  ["pazar import --rej", ["--rejects"]],
  ["pazar key list --kind", []],
]

async function run(shell: readonly string[], script: string): Promise<string> {
  const child = Bun.spawn([...shell, script], { stdout: "pipe", stderr: "pipe" })
  const [out, problems] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(problems).toBe("")
  return out
}

const wordsOf = (text: string) => text.split("\n").filter((word) => word !== "")

describe("bash", () => {
  test.each(cases)("%s", async (line, offered) => {
    const typed = line.split(" ")
    const script = `${renderers.bash(commands)}
COMP_WORDS=(${typed.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${typed.length - 1}
_pazar; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(wordsOf(await run(["bash", "-c"], script)).toSorted()).toEqual([...offered])
  })

  test("a file is completed by bash itself", async () => {
    const script = `${renderers.bash(commands)}
COMP_WORDS=(pazar import ''); COMP_CWORD=2; _pazar; echo "\${#COMPREPLY[@]}"; complete -p pazar`
    expect(await run(["bash", "-c"], script)).toBe("0\ncomplete -o default -F _pazar pazar\n")
  })
})

describe.if(Bun.which("fish") !== null)("fish", () => {
  test.each(cases.filter(([, offered]) => !offered.includes("--help")))(
    "%s",
    async (line, offered) => {
      const script = `${renderers.fish(commands)}\ncomplete -C '${line}'`
      const words = wordsOf(await run(["fish", "--no-config", "-c"], script)).map(
        (word) => word.split("\t")[0] ?? "",
      )
      expect(words.filter((word) => word !== "--help").toSorted()).toEqual([...offered])
    },
  )
})

describe.if(Bun.which("zsh") !== null)("zsh", () => {
  test.each(cases)("%s", async (line, offered) => {
    const typed = line.split(" ")
    // compadd is replaced by a function that prints what would be offered.
    const script = `compdef() {}; _files() {}
compadd() { shift; for word in "$@"; do [[ $word == "$last"* ]] && print -- $word; done; true }
${renderers.zsh(commands)}
words=(${typed.map((word) => `'${word}'`).join(" ")}); CURRENT=${typed.length}; last='${typed.at(-1)}'; _pazar`
    expect(wordsOf(await run(["zsh", "-f", "-c"], script)).toSorted()).toEqual([...offered])
  })
})
