import { type Account, accountBodyOf } from "../../../domain/catalogue/account.ts"
import type { StoredKey } from "../../../domain/keys/api-key.ts"
import type { PasswordAsk } from "../../pages/ask-password.ts"
import { isolate, shownName } from "../../pages/parts/name.ts"
import type { AuthorAction } from "../frame/author-actions.ts"
import type { ConsoleView } from "../frame/console-context.ts"
import { pathOfAuthor } from "../frame/console-paths.ts"
import { ConfirmChangePage } from "../parts/confirm-change.tsx"

type ActionProps = Readonly<{
  view: ConsoleView
  account: Account
  action: AuthorAction
  password: PasswordAsk
}>

export const AuthorActionPage = ({ view, account, action, password }: ActionProps) => {
  const texts = view.texts.author.actions[action]
  const name = shownName(accountBodyOf(account).name.full_name, account.username)
  return (
    <ConfirmChangePage
      view={view}
      title={texts.title(isolate(name))}
      submit={texts.submit}
      isDangerous={action === "suspend"}
      back={pathOfAuthor(account.id)}
      password={password}
    >
      <p>{texts.text}</p>
    </ConfirmChangePage>
  )
}

type KeyProps = Readonly<{
  view: ConsoleView
  keyOf: StoredKey
  callsLastDay: number
  password: PasswordAsk
}>

export const RevokeAuthorKeyPage = ({ view, keyOf, callsLastDay, password }: KeyProps) => {
  const words = view.words.keys.revoke
  return (
    <ConfirmChangePage
      view={view}
      title={words.title(isolate(keyOf.name))}
      submit={words.submit}
      isDangerous
      back={pathOfAuthor(keyOf.accountId)}
      password={password}
    >
      <p>{view.texts.author.revoke(isolate(keyOf.username), callsLastDay)}</p>
    </ConfirmChangePage>
  )
}
