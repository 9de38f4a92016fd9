import type { View } from "../view.ts"
import { Pill } from "./pill.tsx"

export const ItemState = ({ view, isHidden }: { view: View; isHidden: boolean }) => (
  <Pill tone={isHidden ? "warning" : "good"}>
    {isHidden ? view.words.items.hidden : view.words.items.visible}
  </Pill>
)
