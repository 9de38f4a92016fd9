import type { Child } from "hono/jsx"
import { TokenField } from "../../workspace/parts/fields.tsx"
import type { ConsoleView } from "../console-context.ts"
import { ConsolePage } from "./console-layout.tsx"

type Props = Readonly<{
  view: ConsoleView
  title: string
  /** The button. */
  submit: string
  isDangerous: boolean
  /** Where "cancel" leads. */
  back: string
  /** What will happen, and to whom. */
  children?: Child
}>

/** Every change is asked for before it is made. The form is sent to the address of the page. */
export const ConfirmChangePage = (props: Props) => {
  const { view, title, submit, isDangerous, back, children } = props
  return (
    <ConsolePage view={view} title={title}>
      {children}
      <form method="post" action={view.path}>
        <TokenField view={view} />
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
