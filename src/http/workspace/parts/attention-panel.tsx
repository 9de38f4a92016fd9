import { SentenceWithTime } from "../../pages/parts/values.tsx"
import type { View } from "../../pages/view.ts"
import type { Attention } from "../frame/attention.ts"

type Props = Readonly<{ view: View; attention: readonly Attention[] }>

/** More are behind a disclosure, so that the chart stays in sight. */
const openMax = 4

export const AttentionPanel = ({ view, attention }: Props) => {
  const { overview } = view.words
  if (attention.length === 0) return null
  const rest = attention.slice(openMax)
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention">{overview.attention}</h2>
      <AttentionList view={view} attention={attention.slice(0, openMax)} />
      {rest.length > 0 && (
        <details>
          <summary>{overview.moreAttention(rest.length)}</summary>
          <AttentionList view={view} attention={rest} />
        </details>
      )}
    </section>
  )
}

const AttentionList = ({ view, attention }: Props) => (
  <ul class="plain-list">
    {attention.map(({ tell, at, action, path }) => (
      <li class="notice warning">
        {at === null ? tell("") : <SentenceWithTime view={view} at={at} form="day" tell={tell} />}{" "}
        <a href={path}>{action}</a>
      </li>
    ))}
  </ul>
)
