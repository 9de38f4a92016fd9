import type { Command } from "../frame/command.ts"
import { type Branch, branchesOf, isGroup, type Leaf } from "./model.ts"

export function renderFish(commands: readonly Command[]): string {
  const lines = branchesOf(commands).flatMap(renderBranch)
  return `# fish completion for pazar
complete -c pazar -f
complete -c pazar -n __fish_use_subcommand -a help -d 'explain a command'
complete -c pazar -n __fish_use_subcommand -l version -d 'print the version'
complete -c pazar -l help -d 'explain a command'
${lines.map((line) => `complete -c pazar ${line}\n`).join("")}`
}

function renderBranch(branch: Branch): readonly string[] {
  const { first, leaves } = branch
  const isChosen = `__fish_seen_subcommand_from ${first}`
  if (!isGroup(branch)) {
    return leaves.flatMap((leaf) => [
      `-n __fish_use_subcommand -a ${first} -d ${quote(leaf.summary)}`,
      ...renderLeaf(isChosen, leaf),
    ])
  }
  const seconds = leaves.map(({ second }) => second).join(" ")
  const isOpen = `${isChosen}; and not __fish_seen_subcommand_from ${seconds}`
  return [
    `-n __fish_use_subcommand -a ${first}`,
    ...leaves.flatMap((leaf) => [
      `-n ${quote(isOpen)} -a ${leaf.second} -d ${quote(leaf.summary)}`,
      ...renderLeaf(`${isChosen}; and __fish_seen_subcommand_from ${leaf.second}`, leaf),
    ]),
  ]
}

function renderLeaf(isChosen: string, { takesFile, choices, options }: Leaf): readonly string[] {
  const when = `-n ${quote(isChosen)}`
  return [
    ...(takesFile ? [`${when} -F`] : []),
    ...(choices.length > 0 ? [`${when} -a ${quote(choices.join(" "))}`] : []),
    ...options.map(({ name, takesValue, takesFile, choices }) => {
      const values = choices.length > 0 ? ` -a ${quote(choices.join(" "))}` : ""
      const kind = takesFile ? " -r -F" : takesValue ? ` -x${values}` : ""
      return `${when} -l ${name.slice(2)}${kind}`
    }),
  ]
}

const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
