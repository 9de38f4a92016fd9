import { findEmailAddress } from "../../domain/mail/email.ts"
import {
  type ListedOperator,
  type OperatorRole,
  operatorRoles,
} from "../../domain/sign-in/operator.ts"
import { UserError } from "../../domain/values/error.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"
import { operatorLink } from "../../operations/sign-in/invitation-operations.ts"
import {
  changeOperatorRole,
  createOperator,
  type InvitedOperator,
  LastAdmin,
  putOperatorEmail,
  removeOperator,
  resetOperatorPassword,
  setTwoFactorPolicy,
} from "../../operations/sign-in/operator-operations.ts"
import { type Column, DataTable, RowMenu } from "../pages/components/data-table.tsx"
import { isolateDirection, Pill } from "../pages/components/elements.tsx"
import { Choices, Field } from "../pages/components/form-fields.tsx"
import type { PageTexts } from "../pages/translations/texts.ts"
import { LinkBox } from "./author-page.tsx"
import { addConfirmedChange, isToBeSent, SendButton } from "./layout/confirm-change.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  may,
  viewOf,
  visitorOf,
} from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

/** Empty on the confirmation page. */
const typedIn = (c: ConsoleContext, name: "name" | "email" | "role") =>
  c.req.method === "POST" ? c.get("form").text(name).trim() : ""

/** Null on the confirmation page, and for an unknown role. */
function roleIn(c: ConsoleContext): OperatorRole | null {
  const typed = typedIn(c, "role")
  return operatorRoles.find((role) => role === typed) ?? null
}

type CreatedLink = Readonly<{ name: string; url: string; expiresAt: Timestamp }>

/** A new link resets a password. An invited operator without a password gets a second link. */
const newLinkIn = (
  { newLink, reset }: PageTexts["operators"],
  { hasPassword }: Pick<ListedOperator, "hasPassword">,
) => (hasPassword ? reset : newLink)

/** The least: a role is not given by accident. */
const defaultRole: OperatorRole = "viewer"

