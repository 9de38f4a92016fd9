import type { Words } from "../translations/en.ts"
import type { View } from "../view.ts"
import { PublicPage, SupportLink } from "./layout.tsx"
import { WorkspacePage } from "./workspace-layout.tsx"

export type ErrorStatus = Exclude<keyof Words["errors"], "home" | "overview">

/** A signed-in author keeps the navigation of the workspace; no section of it is marked. */
export const ErrorPage = ({ view, status }: { view: View; status: ErrorStatus }) => {
  const { errors } = view.words
  const Page = view.author === null ? PublicPage : WorkspacePage
  const place = { ...view, path: "" }
  return (
    <Page view={place} title={errors[status].title}>
      <p class="hint">{status}</p>
      <h1>{errors[status].title}</h1>
      <p>{errors[status].text}</p>
      <p class="actions">
        {view.author === null ? (
          <a href="/">{errors.home}</a>
        ) : (
          <a href="/workspace">{errors.overview}</a>
        )}
        <SupportLink view={view} />
      </p>
    </Page>
  )
}
