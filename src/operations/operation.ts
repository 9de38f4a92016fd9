import type { Catalog } from "../domain/catalog/catalog.ts"
import type { ApiKey } from "../domain/keys/api-key.ts"

/** An operation of the API. Throws DomainError with the error code. */
export type KeyOperation<Input, Result> = (
  catalog: Catalog,
  key: ApiKey,
  input: Input,
) => Promise<Result>
