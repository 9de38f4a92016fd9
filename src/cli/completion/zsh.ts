import type { Command } from "../frame/command.ts"
import { type Branch, branchesOf, isGroup, type Leaf, listFirstWords } from "./model.ts"

export function renderZsh(commands: readonly Command[]): string {
  const branches = branchesOf(commands)
  const firsts = listFirstWords(branches)
  return `#compdef pazar
_pazar() {
  local previous="\${words[CURRENT-1]}"
  if (( CURRENT == 2 )); then
    compadd -- ${firsts.join(" ")}
    return
  fi
  case "\${words[2]}" in
${branches.map(renderBranch).join("")}  esac
}
if [ "$funcstack[1]" = "_pazar" ]; then _pazar "$@"; else compdef _pazar pazar; fi
`
}

function renderBranch(branch: Branch): string {
  const { first, leaves } = branch
  const [only] = leaves
  if (!isGroup(branch)) return `    ${first}) ${only === undefined ? "" : renderLeaf(only)} ;;\n`
  const cases = leaves.map((leaf) => `        ${leaf.second}) ${renderLeaf(leaf)} ;;\n`)
  return `    ${first})
      if (( CURRENT == 3 )); then compadd -- ${leaves.map(({ second }) => second).join(" ")}
      else case "\${words[3]}" in
${cases.join("")}      esac; fi ;;
`
}

function renderLeaf({ takesFile, choices, options }: Leaf): string {
  const values = options
    .filter(({ takesValue }) => takesValue)
    .map((option) => `${option.name}) ${renderValue(option)} ;; `)
  const all = [...choices, ...options.map(({ name }) => name), "--help"].join(" ")
  const files = takesFile ? "_files; " : ""
  return `case "$previous" in ${values.join("")}*) ${files}compadd -- ${all} ;; esac`
}

function renderValue({ takesFile, choices }: Leaf["options"][number]): string {
  if (takesFile) return "_files"
  return choices.length > 0 ? `compadd -- ${choices.join(" ")}` : ":"
}
