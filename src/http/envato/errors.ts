/** Errors in the shape of Envato's API. Products written for it compare the text of 404. */
const descriptions: Readonly<Record<number, string>> = {
  400: "The parameter code is missing or malformed",
  401: "The key is missing or not valid",
  403: "The key is not allowed to do this",
  404: "No sale belonging to the current user found with that code",
  405: "Method not allowed",
  429: "Too many requests",
  500: "Service unavailable",
  503: "Service unavailable",
}

export function renderSaleError(status: number): string {
  return JSON.stringify({ error: status, description: descriptions[status] })
}
