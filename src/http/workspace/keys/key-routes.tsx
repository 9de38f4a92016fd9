import {
  isLive,
  keyNameCharactersMax,
  maskOf,
  type StoredKey,
} from "../../../domain/keys/api-key.ts"
import { formatTimestamp, secondsAfter } from "../../../domain/values/time/timestamp.ts"
import { renameKey } from "../../../operations/keys/change-key.ts"
import { type Overlap, overlapSeconds } from "../../../operations/keys/issue-key.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { Choices, PostForm } from "../../pages/components/form-fields.tsx"
import { SentenceWithTime } from "../../pages/components/formatted-values.tsx"
import { InactiveKeyNotice, type NamedKey } from "../../pages/components/key-state.tsx"
import { ConfirmActions } from "../../pages/components/password-fields.tsx"
import { dayColumns } from "../../pages/components/usage-chart.tsx"
import type { PasswordPrompt } from "../../pages/confirm-password.ts"
import { pagesInMemory, sendCsv } from "../../pages/csv.ts"
import { findKeyFacts, type KeyFacts, requestsOfWeek } from "../../pages/key-facts.ts"
import { keyLimitProblem, keysPath, pathOfKey } from "../../pages/paths.ts"
import type { View } from "../../pages/view.ts"
import type { WorkspaceServices } from "../../pages/workspace-services.ts"
import { findPasswordPrompt } from "./key-action-routes.tsx"
import { KeyLayout, KeySummary } from "./key-layout.tsx"
import { createKeyPages, FirstRequest, rangeOf } from "./key-page.tsx"

export function addKeyRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { usage, keyCipher, now } = services
  const { show, findReplacement } = createKeyPages(services)
  const find = (c: AuthorContext, keyId = c.req.param("id") ?? "") =>
    findKeyFacts(services, visitorOf(c).account.id, keyId)

  /** 404 for keys of other authors. */
  const get = (
    path: string,
    show: (c: AuthorContext, facts: KeyFacts) => Response | Promise<Response>,
  ) =>
    app.get(`${keysPath}/:id${path}`, async (c) => {
      const facts = await find(c)
      return facts === null ? c.notFound() : show(c, facts)
    })

  get("", (c, facts) => show(c, facts, {}))

  get("/usage.csv", async (c, { key }) => {
    const { days } = await usage.readDetails(key.id, rangeOf(c, now()), formatTimestamp(now()))
    return sendCsv(c, "usage", dayColumns(viewOf(c)), pagesInMemory(days))
  })

  get("/first-call", (c, facts) => c.html(<FirstRequest view={viewOf(c)} facts={facts} />))

  app.post(`${keysPath}/:id/rename`, async (c) => {
    const facts = await find(c)
    if (facts === null) return c.notFound()
    if (!isLive(facts.state)) return c.redirect(pathOfKey(facts.key.id), 303)
    const entered = c.get("form").text("name")
    const name = entered.trim()
    const texts = viewOf(c).texts.keys.new
    if (name === "") return show(c, facts, { rename: { name: entered, problem: texts.emptyName } })
    if ([...name].length > keyNameCharactersMax) {
      const problem = texts.longName(keyNameCharactersMax)
      return show(c, facts, { rename: { name: entered, problem } })
    }
    await renameKey(services.keyServices(actorOf(c)), facts.key, name)
    return c.redirect(`${pathOfKey(facts.key.id)}?done=renamed`, 303)
  })

  const changeOf = async (c: AuthorContext, facts: KeyFacts, notice: string | null = null) => ({
    view: viewOf(c, notice),
    facts,
    mask: maskOf(keyCipher, facts.key),
    formId: services.tokens.create(),
    password: await findPasswordPrompt(c, services),
  })

  get("/replace", async (c, facts) => {
    if (facts.state !== "active") return c.redirect(pathOfKey(facts.key.id), 303)
    const isOverKeyLimit = c.req.query("problem") === keyLimitProblem
    const change = await changeOf(c, facts)
    return c.html(<RotateKeyPage {...change} now={now()} isOverKeyLimit={isOverKeyLimit} />)
  })

  get("/leak", async (c, facts) => {
    const { found } = viewOf(c).texts.keyPages.find
    const notice = c.req.query("done") === "found" ? found(facts.key.name) : null
    const change = await changeOf(c, facts, notice)
    return c.html(<LeakedKeyPage {...change} successor={await findReplacement(facts.key)} />)
  })

  get("/revoke", async (c, facts) => {
    if (!isLive(facts.state)) return c.redirect(pathOfKey(facts.key.id), 303)
    return c.html(<RevokeKeyPage {...(await changeOf(c, facts))} />)
  })
}

type ChangeProps = Readonly<{
  view: View
  facts: KeyFacts
  mask: string
  /** Submitting the form twice creates one key. */
  formId: string
  password: PasswordPrompt
}>

