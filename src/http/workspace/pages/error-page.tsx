import { PublicPage } from "../parts/layout.tsx"
import type { View } from "../view.ts"
import type { Words } from "../words/en.ts"

export type ErrorStatus = Exclude<keyof Words["errors"], "home">

export const ErrorPage = ({ view, status }: { view: View; status: ErrorStatus }) => {
  const { errors } = view.words
  return (
    <PublicPage view={view} title={errors[status].title}>
      <p class="hint">{status}</p>
      <h1>{errors[status].title}</h1>
      <p>{errors[status].text}</p>
      <p>
        <a href="/">{errors.home}</a>
      </p>
    </PublicPage>
  )
}
