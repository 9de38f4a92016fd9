import { Pill } from "../../pages/parts/pill.tsx"
import type { View } from "../../pages/view.ts"

/** Only a hidden item stands out. */
export const ItemState = ({ view, isHidden }: { view: View; isHidden: boolean }) =>
  isHidden ? <Pill tone="warning">{view.words.items.hidden}</Pill> : null
