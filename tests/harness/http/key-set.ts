export type PublicKey = Readonly<{ kid: string; x: string }>

export async function readKeySet(url: string): Promise<readonly PublicKey[]> {
  const response = await fetch(`${url}/.well-known/pazar-keys.json`)
  // The server's own tests check its response against the standard.
  const { keys } = (await response.json()) as { keys: readonly PublicKey[] }
  return keys
}
