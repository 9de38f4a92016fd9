/** Failed calls, on the pages of an author and in the console. */
import {
  type FailureKind,
  failureKindOf,
  type LoggedCall,
  type StillCalling,
  sumCalls,
} from "../../../domain/usage/failed-calls.ts"
import type { View } from "../view.ts"
import { numberColumn, Panel, Table } from "./blocks.tsx"
import { CopyBefore } from "./copy.tsx"
import { Moment, NamedLink, Pill, SentenceWithTime, shownName } from "./values.tsx"

const tones: Readonly<Record<FailureKind, "plain" | "warning" | "danger">> = {
  codes: "plain",
  errors: "danger",
  stopped: "warning",
}

/** An own code is shown whole (`shownCode`). */
const isOwnCode = (code: string) => code !== "" && !code.includes("…")

/** The code is the author's, but the key may not answer for its item. */
const isOfOtherItem = ({ operation, reason, code }: LoggedCall) =>
  operation !== "release_site" && reason === "unknown_code" && isOwnCode(code)

/** Why a call failed. Validations and releases have meanings of their own for some reasons. */
export function explainFailure({ words: { log } }: View, call: LoggedCall) {
  if (isOfOtherItem(call)) return log.otherItem
  const { operation, reason } = call
  const ofValidation = operation === "validate_purchase" ? log.validationReasons[reason] : undefined
  const ofRelease = operation === "release_site" ? log.releaseReasons[reason] : undefined
  return ofValidation ?? ofRelease ?? log.reasons[reason]
}

type Props = Readonly<{
  view: View
  rows: readonly LoggedCall[]
  pathOfKey(keyId: string): string
}>

export const FailedCallTable = ({ view, rows, pathOfKey }: Props) => {
  const { columns, log: words } = view.words
  return (
    <Table
      rows={rows}
      columns={[
        { head: words.when, class: "name", cell: (call) => <When view={view} call={call} /> },
        {
          head: words.keyAndCall,
          class: "name",
          cell: ({ keyId, keyName, operation }) => (
            <>
              <div>
                <NamedLink class="clamp" href={pathOfKey(keyId)} name={shownName(keyName, keyId)} />
              </div>{" "}
              {view.words.keyPages.operations[operation]}
            </>
          ),
        },
        {
          head: words.reason,
          isClear: true,
          cell: (call) => {
            const { what, todo } = explainFailure(view, call)
            return (
              <>
                <Pill tone={tones[failureKindOf(call.reason)]}>{what}</Pill>
                <br />
                <span class="hint">
                  {todo}{" "}
                  {isOfOtherItem(call) && (
                    <a href={pathOfKey(call.keyId)}>{view.words.overview.seeKey}</a>
                  )}
                </span>
              </>
            )
          },
        },
        { head: columns.network, class: "mono", cell: ({ network }) => network || words.several },
        {
          head: columns.code,
          cell: ({ code }) =>
            code === "" ? (
              words.noCode
            ) : (
              <>
                <bdi class="mono">{code}</bdi> {isOwnCode(code) && <CopyBefore view={view} />}
              </>
            ),
        },
        numberColumn(view, columns.calls, "calls"),
      ]}
    />
  )
}

const When = ({ view, call: { firstAt, lastAt } }: Readonly<{ view: View; call: LoggedCall }>) => (
  <>
    <Moment view={view} at={lastAt} />
    {firstAt !== lastAt && (
      <>
        <br />
        <span class="hint">
          <SentenceWithTime view={view} at={firstAt} form="moment" tell={view.words.log.since} />
        </span>
      </>
    )}
  </>
)

/** The log lists all of them. */
const stillCallingMax = 50

type StillCalledProps = Readonly<{
  view: View
  /** The entries about the key. */
  logPath: string
  networks: readonly StillCalling[]
}>

/** After a leak, the trail stays visible: the networks that call a key which no longer works. */
export const StillCalled = ({ view, logPath, networks }: StillCalledProps) => {
  const { columns } = view.words
  const { title, told, none } = view.words.stillCalled
  return (
    <Panel id="still-called" title={title}>
      {networks.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <>
          <p>{told(sumCalls(networks))}</p>
          <Table
            class="numbers stack dense"
            rows={networks.slice(0, stillCallingMax)}
            columns={[
              {
                head: columns.network,
                isRowHead: true,
                class: "mono",
                cell: ({ network }) => network || view.words.log.several,
              },
              numberColumn(view, columns.calls, "calls"),
              { head: columns.lastCall, cell: ({ lastAt }) => <Moment view={view} at={lastAt} /> },
            ]}
          />
          <p>
            <a href={logPath}>{view.words.log.seeWhy}</a>
          </p>
        </>
      )}
    </Panel>
  )
}
