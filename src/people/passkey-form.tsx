import type { Child } from "hono/jsx"
import { asset } from "../platform/pages/assets.ts"
import type { PageContext, View } from "../platform/pages/context.ts"
import { PostForm } from "../platform/pages/form-fields.tsx"
import type { PageServices } from "../workspace/services.ts"
import { passkeyAlgorithms, userHandleOf } from "./passkey.ts"

type PasskeyServices = Pick<PageServices, "passkeys" | "passkeyVerifier" | "publicUrl">

/** What the script passes to `navigator.credentials`, with texts in place of bytes. */
const requestOf = ({ passkeyVerifier, publicUrl }: PasskeyServices, { formToken }: View) => {
  const { origin, hostname } = new URL(publicUrl)
  return { origin, host: hostname, challenge: passkeyVerifier.createChallenge(formToken) }
}

export function passkeyToGet(services: PasskeyServices, { var: { view } }: PageContext): string {
  const { origin, host, challenge } = requestOf(services, view)
  return JSON.stringify({ origin, get: { challenge, rpId: host, userVerification: "required" } })
}

export async function passkeyToCreate(
  services: PasskeyServices,
  { var: { view, person } }: PageContext,
): Promise<string> {
  const { origin, host, challenge } = requestOf(services, view)
  const type = "public-key"
  const known = await services.passkeys.list(person.id)
  const create = {
    challenge,
    rp: { id: host, name: view.site.name },
    user: { id: userHandleOf(person.id), name: person.name, displayName: person.name },
    pubKeyCredParams: Object.values(passkeyAlgorithms).map((alg) => ({ type, alg })),
    authenticatorSelection: {
      ...{ residentKey: "required", requireResidentKey: true, userVerification: "required" },
    },
    excludeCredentials: known.map(({ id }) => ({ type, id })),
  }
  return JSON.stringify({ origin, create })
}

type PasskeyFormProps = Readonly<{
  view: View
  action: string
  request: string
  /** Of the response of the browser. */
  fields: readonly string[]
  submit: string
  isQuiet?: boolean
  failure: string
  problem: string | null | undefined
  children?: Child
}>

/** The script shows the form where passkeys work, and fills in the fields. */
export const PasskeyForm = (props: PasskeyFormProps) => {
  const { view, action, request, fields, submit, isQuiet, failure, problem, children } = props
  return (
    <PostForm view={view} action={action} hidden>
      <input type="hidden" data-passkey value={request} />
      {fields.map((name) => (
        <input type="hidden" name={name} data-response />
      ))}
      {children}
      <p class="error" role="alert" hidden={!problem}>
        {problem ?? failure}
      </p>
      <button type="submit" class={isQuiet ? "quiet" : undefined}>
        {submit}
      </button>
      <script type="module" src={asset.passkeyScript.path} />
    </PostForm>
  )
}
