import { StoreUnavailable } from "../error.ts"
import { openDeadline } from "../timers.ts"

const requestMsMax = 2_000

/** How long a request waits for the database, whatever it waits for: a connection, a lock or a slow disk. */
export const openRequestDeadline = () =>
  openDeadline(
    requestMsMax,
    () => new StoreUnavailable(`the database did not respond within ${requestMsMax / 1000} s`),
  )
