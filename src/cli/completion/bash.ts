import type { Command } from "../frame/command.ts"
import { type Branch, branchesOf, isGroup, type Leaf, listFirstWords } from "./model.ts"

/** Where a file is expected `words` stays empty: then bash completes names of files. */
export function renderBash(commands: readonly Command[]): string {
  const branches = branchesOf(commands)
  const firsts = listFirstWords(branches)
  return `# bash completion for pazar
_pazar() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${firsts.join(" ")}"
  else
    case "\${COMP_WORDS[1]}" in
${branches.map(renderBranch).join("")}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pazar pazar
`
}

function renderBranch(branch: Branch): string {
  const { first, leaves } = branch
  const [only] = leaves
  if (!isGroup(branch)) return `      ${first}) ${only === undefined ? "" : renderLeaf(only)} ;;\n`
  const cases = leaves.map((leaf) => `          ${leaf.second}) ${renderLeaf(leaf)} ;;\n`)
  return `      ${first})
        if [ "$COMP_CWORD" -eq 2 ]; then words="${leaves.map(({ second }) => second).join(" ")}"
        else case "\${COMP_WORDS[2]}" in
${cases.join("")}        esac; fi ;;
`
}

function renderLeaf({ takesFile, choices, options }: Leaf): string {
  const values = options
    .filter(({ takesValue }) => takesValue)
    .map(({ name, choices }) => `${name}) words="${choices.join(" ")}" ;; `)
  const all = [...choices, ...options.map(({ name }) => name), "--help"].join(" ")
  const otherwise = takesFile ? `case "$current" in -*) words="${all}" ;; esac` : `words="${all}"`
  return `case "$previous" in ${values.join("")}*) ${otherwise} ;; esac`
}
