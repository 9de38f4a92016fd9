/** The operators: who they are, how they come in, and whether they need a second factor. */
import type { ListedOperator } from "../../domain/sign-in/operator.ts"
import { RefusedError } from "../../domain/values/error.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"
import { recordOperatorEvent } from "../../operations/record-event.ts"
import type { Invited } from "../../operations/sign-in/invitation.ts"
import {
  createOperator,
  removeOperator,
  resetOperatorPassword,
} from "../../operations/sign-in/operators/manage-operator.ts"
import type { PasswordAsk } from "../pages/ask-password.ts"
import { Panel, QuietLink, Table } from "../pages/parts/blocks.tsx"
import { Field, PostForm } from "../pages/parts/fields.tsx"
import { ChangeEnd } from "../pages/parts/passwords.tsx"
import { isolate, Moment, Pill } from "../pages/parts/values.tsx"
import { LinkBox } from "./author.tsx"
import { addChange, passwordAskOf, refusePassword } from "./frame/confirm-change.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewAfter,
  viewOf,
  visitorOf,
} from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"
import type { ConsoleWords } from "./translations/en.ts"

type MadeLink = Readonly<{ name: string; url: string; expiresAt: Timestamp }>

/** A new link resets a password; somebody who was only invited gets another link beside the first. */
const newLinkIn = (
  { newLink, reset }: ConsoleWords["operators"],
  { hasPassword }: Pick<ListedOperator, "hasPassword">,
) => (hasPassword ? reset : newLink)

export function addOperatorsRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { operators, secondFactorRule, publicUrl } = services
  const actingAs = (c: ConsoleContext) => ({ ...services, actor: actorOf(c) })

  async function show(c: ConsoleContext, link: MadeLink | null) {
    const view = link === null ? viewAfter(c) : viewOf(c, viewOf(c).texts.done.operator_invited)
    return c.html(
      <OperatorsPage
        // A form for an operator was sent to another path, where another language would lead.
        view={{ ...view, path: paths.operators }}
        operators={await operators.list()}
        ownId={visitorOf(c).operator.id}
        isFactorRequired={await secondFactorRule.isRequired()}
        link={link}
      />,
    )
  }

  function showLink(c: ConsoleContext, name: string, invited: Invited | null) {
    if (invited === null) throw new Error("an operator without a password got no link")
    const { token, expiresAt } = invited
    return show(c, { name, url: `${publicUrl}/console/invite/${token}`, expiresAt })
  }

  /** Null also for the operator who asks: the last operator could remove themselves. */
  async function findOther(c: ConsoleContext): Promise<ListedOperator | null> {
    const id = Number(c.req.param("id"))
    const found = (await operators.list()).find((operator) => operator.id === id)
    return found === undefined || id === visitorOf(c).operator.id ? null : found
  }

  app.get(paths.operators, (c) => show(c, null))

  app.get(paths.inviteOperator, (c) => {
    const password = passwordAskOf(c, services)
    return c.html(
      <InviteOperatorPage view={viewOf(c)} name="" problem={null} password={password} />,
    )
  })

  app.post(paths.inviteOperator, async (c) => {
    const name = c.get("form").text("name").trim()
    const refuse = (problem: string | null, password: PasswordAsk) =>
      c.html(
        <InviteOperatorPage view={viewOf(c)} name={name} problem={problem} password={password} />,
        422,
      )
    const password = await refusePassword(c, services)
    if (password !== null) return refuse(null, password)
    try {
      return await showLink(c, name, await createOperator(actingAs(c), name, null))
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      const isTaken = (await operators.findByName(name)) !== null
      const { taken, badName } = viewOf(c).texts.operators
      return refuse(isTaken ? taken : badName, passwordAskOf(c, services))
    }
  })

  addChange(app, services, {
    path: `${paths.operators}/:id/link`,
    find: findOther,
    ask: ({ texts: { operators: texts } }, operator) => ({
      ...newLinkIn(texts, operator),
      title: newLinkIn(texts, operator).title(isolate(operator.name)),
      isDangerous: false,
      back: paths.operators,
    }),
    async make(c, operator) {
      return showLink(c, operator.name, await resetOperatorPassword(actingAs(c), operator, null))
    },
  })

  addChange(app, services, {
    path: `${paths.operators}/:id/remove`,
    find: findOther,
    ask: ({ texts }, { name }) => ({
      ...texts.operators.remove,
      title: texts.operators.remove.title(isolate(name)),
      isDangerous: true,
      back: paths.operators,
    }),
    async make(c, operator) {
      await removeOperator(actingAs(c), operator)
      return c.redirect(`${paths.operators}?done=operator_removed`, 303)
    },
  })

  for (const action of ["require", "drop"] as const) {
    addChange(app, services, {
      path: paths.secondFactorRule(action),
      find: async () => action,
      findOther: async () =>
        (await secondFactorRule.isRequired()) === (action === "require") ? paths.operators : null,
      ask: ({ texts }) => ({
        ...texts.operators.rule[action],
        isDangerous: false,
        back: paths.operators,
      }),
      async make(c) {
        await secondFactorRule.put(action === "require")
        const done = action === "require" ? "second_factor_required" : "second_factor_optional"
        await recordOperatorEvent(actingAs(c), "", done)
        return c.redirect(`${paths.operators}?done=${done}`, 303)
      },
    })
  }
}

