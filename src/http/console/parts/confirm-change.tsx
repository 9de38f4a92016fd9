import type { Child } from "hono/jsx"
import { Field, TokenField } from "../../workspace/parts/fields.tsx"
import { ShowPasswords } from "../../workspace/parts/show-passwords.tsx"
import type { ConsoleView } from "../console-context.ts"
import { ConsolePage } from "./console-layout.tsx"

/** `isAsked` unless the password was given within five minutes. `problem` says why a given one will not do. */
export type PasswordAsk = Readonly<{ isAsked: boolean; problem: string | null }>

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
        {password.isAsked && (
          <>
            <Field
              name="password"
              label={view.words.signIn.password}
              hint={view.texts.passwordHint}
              type="password"
              autocomplete="current-password"
              error={password.problem}
              isRequired
              isFocused
            />
            <ShowPasswords view={view} />
          </>
        )}
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
