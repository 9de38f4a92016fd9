type Query = Readonly<Record<string, string | number | undefined>>

export function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(name, String(value))
  }
  return params.size === 0 ? path : `${path}?${params}`
}