/** `successor` is null unless the key was rotated. */
type LeakedKeyProps = ChangeProps & Readonly<{ successor: NamedKey | null }>

const LeakedKeyPage = (props: LeakedKeyProps) => {
  const { view, facts, mask, successor } = props
  const { key, state, usage } = facts
  const texts = view.texts.keyPages.leak
  return (
    <KeyLayout view={view} title={texts.title(key.name)} about={key}>
      <InactiveKeyNotice view={view} facts={facts} successor={successor} />
      <KeySummary view={view} facts={facts} mask={mask} />
      {isLive(state) ? (
        <>
          <p>{texts.danger[key.kind === "imported" ? "sk" : key.kind]}</p>
          <p>{texts.impact(requestsOfWeek(usage), usage?.ipRanges ?? 0)}</p>
          <LeakedKeyForm {...props} />
        </>
      ) : (
        <>
          <p>{texts.inactive}</p>
          <p>
            <a href={pathOfKey(key.id)}>{texts.open}</a>
          </p>
        </>
      )}
    </KeyLayout>
  )
}

/** A key can be rotated once. A rotated key can only be revoked. */
const LeakedKeyForm = ({ view, facts: { key, state }, formId, password }: LeakedKeyProps) => {
  const texts = view.texts.keyPages.leak
  const isFirst = state === "active"
  return (
    <PostForm view={view} action={`${pathOfKey(key.id)}/${isFirst ? "replace" : "revoke"}`}>
      <input type="hidden" name="form_id" value={formId} />
      <input type="hidden" name="overlap" value="0" />
      <input type="hidden" name="leaked" value="yes" />
      <ConfirmActions
        view={view}
        password={password}
        submit={isFirst ? texts.rotate : texts.revoke}
        isDangerous
        back={pathOfKey(key.id)}
      />
    </PostForm>
  )
}

const overlaps: readonly Overlap[] = ["0", "1h", "1d", "7d"]

/** Overlap periods that outlast the key all end with it, so only the first of them is offered. */
function listOverlaps({ expiresAt }: StoredKey, now: Date) {
  const ends = overlaps.map((value) => {
    const at = secondsAfter(now, overlapSeconds[value])
    const isExpiry = expiresAt !== null && expiresAt <= at
    return { value, at: isExpiry ? expiresAt : at, isExpiry }
  })
  return ends.filter((_, index) => !ends[index - 1]?.isExpiry)
}

type RotateKeyPageProps = ChangeProps & Readonly<{ now: Date; isOverKeyLimit: boolean }>

const RotateKeyPage = (props: RotateKeyPageProps) => {
  const { view, facts, mask, formId, now, isOverKeyLimit, password } = props
  const texts = view.texts.keys.rotate
  const problem = isOverKeyLimit ? texts.keyLimit : null
  const ends = listOverlaps(facts.key, now)
  const chosen = ends.find(({ value }) => value === "1d") ?? ends.at(-1)
  return (
    <KeyLayout view={view} title={texts.title(facts.key.name)} problem={problem} about={facts.key}>
      {problem !== null && <p class="notice warning">{problem}</p>}
      <KeySummary view={view} facts={facts} mask={mask} />
      <p>{texts.why}</p>
      <PostForm view={view} action={`${pathOfKey(facts.key.id)}/replace`}>
        <input type="hidden" name="form_id" value={formId} />
        <Choices
          name="overlap"
          legend={texts.overlap}
          chosen={chosen?.value ?? "0"}
          choices={ends.map(({ value, at, isExpiry }) => ({
            value,
            label:
              value === "0" ? (
                texts.overlaps[value]
              ) : (
                <SentenceWithTime
                  view={view}
                  at={at}
                  form="datetime"
                  sentence={(when) =>
                    `${isExpiry ? texts.untilExpiry : texts.overlaps[value]} (${when})`
                  }
                />
              ),
          }))}
        />
        <ConfirmActions
          view={view}
          password={password}
          submit={view.texts.keys.confirm.submit.rotate}
          back={pathOfKey(facts.key.id)}
        />
      </PostForm>
    </KeyLayout>
  )
}

const RevokeKeyPage = ({ view, facts, mask, password }: ChangeProps) => (
  <KeyLayout view={view} title={view.texts.keys.revoke.title(facts.key.name)} about={facts.key}>
    <KeySummary view={view} facts={facts} mask={mask} />
    <p>{view.texts.keys.revoke.why(requestsOfWeek(facts.usage))}</p>
    <PostForm view={view} action={`${pathOfKey(facts.key.id)}/revoke`}>
      <ConfirmActions
        view={view}
        password={password}
        submit={view.texts.keys.confirm.submit.revoke}
        isDangerous
        back={pathOfKey(facts.key.id)}
      />
    </PostForm>
  </KeyLayout>
)