export function addOperatorsRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { operators, operatorMailing, twoFactorPolicy, publicUrl } = services
  const actingAs = (c: ConsoleContext) => ({
    ...services,
    actor: actorOf(c),
    mailing: isToBeSent(c) ? operatorMailing : null,
  })

  /** Another admin may have demoted or deleted the visitor concurrently. */
  async function unlessLastAdmin(c: ConsoleContext, change: Promise<void>, done: string) {
    try {
      await change
      return c.redirect(`${paths.operators}?done=${done}`, 303)
    } catch (error) {
      if (!(error instanceof LastAdmin)) throw error
      return show(c, null, viewOf(c).texts.operators.lastAdmin)
    }
  }

  async function show(c: ConsoleContext, link: CreatedLink | null, problem: string | null = null) {
    const view = link === null ? viewOf(c) : viewOf(c, viewOf(c).texts.notices.operator_invited)
    return c.html(
      <OperatorsPage
        // The form has another path; a change of language must open this page.
        view={{ ...view, path: paths.operators }}
        operators={await operators.list()}
        ownId={visitorOf(c).operator.id}
        isTwoFactorRequired={await twoFactorPolicy.isRequired()}
        link={link}
        problem={problem}
      />,
      problem === null ? 200 : 409,
    )
  }

  function showLink(c: ConsoleContext, name: string, invited: InvitedOperator | null) {
    if (invited === null) throw new Error("an operator without a password got no link")
    const { token, expiresAt, isSent } = invited
    if (isSent) return c.redirect(`${paths.operators}?done=link_sent`, 303)
    return show(c, { name, url: operatorLink(publicUrl, token), expiresAt })
  }

  async function find(c: ConsoleContext): Promise<ListedOperator | null> {
    const id = Number(c.req.param("id"))
    return (await operators.list()).find((operator) => operator.id === id) ?? null
  }

  /** Null also for the current operator: another admin must demote or delete them. */
  async function findOther(c: ConsoleContext): Promise<ListedOperator | null> {
    const found = await find(c)
    return found?.id === visitorOf(c).operator.id ? null : found
  }

  app.get(paths.operators, (c) => show(c, null))

  addConfirmedChange(app, services, {
    path: paths.inviteOperator,
    find: async () => "new",
    confirm: (view, _, c, problems) => ({
      ...view.texts.operators.invite,
      back: paths.operators,
      fields: (
        <>
          <Field
            name="name"
            label={view.texts.columns.name}
            hint={view.texts.operators.badName}
            value={typedIn(c, "name")}
            maxlength={64}
            autocomplete="off"
            error={problems.name}
            isRequired
            isFocused
          />
          <EmailField
            view={view}
            hint={view.texts.operators.emailHint}
            value={typedIn(c, "email")}
            error={problems.email}
          />
          <RoleChoices view={view} chosen={roleIn(c) ?? defaultRole} />
        </>
      ),
      others: operatorMailing && <SendButton view={view} />,
    }),
    async apply(c) {
      const { operators: texts, signIn } = viewOf(c).texts
      const [name, typed, role] = [
        typedIn(c, "name"),
        typedIn(c, "email"),
        roleIn(c) ?? defaultRole,
      ]
      const email = findEmailAddress(typed)
      if (email === null && (typed !== "" || isToBeSent(c))) return { email: signIn.noEmail }
      try {
        const created = await createOperator(actingAs(c), { name, email, role }, null)
        return await showLink(c, name, created)
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        const isTaken = (await operators.findByName(name)) !== null
        return { name: isTaken ? texts.taken : texts.badName }
      }
    },
  })

  addConfirmedChange(app, services, {
    path: `${paths.operators}/:id/link`,
    find: findOther,
    confirm(view, operator) {
      const texts = newLinkIn(view.texts.operators, operator)
      return {
        ...texts,
        title: texts.title(isolateDirection(operator.name)),
        back: paths.operators,
        others: operatorMailing?.addressOf(operator) && <SendButton view={view} />,
      }
    },
    async apply(c, operator) {
      return showLink(c, operator.name, await resetOperatorPassword(actingAs(c), operator, null))
    },
  })

  addConfirmedChange(app, services, {
    path: `${paths.operators}/:id/email`,
    find,
    confirm: (view, { name, email }, c, problems) => ({
      ...view.texts.operators.email,
      title: view.texts.operators.email.title(isolateDirection(name)),
      back: paths.operators,
      fields: (
        <EmailField
          view={view}
          value={c.req.method === "POST" ? typedIn(c, "email") : (email ?? "")}
          error={problems.email}
        />
      ),
    }),
    async apply(c, operator) {
      const typed = typedIn(c, "email")
      const email = findEmailAddress(typed)
      if (typed !== "" && email === null) return { email: viewOf(c).texts.signIn.noEmail }
      await putOperatorEmail(actingAs(c), operator, email)
      return c.redirect(`${paths.operators}?done=operator_email`, 303)
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
      return unlessLastAdmin(c, removeOperator(actingAs(c), operator), "operator_removed")
    },
  })

  addConfirmedChange(app, services, {
    path: `${paths.operators}/:id/role`,
    find: findOther,
    confirm: (view, { name, role }, c) => ({
      ...view.texts.operators.changeRole,
      title: view.texts.operators.changeRole.title(isolateDirection(name)),
      back: paths.operators,
      fields: <RoleChoices view={view} chosen={roleIn(c) ?? role} />,
    }),
    async apply(c, operator) {
      const role = roleIn(c)
      if (role === null) return {}
      return unlessLastAdmin(c, changeOperatorRole(actingAs(c), operator, role), "operator_role")
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
        back: paths.operators,
      }),
      async apply(c) {
        await setTwoFactorPolicy(actingAs(c), action === "require")
        const done = action === "require" ? "second_factor_required" : "second_factor_optional"
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
  problem: string | null
}>

const OperatorsPage = (props: Props) => {
  const { view, operators, ownId, isTwoFactorRequired, link, problem } = props
  const texts = view.texts.operators
  const action = isTwoFactorRequired ? "drop" : "require"
  const isAdmin = may(view, "manage")
  const invite = isAdmin && (
    <a class="button" href={paths.inviteOperator} data-dialog>
      {texts.invite.submit}
    </a>
  )
  return (
    <ConsolePage view={view} title={texts.title} action={invite} problem={problem}>
      {problem !== null && (
        <p class="notice warning" role="alert">
          {problem}
        </p>
      )}
      {link !== null && (
        <LinkBox
          view={view}
          link={link}
          sentence={(when) => texts.link(isolateDirection(link.name), when)}
        />
      )}
      <DataTable
        view={view}
        columns={operatorColumns(view, ownId)}
        rows={operators}
        menuOf={({ id, name, hasPassword }) => (
          <RowMenu view={view} id={String(id)} name={name}>
            <a href={paths.auditBy(name)}>{view.texts.audit.title}</a>
            {isAdmin && (
              <a href={paths.operator(id, "email")} data-dialog>
                {view.texts.signIn.email}
              </a>
            )}
            {id === ownId ? (
              <a href={paths.security}>{view.texts.settings.security.title}</a>
            ) : (
              isAdmin && (
                <>
                  <a href={paths.operator(id, "link")} data-dialog>
                    {newLinkIn(texts, { hasPassword }).submit}
                  </a>
                  <a href={paths.operator(id, "role")} data-dialog>
                    {texts.changeRole.submit}
                  </a>
                  <a href={paths.operator(id, "remove")} data-dialog>
                    {texts.remove.submit}
                  </a>
                </>
              )
            )}
          </RowMenu>
        )}
      />
      <p>
        {isTwoFactorRequired ? texts.rule.requiredText : texts.rule.optionalText}{" "}
        {isAdmin && (
          <a href={paths.twoFactorPolicy(action)} data-dialog>
            {texts.rule[action].submit}
          </a>
        )}
      </p>
    </ConsolePage>
  )
}

function operatorColumns({ texts }: ConsoleView, ownId: number): readonly Column<ListedOperator>[] {
  const { authors, columns, operators, twoFactor } = texts
  return [
    {
      head: operators.operator,
      isWide: true,
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <>
          <bdi>{name}</bdi> {id === ownId && <span class="hint">{operators.you}</span>}
        </>
      ),
    },
    { head: operators.role, value: ({ role }) => operators.roles[role].name },
    {
      head: columns.state,
      value: ({ hasPassword }) => (hasPassword ? authors.active : authors.invited),
      cell: ({ hasPassword }) => (
        <Pill tone={hasPassword ? "good" : "plain"}>
          {hasPassword ? authors.active : authors.invited}
        </Pill>
      ),
    },
    {
      head: twoFactor.title,
      value: ({ hasTwoFactor }) => (hasTwoFactor ? twoFactor.enabled : twoFactor.disabled),
      cell: ({ hasTwoFactor }) => (
        <Pill tone={hasTwoFactor ? "good" : "warning"}>
          {hasTwoFactor ? twoFactor.enabled : twoFactor.disabled}
        </Pill>
      ),
    },
    {
      head: texts.signIn.email,
      priority: 3,
      value: ({ email }) => email,
    },
    {
      head: texts.authors.created,
      kind: "time",
      priority: 2,
      value: ({ createdAt }) => createdAt,
    },
    // Ended sessions leave no timestamp.
    { head: columns.lastSeen, kind: "time", value: ({ lastSeenAt }) => lastSeenAt },
  ]
}

const RoleChoices = ({ view, chosen }: Readonly<{ view: ConsoleView; chosen: OperatorRole }>) => {
  const { role, roles } = view.texts.operators
  const choices = operatorRoles.map((value) => ({
    value,
    label: roles[value].name,
    note: roles[value].text,
  }))
  return <Choices name="role" legend={role} choices={choices} chosen={chosen} />
}

type EmailFieldProps = Readonly<{
  view: ConsoleView
  hint?: string
  value: string
  error: string | undefined
}>

const EmailField = ({ view, ...field }: EmailFieldProps) => (
  <Field name="email" label={view.texts.signIn.email} autocomplete="off" {...field} />
)
