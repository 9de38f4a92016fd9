import type { View } from "../view.ts"
import { Pill } from "./pill.tsx"

/** Only a hidden item stands out. */
export const ItemState = ({ view, isHidden }: { view: View; isHidden: boolean }) =>
  isHidden ? <Pill tone="warning">{view.words.items.hidden}</Pill> : null
