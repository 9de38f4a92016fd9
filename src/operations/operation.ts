import type { Catalog } from "../domain/catalog/catalog.ts"
import type { ApiKey } from "../domain/keys/api-key.ts"

/** An operation of the API. `find` reads the store, `decide` is pure. */
export type KeyOperation<Input, Found, Result> = Readonly<{
  find(catalog: Catalog, key: ApiKey, input: Input): Promise<Found>
  /** Throws DomainError with the error code. */
  decide(found: Found, key: ApiKey, input: Input): Result
}>

export async function performOperation<Input, Found, Result>(
  { find, decide }: KeyOperation<Input, Found, Result>,
  catalog: Catalog,
  key: ApiKey,
  input: Input,
): Promise<Result> {
  return decide(await find(catalog, key, input), key, input)
}
