import type { Session } from "../../../domain/sign-in/session.ts"
import type { View } from "../view.ts"
import { PostForm, QuietButton } from "./form-fields.tsx"
import { Pill, RelativeTime } from "./formatted-values.tsx"
import { Panel, Table } from "./panels-and-tables.tsx"

type Props = Readonly<{
  view: View
  /** Forms are sent to this path plus the id of a session or `all`. */
  path: string
  sessions: readonly Session[]
  currentId: string
}>

export const SessionTable = ({ view, path, sessions, currentId }: Props) => {
  const { columns, security: texts } = view.texts
  return (
    <Panel id="sessions-title" title={texts.sessions}>
      <Table
        rows={sessions}
        columns={[
          {
            head: texts.browser,
            cell: ({ id, device }) => (
              <>
                <span title={device}>{describeDevice(device) || texts.unknownDevice}</span>{" "}
                {id === currentId && <Pill tone="good">{texts.thisOne}</Pill>}
              </>
            ),
          },
          { head: columns.ipRange, class: "mono", cell: ({ ipRange }) => ipRange },
          {
            head: texts.since,
            cell: ({ createdAt }) => <RelativeTime view={view} at={createdAt} />,
          },
          {
            head: columns.lastSeen,
            cell: ({ lastSeenAt }) => <RelativeTime view={view} at={lastSeenAt} />,
          },
          {
            head: <span class="visually-hidden">{texts.signOut}</span>,
            cell: ({ id }) =>
              id !== currentId && (
                <PostForm view={view} action={`${path}/${id}`}>
                  <QuietButton>{texts.signOut}</QuietButton>
                </PostForm>
              ),
          },
        ]}
      />
      <details>
        <summary>{texts.signOutAll}</summary>
        <p>{texts.signOutAllHint}</p>
        <PostForm view={view} action={`${path}/all`}>
          <button type="submit" class="danger">
            {texts.signOutAll}
          </button>
        </PostForm>
      </details>
    </Panel>
  )
}

/** User agents also name other browsers: the first match in this order is the browser. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const

const systems = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const

/** As in "Firefox · Linux"; empty if neither is recognized. */
function describeDevice(userAgent: string): string {
  const find = (names: readonly (readonly [token: string, name: string])[]) =>
    names.find(([token]) => userAgent.includes(token))?.[1]
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(" · ")
}
