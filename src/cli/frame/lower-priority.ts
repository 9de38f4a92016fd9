import { constants, getPriority, setPriority } from "node:os"

/** For a command that works for long: a server on the same machine goes first. */
export function lowerPriority(): void {
  const low = constants.priority.PRIORITY_BELOW_NORMAL
  // Lower it only: an ordinary user cannot raise a priority.
  if (getPriority() < low) setPriority(low)
}
