/** The first call with a new key, in every language of the docs, and whether it has arrived. */
import type { StoredKey } from "../../../domain/keys/api-key.ts"
import { readAccountEndpoint } from "../../api/read-account.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase.ts"
import type { KeyFacts } from "../../pages/key-facts.ts"
import { keysPath, pathOfKey } from "../../pages/key-paths.ts"
import { SentenceWithTime } from "../../pages/parts/values.tsx"
import { createSamples } from "../../pages/samples/samples.ts"
import { SamplesBlock } from "../../pages/samples/samples-block.tsx"
import type { View } from "../../pages/view.ts"

/** Test codes work with test keys only, so the author puts a real one in its place. */
const codePlaceholder = "PASTE_A_REAL_CODE"

/** The simplest call that a key of this kind may make. */
const firstPathOf = ({ kind }: StoredKey) =>
  kind === "vk" ? validatePurchaseEndpoint.path : readAccountEndpoint.path

type QuickStartProps = Readonly<{
  view: View
  facts: KeyFacts
  secret: string
  /** As in `https://api.example.com`. */
  baseUrl: string
}>

export const QuickStart = ({ view, facts, secret, baseUrl }: QuickStartProps) => {
  const words = view.words.keyPages.start
  const samples = createSamples(firstPathOf(facts.key), {
    baseUrl,
    secret,
    locale: view.locale,
    purchaseCode: codePlaceholder,
  })
  return (
    <section class="panel" aria-labelledby="start">
      <h2 id="start">{words.title}</h2>
      <p>{facts.key.kind === "vk" ? words.introCode(codePlaceholder) : words.intro}</p>
      <SamplesBlock view={view} id="first-call" title={words.title} samples={samples} />
      <div role="status" data-waiting={`${pathOfKey(facts.key.id)}/first-call`}>
        <FirstCall view={view} facts={facts} />
      </div>
      <p>
        <a class="button quiet" href={keysPath}>
          {view.words.keys.made.done}
        </a>
      </p>
    </section>
  )
}

/** The script asks for it again until the call has arrived; the link does so without the script. */
export const FirstCall = ({ view, facts: { key, usage } }: { view: View; facts: KeyFacts }) => {
  const words = view.words.keyPages.start
  const at = usage?.lastUsedAt ?? null
  if (at === null) {
    return (
      <p class="notice">
        {words.waiting} <a href={pathOfKey(key.id)}>{words.again}</a>
      </p>
    )
  }
  return (
    <p class="notice good" data-received>
      <SentenceWithTime view={view} at={at} form="moment" tell={words.received} />
    </p>
  )
}
