/** Shared by `pazar backup` and `pazar restore`: the check for an embedded store, and progress by stage. */

import { describeStore, type EmbeddedAddress, type StoreAddress } from "../../store/open.ts"
import type { CopyStage, OnStage } from "../../store/sql/backup.ts"
import { CannotRun, type CommandContext } from "./command.ts"

/** `advice` says what to run for PostgreSQL. */
export function requireEmbedded(store: StoreAddress, advice: string): EmbeddedAddress {
  if (store.kind === "sqlite") return store
  throw new CannotRun(`${describeStore(store)} is in PostgreSQL: ${advice}. See docs/operating.md`)
}

const stages: Readonly<Record<CopyStage, string>> = {
  copying: "copying the store …",
  checking: "checking every page …",
}

export const showStage =
  ({ showProgress }: Pick<CommandContext, "showProgress">): OnStage =>
  async (stage) => {
    showProgress(stages[stage])
    // The stage runs on this thread: let the line be written first.
    await Bun.sleep(0)
  }
