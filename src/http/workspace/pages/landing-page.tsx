import { PublicPage } from "../parts/layout.tsx"
import type { View } from "../view.ts"

export const LandingPage = ({ view }: { view: View }) => {
  const { landing } = view.words
  return (
    <PublicPage view={view} title={landing.title}>
      <div class="hero wide">
        <h1>{landing.heading}</h1>
        <p>{landing.first}</p>
        <p>{landing.second}</p>
        <p class="actions">
          {view.author === null ? (
            <a class="button" href="/login">
              {landing.signIn}
            </a>
          ) : (
            <a class="button" href="/workspace">
              {landing.open}
            </a>
          )}
          <a href="/docs">{landing.docs}</a>
        </p>
      </div>
    </PublicPage>
  )
}
