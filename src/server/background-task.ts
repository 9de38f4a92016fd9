/** Work that runs beside requests, on one thread of each server. */
export type BackgroundTask = Readonly<{
  /** Resolves when the work in progress is complete. */
  close(): Promise<void>
}>
