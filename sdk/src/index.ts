export type { SiteCall } from "./activation.ts"
export type { CheckCall } from "./check.ts"
export { createPazar, type Pazar, type PazarOptions } from "./client.ts"
export type { Call } from "./deadline.ts"
export { PazarError } from "./error.ts"
export type {
  EndorsedKey,
  Failure,
  Imported,
  Invalid,
  Outcome,
  Receipt,
  Release,
  SignatureFailure,
  Store,
  TransportFailure,
  Unknown,
  Valid,
} from "./outcome.ts"
export type { Fetch } from "./transport.ts"
export type { ValidateCall } from "./validate.ts"
export type { Account, Item, ItemMedia, Profile, Purchase, Reason } from "./wire.ts"
