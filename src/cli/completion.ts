import { renderBash } from "./completion/bash.ts"
import { renderFish } from "./completion/fish.ts"
import { renderZsh } from "./completion/zsh.ts"
import { type Command, createCommand, UsageError } from "./frame/command.ts"

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish }

/** Takes a function, because the list of commands holds this command too. */
export const createCompletion = (listCommands: () => readonly Command[]): Command =>
  createCommand({
    name: "completion",
    positionals: ["bash|zsh|fish"],
    options: {},
    summary: "print the completion of commands and options for a shell",
    help: `bash:  pazar completion bash > /etc/bash_completion.d/pazar
zsh:   pazar completion zsh > /usr/local/share/zsh/site-functions/_pazar
fish:  pazar completion fish > /etc/fish/completions/pazar.fish

To try it in this shell only: source <(pazar completion bash)`,
    async run({ positionals: [shell] }, context) {
      if (!isShell(shell)) {
        throw new UsageError(`The shell must be one of ${Object.keys(renderers).join(", ")}.`)
      }
      await context.write(renderers[shell](listCommands()))
      return 0
    },
  })

const isShell = (name: string): name is keyof typeof renderers => Object.hasOwn(renderers, name)
