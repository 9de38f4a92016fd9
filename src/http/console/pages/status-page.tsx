import type { ConsoleView } from "../console-context.ts"
import { ConsolePage } from "../parts/console-layout.tsx"

export const StatusPage = ({ view }: { view: ConsoleView }) => (
  <ConsolePage view={view} title={view.texts.status.title} />
)
