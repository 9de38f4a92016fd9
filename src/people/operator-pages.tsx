import { type OperatorRole, operatorRoles } from "../access/actor.ts"
import { paths } from "../access/paths.ts"
import { ConsolePage, stateColumn } from "../console/frame.tsx"
import type { ConsoleServices } from "../console/services.ts"
import { findEmailAddress } from "../mail/email.ts"
import { UserError } from "../platform/error.ts"
import { may, type PageApp, type PageContext, type View } from "../platform/pages/context.ts"
import { type Column, DataTable, RowMenu } from "../platform/pages/data-table.tsx"
import { isolateDirection, LinkBox, Panel } from "../platform/pages/elements.tsx"
import { Choices, Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import type { PageTexts } from "../platform/pages/translations/texts.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import {
  addConfirmedChange,
  type Change,
  type Confirmation,
  isToBeSent,
  SendButton,
} from "./confirm-pages.tsx"
import type { Invited } from "./invitation-operations.ts"
import type { ListedOperator } from "./operator.ts"
import {
  changeOperatorRole,
  createOperator,
  LastAdmin,
  putEmail,
  removeOperator,
  resetPassword,
  setTwoFactorPolicy,
} from "./operator-operations.ts"
import { invitationLink } from "./person-email-operations.ts"
import type { Invitation } from "./session.ts"

/** Empty on the confirmation page. */
const typedIn = (c: PageContext, name: "name" | "email" | "role") =>
  c.req.method === "POST" ? c.get("form").text(name).trim() : ""

/** Null on the confirmation page, and for an unknown role. */
const roleIn = (c: PageContext): OperatorRole | null =>
  operatorRoles.find((role) => role === typedIn(c, "role")) ?? null

type CreatedLink = Readonly<{ name: string; url: string; expiresAt: Timestamp }>

const otherActions = ["link", "role", "remove"] as const

/** A new link resets a password. An invited operator without a password gets a second link. */
const textsOfActions = (
  { email, newLink, reset, changeRole, remove }: PageTexts["operators"],
  { hasPassword }: ListedOperator,
) => ({ email, link: hasPassword ? reset : newLink, role: changeRole, remove })
type Action = keyof ReturnType<typeof textsOfActions>

/** The least: a role is not given by accident. */
const defaultRole: OperatorRole = "viewer"

