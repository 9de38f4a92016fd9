import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { requireAccount } from "../../operations/catalogue/require-account.ts"
import { recordAccountEvent } from "../../operations/record-event.ts"
import { setPassword } from "../../operations/sign-in/set-password.ts"
import { createPasswordHasher } from "../../secrets/sign-in/password-hasher.ts"
import { createCommand } from "../frame/command.ts"
import { readFirstLine } from "../frame/first-line.ts"
import { withApp } from "../frame/with-app.ts"

export const accountPassword = createCommand({
  name: "account password",
  positionals: ["USERNAME"],
  options: {},
  summary: "set an account's password, read from standard input",
  help: `The password is the first line of standard input, so that no list of processes shows it:

  printf '%s' "$PASSWORD" | pazar account password USERNAME

It has 10 characters or more, and is not among the passwords that are guessed first.
Every session of the account is ended.`,
  async run({ positionals: [username] }, context) {
    const password = await readFirstLine(context.readStandardInput())
    await withApp(context, async ({ store, now }) => {
      const account = await requireAccount(store.accounts, username)
      await setPassword(
        { passwords: store.passwords, hasher: createPasswordHasher() },
        account,
        password,
      )
      await recordAccountEvent({ ...store, now, actor: commandLine }, account, "password")
    })
    context.tell(`The password of ${username} is set.`)
    return 0
  },
})
