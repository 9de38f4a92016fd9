import { PublicPage, WorkspacePage } from "../parts/layout.tsx"
import type { View } from "../view.ts"

const codes = [
  ["test-regular", "200"],
  ["test-extended", "200"],
  ["test-support-expired", "200"],
  ["test-revoked", "404"],
  ["test-unknown", "404"],
  ["test-rate-limited", "429"],
  ["test-unavailable", "503"],
] as const

/** `baseUrl` is the public address, so that the lines work when pasted. */
export const DocsPage = ({ view, baseUrl }: { view: View; baseUrl: string }) => {
  const Page = view.author === null ? PublicPage : WorkspacePage
  const words = view.words.docs
  const header = `-H "X-Api-Key: $API_KEY"`
  const calls = [
    { title: words.calls.account, line: `curl ${header} ${baseUrl}/api/account/details` },
    { title: words.calls.items, line: `curl ${header} ${baseUrl}/api/items/all` },
    { title: words.calls.item, line: `curl ${header} "${baseUrl}/api/items/item?item_id=1"` },
    {
      title: words.calls.validation,
      line: `curl ${header} -d purchase_code=test-regular ${baseUrl}/api/purchases/validation`,
    },
  ]
  const answers = [
    ["200", words.meanings.ok],
    ["400", words.meanings.badRequest],
    ["401", words.meanings.unauthorized],
    ["403", words.meanings.forbidden],
    ["404", words.meanings.notFound],
    ["429, 500, 503", words.meanings.tryLater],
  ]
  return (
    <Page view={view} title={words.title}>
      <div class="wide">
        <h1>{words.title}</h1>
        <p>{words.intro}</p>
        {calls.map(({ title, line }) => (
          <section class="panel">
            <h2>{title}</h2>
            <pre tabindex={0}>
              <code>{line}</code>
            </pre>
          </section>
        ))}
        <h2>{words.answers}</h2>
        <p>{words.answersText}</p>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.status}</th>
              <th scope="col">{words.meaning}</th>
            </tr>
          </thead>
          <tbody>
            {answers.map(([status, meaning]) => (
              <tr>
                <td class="mono">{status}</td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <h2>{words.testing}</h2>
        <p>{words.testingText}</p>
        <table>
          <tbody>
            {codes.map(([code, status]) => (
              <tr>
                <td class="mono">{code}</td>
                <td>{status}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Page>
  )
}
