/** Bun 1.4 leaves `Date` out of its answers to HEAD. It adds none where there is one already. */
export function addMissingDate(method: string, { headers }: Response): void {
  if (method === "HEAD") headers.set("Date", new Date().toUTCString())
}