export function addOperatorsRoutes(app: PageApp, services: ConsoleServices): void {
  const { operators, invitations, mailing, twoFactorPolicy, publicUrl, now } = services
  const actingAs = (c: PageContext) => ({
    ...services,
    actor: c.var.actor,
    mailing: isToBeSent(c) ? mailing : null,
  })

  const showDone = (c: PageContext, done: string) =>
    c.redirect(`${paths.operators}?done=${done}`, 303)

  /** Another admin may have demoted or deleted the visitor concurrently. */
  async function unlessLastAdmin(c: PageContext, change: Promise<void>, done: string) {
    try {
      await change
      return showDone(c, done)
    } catch (error) {
      if (!(error instanceof LastAdmin)) throw error
      return show(c, null, c.var.view.texts.operators.lastAdmin)
    }
  }

  async function show(c: PageContext, link: CreatedLink | null, problem: string | null = null) {
    const { texts: all, notice } = c.var.view
    const shown = { notice: link === null ? notice : all.notices.operator_invited }
    // The form has another path; a change of language must open this page.
    const view = { ...c.var.view, ...shown, path: paths.operators }
    const texts = view.texts.operators
    const ownId = c.var.operator.id
    const isTwoFactorRequired = await twoFactorPolicy.isRequired()
    const action = isTwoFactorRequired ? "drop" : "require"
    const isAdmin = may(view, "manage")
    const invited = await invitations.list("operators", formatTimestamp(now()))
    const listed = await operators.list()
    const without = listed.filter(({ hasTwoFactor }) => !hasTwoFactor)
    const invite = isAdmin && (
      <a class="button" href={paths.inviteOperator} data-dialog>
        {texts.invite.submit}
      </a>
    )
    const menuOf = (operator: ListedOperator) => (
      <RowMenu view={view} id={String(operator.id)} name={operator.name}>
        <a href={paths.auditBy(operator.name)}>{view.texts.audit.title}</a>
        {isAdmin && (
          <a href={paths.operator(operator.id, "email")} data-dialog>
            {view.texts.signIn.email}
          </a>
        )}
        {operator.id === ownId ? (
          <a href={paths.security}>{view.texts.settings.security.title}</a>
        ) : (
          isAdmin &&
          otherActions.map((action) => (
            <a href={paths.operator(operator.id, action)} data-dialog>
              {textsOfActions(texts, operator)[action].submit}
            </a>
          ))
        )}
      </RowMenu>
    )
    const page = (
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
          rows={listed}
          menuOf={menuOf}
        />
        {invited.length > 0 && (
          <Panel id="invited-title" title={texts.invited}>
            <DataTable
              view={view}
              columns={invitationColumns(view)}
              rows={invited}
              menuOf={({ id }) =>
                isAdmin && (
                  <PostForm view={view} action={paths.withdrawInvitation(id)}>
                    <QuietButton>{texts.withdraw}</QuietButton>
                  </PostForm>
                )
              }
            />
          </Panel>
        )}
        <p>
          {isTwoFactorRequired ? texts.rule.requiredText : texts.rule.optionalText}{" "}
          {without.length > 0 &&
            texts.rule.without(without.map(({ name }) => isolateDirection(name)).join(", "))}{" "}
          {isAdmin && (
            <a href={paths.twoFactorPolicy(action)} data-dialog>
              {texts.rule[action].submit}
            </a>
          )}
        </p>
      </ConsolePage>
    )
    return c.html(page, problem === null ? 200 : 409)
  }

  function showLink(
    c: PageContext,
    name: string,
    invited: (Invited & Readonly<{ isSent: boolean }>) | null,
  ) {
    if (invited === null) throw new Error("an operator without a password got no link")
    const { token, expiresAt, isSent } = invited
    if (isSent) return showDone(c, "link_sent")
    return show(c, { name, url: invitationLink(publicUrl, token), expiresAt })
  }

  app.get(paths.operators, (c) => show(c, null))

  app.post(paths.withdrawInvitation(":id"), async (c) => {
    await invitations.remove(c.req.param("id") ?? "")
    return showDone(c, "invitation_withdrawn")
  })

  addConfirmedChange(app, services, {
    Layout: ConsolePage,
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
            hint={view.texts.signIn.invitation.nameHint}
            value={typedIn(c, "name")}
            maxlength={255}
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
      others: mailing && <SendButton view={view} />,
    }),
    async apply(c) {
      const { operators: texts, signIn } = c.var.view.texts
      const name = typedIn(c, "name")
      const typed = typedIn(c, "email")
      const email = findEmailAddress(typed)
      if (email === null && (typed !== "" || isToBeSent(c))) return { email: signIn.noEmail }
      try {
        const operator = { name, email, role: roleIn(c) ?? defaultRole }
        return await showLink(c, name, await createOperator(actingAs(c), operator, null))
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        const isTaken = (await operators.findByName(name)) !== null
        return { name: isTaken ? texts.taken : signIn.invitation.badName }
      }
    },
  })

  function addChange(
    action: Action,
    more: (...shown: Parameters<Change<ListedOperator>["confirm"]>) => Partial<Confirmation>,
    apply: Change<ListedOperator>["apply"],
  ): void {
    addConfirmedChange(app, services, {
      Layout: ConsolePage,
      path: `${paths.operators}/:id/${action}`,
      /** Except for the e-mail address, null also for the current operator: another admin must demote or delete them. */
      async find(c) {
        const id = Number(c.req.param("id"))
        if (id === c.var.operator.id && action !== "email") return null
        return (await operators.list()).find((operator) => operator.id === id) ?? null
      },
      confirm(view, operator, c, problems) {
        const texts = textsOfActions(view.texts.operators, operator)[action]
        const title = texts.title(isolateDirection(operator.name))
        return { ...texts, title, back: paths.operators, ...more(view, operator, c, problems) }
      },
      apply,
    })
  }

  addChange(
    "link",
    (view, operator) => ({
      others: mailing && operator.email !== null && <SendButton view={view} />,
    }),
    async (c, operator) =>
      showLink(c, operator.name, await resetPassword(actingAs(c), operator, null)),
  )

  addChange(
    "email",
    (view, { email }, c, problems) => {
      const value = c.req.method === "POST" ? typedIn(c, "email") : (email ?? "")
      return { fields: <EmailField view={view} value={value} error={problems.email} /> }
    },
    async (c, operator) => {
      const typed = typedIn(c, "email")
      const email = findEmailAddress(typed)
      if (typed !== "" && email === null) return { email: c.var.view.texts.signIn.noEmail }
      await putEmail(actingAs(c), operator, email)
      return showDone(c, "operator_email")
    },
  )

  addChange(
    "remove",
    () => ({ isDangerous: true }),
    (c, operator) => unlessLastAdmin(c, removeOperator(actingAs(c), operator), "operator_removed"),
  )

  addChange(
    "role",
    (view, { role }, c) => ({ fields: <RoleChoices view={view} chosen={roleIn(c) ?? role} /> }),
    async (c, operator) => {
      const role = roleIn(c)
      if (role === null) return {}
      return unlessLastAdmin(c, changeOperatorRole(actingAs(c), operator, role), "operator_role")
    },
  )

  for (const action of ["require", "drop"] as const) {
    const isToBeRequired = action === "require"
    addConfirmedChange(app, services, {
      Layout: ConsolePage,
      path: paths.twoFactorPolicy(action),
      find: async () => action,
      findRedirect: async () =>
        (await twoFactorPolicy.isRequired()) === isToBeRequired ? paths.operators : null,
      confirm: ({ texts }) => ({ ...texts.operators.rule[action], back: paths.operators }),
      async apply(c) {
        await setTwoFactorPolicy(actingAs(c), isToBeRequired)
        return showDone(c, isToBeRequired ? "second_factor_required" : "second_factor_optional")
      },
    })
  }
}