type Props = Readonly<{
  view: ConsoleView
  operators: readonly ListedOperator[]
  ownId: number
  isFactorRequired: boolean
  link: MadeLink | null
}>

const OperatorsPage = ({ view, operators, ownId, isFactorRequired, link }: Props) => {
  const texts = view.texts.operators
  const { authors } = view.texts
  return (
    <ConsolePage view={view} title={texts.title}>
      {link !== null && (
        <LinkBox view={view} link={link} tell={(when) => texts.link(isolate(link.name), when)} />
      )}
      <p class="actions">
        <a class="button" href={paths.inviteOperator}>
          {texts.invite.submit}
        </a>
        <a href={paths.auditAt({ kind: "operator" })}>{texts.signIns}</a>
      </p>
      <Table
        rows={operators}
        columns={[
          {
            head: texts.operator,
            cell: ({ id, name }) => (
              <>
                <bdi>{name}</bdi> {id === ownId && <span class="hint">{texts.you}</span>}
              </>
            ),
          },
          {
            head: view.words.columns.state,
            isClear: true,
            cell: ({ hasPassword }) =>
              hasPassword ? (
                <Pill tone="good">{authors.active}</Pill>
              ) : (
                <Pill tone="plain">{authors.invited}</Pill>
              ),
          },
          {
            head: view.words.secondFactor.title,
            cell: ({ hasSecondFactor }) => (
              <Pill tone={hasSecondFactor ? "good" : "warning"}>
                {hasSecondFactor ? view.words.secondFactor.on : view.words.secondFactor.off}
              </Pill>
            ),
          },
          {
            head: view.texts.author.created,
            cell: ({ createdAt }) => <Moment view={view} at={createdAt} />,
          },
          {
            head: view.words.columns.lastSeen,
            // A session that has ended leaves no moment behind.
            cell: ({ lastSeenAt }) =>
              lastSeenAt === null ? authors.noSession : <Moment view={view} at={lastSeenAt} />,
          },
          {
            head: <span class="visually-hidden">{texts.actions}</span>,
            cell: ({ id, name, hasPassword }) =>
              id === ownId ? (
                <a href={paths.security}>{view.words.security.title}</a>
              ) : (
                <span class="actions">
                  <a href={paths.operator(id, "link")}>
                    {newLinkIn(texts, { hasPassword }).submit}
                    <span class="visually-hidden"> {name}</span>
                  </a>
                  <a href={paths.operator(id, "remove")}>
                    {texts.remove.submit}
                    <span class="visually-hidden"> {name}</span>
                  </a>
                </span>
              ),
          },
        ]}
      />
      <Rule view={view} isRequired={isFactorRequired} />
    </ConsolePage>
  )
}

const Rule = ({ view, isRequired }: Readonly<{ view: ConsoleView; isRequired: boolean }>) => {
  const texts = view.texts.operators.rule
  const action = isRequired ? "drop" : "require"
  return (
    <Panel id="rule-title" title={view.words.secondFactor.title}>
      <p>
        <Pill tone={isRequired ? "good" : "warning"}>
          {isRequired ? texts.required : texts.optional}
        </Pill>{" "}
        {isRequired ? texts.requiredText : texts.optionalText}
      </p>
      <p class="actions">
        <QuietLink href={paths.secondFactorRule(action)}>{texts[action].submit}</QuietLink>
      </p>
    </Panel>
  )
}

type InviteProps = Readonly<{
  view: ConsoleView
  name: string
  problem: string | null
  password: PasswordAsk
}>

const InviteOperatorPage = ({ view, name, problem, password }: InviteProps) => {
  const { invite, badName } = view.texts.operators
  return (
    <ConsolePage view={view} title={invite.title} problem={problem ?? password.problem}>
      <p>{invite.text}</p>
      <PostForm view={view} action={view.path}>
        <Field
          name="name"
          label={view.words.columns.name}
          hint={badName}
          value={name}
          maxlength={64}
          autocomplete="off"
          error={problem}
          isRequired
        />
        <ChangeEnd view={view} password={password} submit={invite.submit} back={paths.operators} />
      </PostForm>
    </ConsolePage>
  )
}
