import type { ListedOperator } from "../../domain/sign-in/operator.ts"
import { UserError } from "../../domain/values/error.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"
import { recordOperatorEvent } from "../../operations/record-event.ts"
import type { Invited } from "../../operations/sign-in/invitation-operations.ts"
import {
  createOperator,
  removeOperator,
  resetOperatorPassword,
} from "../../operations/sign-in/operators/manage-operator.ts"
import { Field, PostForm } from "../pages/components/form-fields.tsx"
import { isolateDirection, Pill, RelativeTime } from "../pages/components/formatted-values.tsx"
import { Panel, QuietLink, Table } from "../pages/components/panels-and-tables.tsx"
import { ConfirmActions } from "../pages/components/password-fields.tsx"
import type { PasswordPrompt } from "../pages/confirm-password.ts"
import type { PageTexts } from "../pages/translations/texts.ts"
import { LinkBox } from "./author-page.tsx"
import { addConfirmedChange, checkPassword, passwordPromptOf } from "./layout/confirm-change.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
  viewWithNotice,
  visitorOf,
} from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

type CreatedLink = Readonly<{ name: string; url: string; expiresAt: Timestamp }>

/** A new link resets a password. An invited operator without a password gets a second link. */
const newLinkIn = (
  { newLink, reset }: PageTexts["operators"],
  { hasPassword }: Pick<ListedOperator, "hasPassword">,
) => (hasPassword ? reset : newLink)

