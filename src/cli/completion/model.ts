/** The commands as a tree of words, for all shells. */
import type { Command } from "../frame/command.ts"

/** A first word and the commands below it; a word alone is its own only command, with `second` "". */
export type Branch = Readonly<{ first: string; leaves: readonly Leaf[] }>
export type Leaf = Readonly<{
  second: string
  summary: string
  takesFile: boolean
  choices: readonly string[]
  options: readonly LeafOption[]
}>
/** `choices` are the values of an option, as far as they are known. */
export type LeafOption = Readonly<{
  name: string
  takesValue: boolean
  takesFile: boolean
  choices: readonly string[]
}>

export function branchesOf(commands: readonly Command[]): readonly Branch[] {
  const byFirst = Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "")
  return [...byFirst].map(([first, group]) => ({ first, leaves: group.map(leafOf) }))
}

export const listFirstWords = (branches: readonly Branch[]): readonly string[] => [
  ...branches.map(({ first }) => first),
  ...["help", "--help", "--version"],
]

export const isGroup = ({ leaves }: Branch) => leaves.some(({ second }) => second !== "")

function leafOf({ name, summary, positionals, options }: Command): Leaf {
  return {
    second: name.split(" ")[1] ?? "",
    summary,
    takesFile: positionals.some(isFile),
    choices: positionals.flatMap(choicesIn),
    options: Object.entries(options).map(([name, option]) => {
      const value = option.type === "boolean" ? null : option.value
      return {
        name: `--${name}`,
        takesValue: value !== null,
        takesFile: value !== null && isFile(value),
        choices: value === null ? [] : choicesIn(value),
      }
    }),
  }
}

const isFile = (value: string) => /FILE/.test(value)

/** `sk|vk|tk` names its values; `FILE|-` and `TIME` do not. */
const choicesIn = (value: string) =>
  /^[a-z0-9|-]+\|[a-z0-9|-]+$/.test(value) ? value.split("|") : []
