import type { ConsoleView } from "./console-context.ts"

/** A sentence that the program says in English elsewhere, in the language of the page. */
export const Told = ({ view, text }: Readonly<{ view: ConsoleView; text: string }>) => {
  const { own, foreign } = view.texts.imports.told(text)
  return (
    <>
      {own.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}
      {foreign !== "" && <span lang="en">{foreign}</span>}
    </>
  )
}
