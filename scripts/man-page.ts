/** Writes man/pazar.1 from the commands' own declarations: `npx bun scripts/man-page.ts`. */
import { join } from "node:path"
import { commands } from "../src/cli/commands.ts"
import { type Command, signature } from "../src/cli/frame/command.ts"

export const manPagePath = join(import.meta.dir, "../man/pazar.1")

export function renderManPage(): string {
  return `.TH PAZAR 1 "" "pazar" "User Commands"
.SH NAME
pazar \\- an author API for marketplaces of digital items
.SH SYNOPSIS
.B pazar
.I COMMAND
.RI [ ARGUMENTS ]
.br
.B pazar help
.RI [ COMMAND ]
.br
.B pazar \\-\\-version
.SH DESCRIPTION
Authors read their account and items and validate purchase codes with an API key. The commands run the
server, load a marketplace into its store, and manage accounts and keys. All but restore work beside a running
server, and their changes take effect there within a second.
.SH COMMANDS
${commands.map(renderCommand).join("")}.SH ENVIRONMENT
.TP
.B DATABASE_URL
The store: sqlite:data/pazar.db by default, or postgres://\\[u2026]
.TP
.BR HOST ", " PORT
Where the server listens: 127.0.0.1 and 8080 by default.
.TP
.B NO_COLOR
Any value but an empty one turns colours off.
.PP
docs/operating/settings.md lists all variables.
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Refused, wholly or in part, or not found; of doctor, that there are problems.
.TP
.B 2
Used wrongly, or could not run.
`
}

function renderCommand(command: Command): string {
  const { summary, help } = command
  const rest = help === undefined ? "" : `.IP\n.nf\n${escapeRoff(help)}\n.fi\n`
  return `.TP\n.B ${escapeRoff(signature(command))}\n${escapeRoff(summary)}\n${rest}`
}

/** A backslash, a hyphen, and a point or quote at the start of a line mean something to roff. */
const escapeRoff = (text: string) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "\\[u2026]")
    .replaceAll(/^([.'])/gm, "\\&$1")

if (import.meta.main) await Bun.write(manPagePath, renderManPage())
