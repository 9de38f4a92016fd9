/** The headers that every answer has, whatever it answers. */
export type CommonHeaders = Readonly<Record<string, string>>

/** `publicUrl` is null where none is set. Browsers heed Strict-Transport-Security on https only. */
export function commonHeaders(publicUrl: string | null): CommonHeaders {
  const isSecure = publicUrl?.startsWith("https:") ?? false
  return {
    "X-Content-Type-Options": "nosniff",
    ...(isSecure ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  }
}

export function setHeaders(headers: Headers, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) headers.set(name, value)
}
