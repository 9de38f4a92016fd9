/** `pazar completion`: the commands as a tree of words, in the language of each shell. */
import type * as declared from "../declarations/running.ts"
import { type Command, type Option, type Run, UsageError } from "../frame/command.ts"

export const createCompletion =
  (commands: readonly Command[]): Run<typeof declared.completion> =>
  async ({ positionals: [shell] }, context) => {
    if (!isShell(shell)) {
      throw new UsageError(`The shell must be one of ${Object.keys(renderers).join(", ")}.`)
    }
    await context.write(renderers[shell](commands))
  }

export const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish }

const isShell = (name: string): name is keyof typeof renderers => Object.hasOwn(renderers, name)

/** A first word and the commands below it; a word alone is its own only command, with `second` "". */
type Branch = Readonly<{ first: string; leaves: readonly Leaf[] }>
type Leaf = ReturnType<typeof leafOf>

function branchesOf(commands: readonly Command[]): readonly Branch[] {
  const byFirst = Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "")
  return [...byFirst].map(([first, group]) => ({ first, leaves: group.map(leafOf) }))
}

const isGroup = ({ leaves }: Branch) => leaves.some(({ second }) => second !== "")

const listFirstWords = (branches: readonly Branch[]) =>
  [...branches.map(({ first }) => first), "help", "--help", "--version"].join(" ")

const listSecondWords = ({ leaves }: Branch) => leaves.map(({ second }) => second).join(" ")

const leafOf = ({ name, summary, positionals, options }: Command) => ({
  second: name.split(" ")[1] ?? "",
  summary,
  takesFile: positionals.some(isFile),
  choices: positionals.flatMap(choicesIn),
  options: Object.entries(options).map(leafOption),
})

/** `choices` are the values of an option, as far as they are known. */
function leafOption([name, option]: [string, Option]) {
  const value = option.type === "boolean" ? "" : option.value
  const takesValue = option.type !== "boolean"
  return { name: `--${name}`, takesValue, takesFile: isFile(value), choices: choicesIn(value) }
}

const isFile = (value: string) => /FILE/.test(value)

/** `sk|vk|tk` names its values; `FILE|-` and `TIME` do not. */
const choicesIn = (value: string) =>
  /^[a-z0-9|-]+\|[a-z0-9|-]+$/.test(value) ? value.split("|") : []

/** Where a file is expected `words` stays empty: then bash completes names of files. */
function renderBash(commands: readonly Command[]): string {
  const branches = branchesOf(commands)
  const renderBranch = (branch: Branch) => {
    const { first, leaves } = branch
    if (!isGroup(branch)) return `      ${first}) ${leaves.map(renderBashLeaf).join("")} ;;\n`
    const cases = leaves.map((leaf) => `          ${leaf.second}) ${renderBashLeaf(leaf)} ;;\n`)
    return `      ${first})
        if [ "$COMP_CWORD" -eq 2 ]; then words="${listSecondWords(branch)}"
        else case "\${COMP_WORDS[2]}" in
${cases.join("")}        esac; fi ;;
`
  }
  return `# bash completion for pazar
_pazar() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${listFirstWords(branches)}"
  else
    case "\${COMP_WORDS[1]}" in
${branches.map(renderBranch).join("")}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pazar pazar
`
}

function renderBashLeaf(leaf: Leaf): string {
  const words = `words="${listWords(leaf)}"`
  const otherwise = leaf.takesFile ? `case "$current" in -*) ${words} ;; esac` : words
  return renderCase(leaf, ({ choices }) => `words="${choices.join(" ")}"`, otherwise)
}

function renderZsh(commands: readonly Command[]): string {
  const branches = branchesOf(commands)
  const renderBranch = (branch: Branch) => {
    const { first, leaves } = branch
    if (!isGroup(branch)) return `    ${first}) ${leaves.map(renderZshLeaf).join("")} ;;\n`
    const cases = leaves.map((leaf) => `        ${leaf.second}) ${renderZshLeaf(leaf)} ;;\n`)
    return `    ${first})
      if (( CURRENT == 3 )); then compadd -- ${listSecondWords(branch)}
      else case "\${words[3]}" in
${cases.join("")}      esac; fi ;;
`
  }
  return `#compdef pazar
_pazar() {
  local previous="\${words[CURRENT-1]}"
  if (( CURRENT == 2 )); then
    compadd -- ${listFirstWords(branches)}
    return
  fi
  case "\${words[2]}" in
${branches.map(renderBranch).join("")}  esac
}
if [ "$funcstack[1]" = "_pazar" ]; then _pazar "$@"; else compdef _pazar pazar; fi
`
}

function renderZshLeaf(leaf: Leaf): string {
  const renderValue = ({ takesFile, choices }: Leaf["options"][number]) => {
    if (takesFile) return "_files"
    return choices.length > 0 ? `compadd -- ${choices.join(" ")}` : ":"
  }
  const files = leaf.takesFile ? "_files; " : ""
  return renderCase(leaf, renderValue, `${files}compadd -- ${listWords(leaf)}`)
}

const listWords = ({ choices, options }: Leaf) =>
  [...choices, ...options.map(({ name }) => name), "--help"].join(" ")

/** A shell `case`: after an option the values it takes, otherwise `otherwise`. */
function renderCase(
  { options }: Leaf,
  renderValue: (option: Leaf["options"][number]) => string,
  otherwise: string,
): string {
  const values = options
    .filter(({ takesValue }) => takesValue)
    .map((option) => `${option.name}) ${renderValue(option)} ;; `)
  return `case "$previous" in ${values.join("")}*) ${otherwise} ;; esac`
}

function renderFish(commands: readonly Command[]): string {
  const lines = branchesOf(commands).flatMap(renderFishBranch)
  return `# fish completion for pazar
complete -c pazar -f
complete -c pazar -n __fish_use_subcommand -a help -d 'explain a command'
complete -c pazar -n __fish_use_subcommand -l version -d 'print the version'
complete -c pazar -l help -d 'explain a command'
${lines.map((line) => `complete -c pazar ${line}\n`).join("")}`
}

function renderFishBranch(branch: Branch): readonly string[] {
  const { first, leaves } = branch
  const isChosen = `__fish_seen_subcommand_from ${first}`
  if (!isGroup(branch)) {
    return leaves.flatMap((leaf) => [
      `-n __fish_use_subcommand -a ${first} -d ${quote(leaf.summary)}`,
      ...renderFishLeaf(isChosen, leaf),
    ])
  }
  const isOpen = `${isChosen}; and not __fish_seen_subcommand_from ${listSecondWords(branch)}`
  return [
    `-n __fish_use_subcommand -a ${first}`,
    ...leaves.flatMap((leaf) => [
      `-n ${quote(isOpen)} -a ${leaf.second} -d ${quote(leaf.summary)}`,
      ...renderFishLeaf(`${isChosen}; and __fish_seen_subcommand_from ${leaf.second}`, leaf),
    ]),
  ]
}

function renderFishLeaf(isChosen: string, { takesFile, choices, options }: Leaf) {
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
