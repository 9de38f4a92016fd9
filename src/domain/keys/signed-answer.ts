/** Signed answers, as far as the API knows them. How they are signed is in signing/. */

import type { Awaitable } from "../values/awaitable.ts"
import type { Reason } from "../values/error.ts"
import type { KeyKind } from "./api-key.ts"

/** The signature is bound to it: the client's nonce, and the text of `renderQuestion`. */
export type Challenge = Readonly<{ nonce: string; question: string }>

/**
 * The key that asked, the code and, if one was sent, the site: each exactly as the client sent it. Without the
 * key, a relay could ask with the key of another author and pass on a genuine "no".
 */
export const renderQuestion = (key: string, code: string, site: string | null) =>
  site === null ? `${key}\n${code}` : `${key}\n${code}\n${site}`

export type SignatureHeaders = Readonly<
  Record<"Unencoded-Digest" | "Pazar-Question" | "Signature-Input" | "Signature", string>
>

/** Null for an answer that is not signed. `body` is the text before any content coding. */
export type SignAnswer = (status: number, reason: Reason, body: string) => SignatureHeaders | null

/** Waits only when the signing key has to be read. Throws StoreUnavailable when it cannot be. */
export type PrepareSigning = (challenge: Challenge, kind: KeyKind) => Awaitable<SignAnswer>

export const signNothing: SignAnswer = () => null
