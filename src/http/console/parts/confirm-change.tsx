import type { Child } from "hono/jsx"
import type { PasswordAsk } from "../../pages/ask-password.ts"
import { TokenField } from "../../pages/parts/fields.tsx"
import { PasswordField } from "../../pages/parts/password-field.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { ConsolePage } from "./console-layout.tsx"

type Props = Readonly<{
  view: ConsoleView
  title: string
  /** The button. */
  submit: string
  isDangerous: boolean
  /** Where "cancel" leads. */
  back: string
  password: PasswordAsk
  /** What will happen, and to whom. */
  children?: Child
}>

/** Every change is asked for before it is made. The form is sent to the address of the page. */
export const ConfirmChangePage = (props: Props) => {
  const { view, title, submit, isDangerous, back, password, children } = props
  return (
    <ConsolePage view={view} title={title} problem={password.problem}>
      {children}
      <form method="post" action={view.path}>
        <TokenField view={view} />
        <PasswordField view={view} password={password} isFocused />
        <p class="actions">
          <button type="submit" class={isDangerous ? "danger" : undefined}>
            {submit}
          </button>
          <a href={back}>{view.words.cancel}</a>
        </p>
      </form>
    </ConsolePage>
  )
}
