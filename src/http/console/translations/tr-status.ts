import type { ConsoleWords } from "./en.ts"

export const status: ConsoleWords["status"] = {
  title: "Durum",
}