export function addOperatorsRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { operators, twoFactorPolicy, publicUrl } = services
  const actingAs = (c: ConsoleContext) => ({ ...services, actor: actorOf(c) })

  async function show(c: ConsoleContext, link: CreatedLink | null) {
    const view =
      link === null ? viewWithNotice(c) : viewOf(c, viewOf(c).texts.notices.operator_invited)
    return c.html(
      <OperatorsPage
        // The form has another path; a change of language must open this page.
        view={{ ...view, path: paths.operators }}
        operators={await operators.list()}
        ownId={visitorOf(c).operator.id}
        isTwoFactorRequired={await twoFactorPolicy.isRequired()}
        link={link}
      />,
    )
  }

  function showLink(c: ConsoleContext, name: string, invited: Invited | null) {
    if (invited === null) throw new Error("an operator without a password got no link")
    const { token, expiresAt } = invited
    return show(c, { name, url: `${publicUrl}/console/invite/${token}`, expiresAt })
  }

  /** Null also for the current operator, so that the last operator cannot be deleted. */
  async function findOther(c: ConsoleContext): Promise<ListedOperator | null> {
    const id = Number(c.req.param("id"))
    const found = (await operators.list()).find((operator) => operator.id === id)
    return found === undefined || id === visitorOf(c).operator.id ? null : found
  }

  app.get(paths.operators, (c) => show(c, null))

  app.get(paths.inviteOperator, (c) => {
    const password = passwordPromptOf(c, services)
    return c.html(
      <InviteOperatorPage view={viewOf(c)} name="" problem={null} password={password} />,
    )
  })

  app.post(paths.inviteOperator, async (c) => {
    const name = c.get("form").text("name").trim()
    const reject = (problem: string | null, password: PasswordPrompt) =>
      c.html(
        <InviteOperatorPage view={viewOf(c)} name={name} problem={problem} password={password} />,
        422,
      )
    const password = await checkPassword(c, services)
    if (password !== null) return reject(null, password)
    try {
      return await showLink(c, name, await createOperator(actingAs(c), name, null))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const isTaken = (await operators.findByName(name)) !== null
      const { taken, badName } = viewOf(c).texts.operators
      return reject(isTaken ? taken : badName, passwordPromptOf(c, services))
    }
  })

  addConfirmedChange(app, services, {
    path: `${paths.operators}/:id/link`,
    find: findOther,
    confirm: ({ texts: { operators: texts } }, operator) => ({
      ...newLinkIn(texts, operator),
      title: newLinkIn(texts, operator).title(isolateDirection(operator.name)),
      isDangerous: false,
      back: paths.operators,
    }),
    async apply(c, operator) {
      return showLink(c, operator.name, await resetOperatorPassword(actingAs(c), operator, null))
    },
  })

  addConfirmedChange(app, services, {
    path: `${paths.operators}/:id/remove`,
    find: findOther,
    confirm: ({ texts }, { name }) => ({
      ...texts.operators.remove,
      title: texts.operators.remove.title(isolateDirection(name)),
      isDangerous: true,
      back: paths.operators,
    }),
    async apply(c, operator) {
      await removeOperator(actingAs(c), operator)
      return c.redirect(`${paths.operators}?done=operator_removed`, 303)
    },
  })

  for (const action of ["require", "drop"] as const) {
    addConfirmedChange(app, services, {
      path: paths.twoFactorPolicy(action),
      find: async () => action,
      findRedirect: async () =>
        (await twoFactorPolicy.isRequired()) === (action === "require") ? paths.operators : null,
      confirm: ({ texts }) => ({
        ...texts.operators.rule[action],
        isDangerous: false,
        back: paths.operators,
      }),
      async apply(c) {
        await twoFactorPolicy.put(action === "require")
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
  isTwoFactorRequired: boolean
  link: CreatedLink | null
}>

const OperatorsPage = ({ view, operators, ownId, isTwoFactorRequired, link }: Props) => {
  const texts = view.texts.operators
  const { authors } = view.texts
  return (
    <ConsolePage view={view} title={texts.title}>
      {link !== null && (
        <LinkBox
          view={view}
          link={link}
          sentence={(when) => texts.link(isolateDirection(link.name), when)}
        />
      )}
      <p class="actions">
        <a class="button" href={paths.inviteOperator}>
          {texts.invite.submit}
        </a>
        <a href={paths.auditAt({ actor: "operator" })}>{texts.signIns}</a>
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
            head: view.texts.columns.state,
            isClear: true,
            cell: ({ hasPassword }) =>
              hasPassword ? (
                <Pill tone="good">{authors.active}</Pill>
              ) : (
                <Pill tone="plain">{authors.invited}</Pill>
              ),
          },
          {
            head: view.texts.twoFactor.title,
            cell: ({ hasTwoFactor }) => (
              <Pill tone={hasTwoFactor ? "good" : "warning"}>
                {hasTwoFactor ? view.texts.twoFactor.enabled : view.texts.twoFactor.disabled}
              </Pill>
            ),
          },
          {
            head: view.texts.author.created,
            cell: ({ createdAt }) => <RelativeTime view={view} at={createdAt} />,
          },
          {
            head: view.texts.columns.lastSeen,
            // Ended sessions leave no timestamp.
            cell: ({ lastSeenAt }) =>
              lastSeenAt === null ? (
                authors.noSession
              ) : (
                <RelativeTime view={view} at={lastSeenAt} />
              ),
          },
          {
            head: <span class="visually-hidden">{texts.actions}</span>,
            cell: ({ id, name, hasPassword }) =>
              id === ownId ? (
                <a href={paths.security}>{view.texts.settings.security.title}</a>
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
      <Rule view={view} isRequired={isTwoFactorRequired} />
    </ConsolePage>
  )
}

const Rule = ({ view, isRequired }: Readonly<{ view: ConsoleView; isRequired: boolean }>) => {
  const texts = view.texts.operators.rule
  const action = isRequired ? "drop" : "require"
  return (
    <Panel id="rule-title" title={view.texts.twoFactor.title}>
      <p>
        <Pill tone={isRequired ? "good" : "warning"}>
          {isRequired ? texts.required : texts.optional}
        </Pill>{" "}
        {isRequired ? texts.requiredText : texts.optionalText}
      </p>
      <p class="actions">
        <QuietLink href={paths.twoFactorPolicy(action)}>{texts[action].submit}</QuietLink>
      </p>
    </Panel>
  )
}

type InviteProps = Readonly<{
  view: ConsoleView
  name: string
  problem: string | null
  password: PasswordPrompt
}>

const InviteOperatorPage = ({ view, name, problem, password }: InviteProps) => {
  const { invite, badName } = view.texts.operators
  return (
    <ConsolePage view={view} title={invite.title} problem={problem ?? password.problem}>
      <p>{invite.text}</p>
      <PostForm view={view} action={view.path}>
        <Field
          name="name"
          label={view.texts.columns.name}
          hint={badName}
          value={name}
          maxlength={64}
          autocomplete="off"
          error={problem}
          isRequired
        />
        <ConfirmActions
          view={view}
          password={password}
          submit={invite.submit}
          back={paths.operators}
        />
      </PostForm>
    </ConsolePage>
  )
}
