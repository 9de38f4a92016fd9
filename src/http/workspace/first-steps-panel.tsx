import { Panel } from "../pages/components/panels-and-tables.tsx"
import { newKeyPath, newValidationKeyPath } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"

export type FirstSteps = Readonly<Record<keyof typeof paths, boolean>>

const paths = { create: newKeyPath, call: "/docs", ship: newValidationKeyPath } as const
const names = ["create", "call", "ship"] as const

/** Only the first open step is the main action. The panel is hidden when all steps are done. */
export const FirstStepsPanel = ({ view, steps }: { view: View; steps: FirstSteps }) => {
  const texts = view.texts.overview.start
  const next = names.find((name) => !steps[name])
  if (next === undefined) return null
  return (
    <Panel id="start" title={texts.title}>
      <ol class="steps">
        {names.map((name) => (
          <li class={steps[name] ? "done" : undefined}>
            <div>
              {steps[name] && <span class="visually-hidden">{texts.done} </span>}
              <strong>{texts[name].title}</strong>
              <p class="hint">{texts[name].text}</p>
            </div>
            {!steps[name] && (
              <a class={name === next ? "button" : "button quiet"} href={paths[name]}>
                {texts[name].action}
              </a>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
