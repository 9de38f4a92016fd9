/** Bun 1.4 sends no `Date` with answers to HEAD. It adds none to a response that has one. */
export function addMissingDate(method: string, { headers }: Response): void {
  if (method === "HEAD") headers.set("Date", new Date().toUTCString())
}
