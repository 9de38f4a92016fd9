/** The texts of `--help`. */
import type { Command } from "./frame/command.ts"

export const signature = ({ name, usage }: Command) => `pazar ${name} ${usage}`.trimEnd()

export function renderHelp(command: Command): string {
  const help = command.help === undefined ? "" : `\n${command.help}\n`
  return `${signature(command)}\n\n${command.summary}\n${help}`
}

export function renderOverview(shown: readonly Command[]): string {
  const lines = shown.map((command) => `  ${signature(command)}\n      ${command.summary}\n`)
  return `Usage:\n${lines.join("")}\n\`pazar help COMMAND\` explains one. docs/operating.md lists the settings.\n`
}
