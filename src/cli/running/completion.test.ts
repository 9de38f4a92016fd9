/** The completions in a real bash. */
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