function operatorColumns({ texts }: View, ownId: number): readonly Column<ListedOperator>[] {
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
    stateColumn(columns.state, ({ hasPassword, lastSeenAt }) =>
      hasPassword || lastSeenAt !== null ? ["good", authors.active] : ["plain", authors.invited],
    ),
    stateColumn(twoFactor.short, ({ hasTwoFactor }) =>
      hasTwoFactor ? ["good", twoFactor.enabled] : ["warning", twoFactor.disabled],
    ),
    { head: texts.signIn.email, priority: 3, value: ({ email }) => email },
    { head: texts.authors.created, kind: "time", priority: 2, value: ({ createdAt }) => createdAt },
    // Ended sessions leave no timestamp.
    { head: columns.lastSeen, kind: "time", value: ({ lastSeenAt }) => lastSeenAt },
  ]
}

function invitationColumns({ texts }: View): readonly Column<Invitation>[] {
  const { operators, signIn } = texts
  return [
    { head: operators.operator, isWide: true, value: ({ name }) => name },
    {
      head: operators.role,
      value: ({ operatorRole }) => operatorRole && operators.roles[operatorRole].name,
    },
    { head: signIn.email, priority: 2, value: ({ email }) => email },
    { head: texts.keys.expires, kind: "time", value: ({ expiresAt }) => expiresAt },
  ]
}

const RoleChoices = ({ view, chosen }: Readonly<{ view: View; chosen: OperatorRole }>) => {
  const { role, roles } = view.texts.operators
  const choices = operatorRoles.map((value) => {
    const { name: label, text: note } = roles[value]
    return { value, label, note }
  })
  return <Choices name="role" legend={role} choices={choices} chosen={chosen} />
}

type EmailFieldProps = Readonly<{
  view: View
  hint?: string
  value: string
  error: string | undefined
}>

const EmailField = ({ view, ...field }: EmailFieldProps) => (
  <Field name="email" label={view.texts.signIn.email} autocomplete="off" {...field} />
)
