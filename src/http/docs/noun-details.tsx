import { Pill } from "../pages/parts/pill.tsx"
import type { View } from "../pages/view.ts"
import type { Noun } from "./reference.ts"

export const NounDetails = ({ view, noun }: Readonly<{ view: View; noun: Noun }>) => (
  <details class="answer">
    <summary>{noun.name}</summary>
    <ul class="plain-list">
      {noun.members.map(({ name, type, isRequired }) => (
        <li>
          <code>{name}</code> <span class="hint">{type}</span>
          {!isRequired && (
            <>
              {" "}
              <Pill tone="plain">{view.words.docs.sometimes}</Pill>
            </>
          )}
        </li>
      ))}
    </ul>
  </details>
)
