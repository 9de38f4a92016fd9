import type { Child } from "hono/jsx"

export const Pill = ({
  tone,
  children,
}: {
  tone: "good" | "warning" | "danger" | "plain"
  children?: Child
}) => <span class={`pill ${tone}`}>{children}</span>
