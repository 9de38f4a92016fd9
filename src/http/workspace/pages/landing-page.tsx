import { PublicPage } from "../../pages/parts/layout.tsx"
import { SupportLink } from "../../pages/parts/support-link.tsx"
import type { Sample } from "../../pages/samples/samples.ts"
import { SamplesBlock } from "../../pages/samples/samples-block.tsx"
import type { View } from "../../pages/view.ts"

type Props = Readonly<{
  view: View
  /** One call in several languages, and the JSON it is answered with. */
  samples: readonly Sample[]
  answer: string
}>

export const LandingPage = ({ view, samples, answer }: Props) => {
  const { landing, signIn } = view.words
  return (
    <PublicPage view={view} title={landing.heading}>
      <div class="hero">
        <h1>{landing.heading}</h1>
        <p class="lead">{landing.intro(view.site.name)}</p>
        <p class="actions">
          {view.author === null ? (
            <a class="button" href="/login">
              {signIn.title}
            </a>
          ) : (
            <a class="button" href="/workspace">
              {landing.open}
            </a>
          )}
          <a href="/docs">{landing.docs}</a>
          <SupportLink view={view} />
        </p>
      </div>
      <div class="example">
        <div>
          <h2>{landing.call}</h2>
          <SamplesBlock view={view} id="landing" title={landing.call} samples={samples} />
          <p class="hint">{landing.callNote}</p>
        </div>
        <div>
          <h2>{landing.answer}</h2>
          <pre tabindex={0}>
            <code>{answer}</code>
          </pre>
        </div>
      </div>
      <ul class="plain-list promises">
        {landing.facts.map(({ title, text }) => (
          <li>
            <h2>{title}</h2>
            <p class="hint">{text}</p>
          </li>
        ))}
      </ul>
    </PublicPage>
  )
}
