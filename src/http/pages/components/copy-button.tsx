import type { View } from "../view.ts"

type CopyProps = Readonly<{ view: View; text: string; label?: string; isMain?: boolean }>

/** Hidden without the script. */
export const CopyButton = ({ view, text, label, isMain = false }: CopyProps) => (
  <button
    type="button"
    class={label ? "link" : isMain ? undefined : "quiet"}
    data-copy={text}
    hidden
  >
    {label ?? view.texts.words.copy}
  </button>
)

export const Copyable = ({ view, text }: Readonly<{ view: View; text: string }>) => (
  <>
    <span class="mono">{text}</span>{" "}
    <button type="button" class="link" data-copy-before hidden>
      {view.texts.words.copy}
    </button>
  </>
)

export const CopyableList = ({ view, texts }: Readonly<{ view: View; texts: readonly string[] }>) =>
  texts.map((text) => (
    <>
      <Copyable view={view} text={text} />{" "}
    </>
  ))
