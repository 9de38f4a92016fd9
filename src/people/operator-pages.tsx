import { type OperatorRole, operatorRoles } from "../access/actor.ts"
import { may } from "../access/page-view.ts"
import { paths } from "../access/paths.ts"
import { findEmailAddress } from "../mail/email.ts"
import { UserError } from "../platform/error.ts"
import { addConfirmedChange, type Change, type Confirmation } from "../platform/pages/confirm.tsx"
import { currentView, inView, type PageApp, type PageContext } from "../platform/pages/context.ts"
import {
  type Column,
  column,
  DataTable,
  RowMenu,
  stateColumn,
} from "../platform/pages/data-table.tsx"
import { isolateDirection, LinkBox, Panel } from "../platform/pages/elements.tsx"
import { Choices, Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { Page } from "../platform/pages/page.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import type { Invited } from "./invitation-operations.ts"
import { type ListedOperator, operatorRoleTexts } from "./person.ts"
import { invitationLink } from "./person-email-operations.ts"
import {
  changeOperatorRole,
  createOperator,
  LastAdmin,
  putEmail,
  removeOperator,
  resetPassword,
  setTwoFactorPolicy,
} from "./person-operations.ts"
import { isToBeSent, SendButton } from "./send-pages.tsx"
import type { Invitation } from "./session.ts"
import type { PeoplePageServices } from "./session-pages.ts"

/** Empty on the confirmation page. */
const typedIn = (c: PageContext, name: "name" | "email" | "role") =>
  c.req.method === "POST" ? c.get("form").text(name).trim() : ""

/** Null on the confirmation page, and for an unknown role. */
const roleIn = (c: PageContext): OperatorRole | null =>
  operatorRoles.find((role) => role === typedIn(c, "role")) ?? null

type CreatedLink = Readonly<{ name: string; url: string; expiresAt: Timestamp }>

const otherActions = ["link", "role", "remove"] as const

type Action = "email" | "link" | "role" | "remove"

/** A new link resets a password. An invited operator without a password gets a second link. */
const textsFor = (action: Action, { hasPassword }: ListedOperator) =>
  changeTexts[action === "link" ? (hasPassword ? "reset" : "newLink") : action]

/** The least: a role is not given by accident. */
const defaultRole: OperatorRole = "viewer"

export function addOperatorsRoutes(app: PageApp, services: PeoplePageServices): void {
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
      return show(
        c,
        null,
        t("This operator is the last admin. Make another operator an admin first."),
      )
    }
  }

  async function show(c: PageContext, link: CreatedLink | null, problem: string | null = null) {
    // The form has another path; a change of language must open this page.
    const view = {
      ...currentView(),
      path: paths.operators,
      ...(link !== null && { notice: t("The link was created.") }),
    }
    const ownId = c.var.operator.id
    const isTwoFactorRequired = await twoFactorPolicy.isRequired()
    const action = isTwoFactorRequired ? "drop" : "require"
    const isAdmin = may("manage")
    const invited = await invitations.list("operators", formatTimestamp(now()))
    const listed = await operators.list()
    const without = listed.filter(({ hasTwoFactor }) => !hasTwoFactor)
    const invite = isAdmin && (
      <a class="button" href={paths.inviteOperator} data-dialog>
        {t("Invite operator")}
      </a>
    )
    const menuOf = (operator: ListedOperator) => (
      <RowMenu id={String(operator.id)} name={operator.name}>
        <a href={paths.auditBy(operator.name)}>{t("Audit log")}</a>
        {isAdmin && (
          <a href={paths.operator(operator.id, "email")} data-dialog>
            {t("E-mail address")}
          </a>
        )}
        {operator.id === ownId ? (
          <a href={paths.security}>{t("Security")}</a>
        ) : (
          isAdmin &&
          otherActions.map((action) => (
            <a href={paths.operator(operator.id, action)} data-dialog>
              {t(textsFor(action, operator).submit)}
            </a>
          ))
        )}
      </RowMenu>
    )
    const page = (
      <Page title={t("Operators")} action={invite} problem={problem}>
        {problem !== null && (
          <p class="notice warning" role="alert">
            {problem}
          </p>
        )}
        {link !== null && (
          <LinkBox
            link={link}
            sentence={(when) =>
              t(
                "Send this link to {name}. It works once, until {when}. This page shows it for five minutes, or until you create another link.",
                { name: isolateDirection(link.name), when },
              )
            }
          />
        )}
        <DataTable columns={operatorColumns(ownId)} rows={listed} menuOf={menuOf} />
        {invited.length > 0 && (
          <Panel id="invited-title" title={t("Invited # list")}>
            <DataTable
              columns={invitationColumns()}
              rows={invited}
              menuOf={({ id }) =>
                isAdmin && (
                  <PostForm action={paths.withdrawInvitation(id)}>
                    <QuietButton>{t("Withdraw")}</QuietButton>
                  </PostForm>
                )
              }
            />
          </Panel>
        )}
        <p>
          {isTwoFactorRequired
            ? t("2FA is required: operators must set it up before they can use the console.")
            : t("2FA is optional. Without it, a stolen password is enough to sign in.")}{" "}
          {without.length > 0 &&
            t("Without 2FA: {names}.", {
              names: without.map(({ name }) => isolateDirection(name)).join(", "),
            })}{" "}
          {isAdmin && (
            <a href={paths.twoFactorPolicy(action)} data-dialog>
              {t(twoFactorRuleTexts[action].submit)}
            </a>
          )}
        </p>
      </Page>
    )
    return inView(view, () => c.html(page, problem === null ? 200 : 409))
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

  addConfirmedChange(app, {
    path: paths.inviteOperator,
    find: async () => "new",
    confirm: (_, c, problems) => ({
      title: t("Invite an operator"),
      text: t(
        "Creates a link that works once within seven days. The operator sets a password with it and is signed in.",
      ),
      submit: t("Invite operator"),
      back: paths.operators,
      fields: (
        <>
          <Field
            name="name"
            label={t("Name")}
            hint={t("You sign in with this name.")}
            value={typedIn(c, "name")}
            maxlength={255}
            autocomplete="off"
            error={problems.name}
            isRequired
            isFocused
          />
          <EmailField
            hint={t("For password links and alerts. Optional.")}
            value={typedIn(c, "email")}
            error={problems.email}
          />
          <RoleChoices chosen={roleIn(c) ?? defaultRole} />
        </>
      ),
      others: mailing && <SendButton />,
    }),
    async apply(c) {
      const name = typedIn(c, "name")
      const typed = typedIn(c, "email")
      const email = findEmailAddress(typed)
      if (email === null && (typed !== "" || isToBeSent(c)))
        return { email: t("Enter an e-mail address.") }
      try {
        const operator = { name, email, role: roleIn(c) ?? defaultRole }
        return await showLink(c, name, await createOperator(actingAs(c), operator, null))
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        const isTaken = (await operators.findByName(name)) !== null
        return {
          name: isTaken
            ? t("An operator with this name already exists.")
            : t("Use 1 to 255 characters."),
        }
      }
    },
  })

  function addChange(
    action: Action,
    more: (...shown: Parameters<Change<ListedOperator>["confirm"]>) => Partial<Confirmation>,
    apply: Change<ListedOperator>["apply"],
  ): void {
    addConfirmedChange(app, {
      path: `${paths.operators}/:id/${action}`,
      /** Except for the e-mail address, null also for the current operator: another admin must demote or delete them. */
      async find(c) {
        const id = Number(c.req.param("id"))
        if (id === c.var.operator.id && action !== "email") return null
        return (await operators.list()).find((operator) => operator.id === id) ?? null
      },
      confirm(operator, c, problems) {
        const { title, text, submit } = textsFor(action, operator)
        return {
          title: t(title, { name: isolateDirection(operator.name) }),
          text: t(text),
          submit: t(submit),
          back: paths.operators,
          ...more(operator, c, problems),
        }
      },
      apply,
    })
  }

  addChange(
    "link",
    (operator) => ({
      others: mailing && operator.email !== null && <SendButton />,
    }),
    async (c, operator) =>
      showLink(c, operator.name, await resetPassword(actingAs(c), operator, null)),
  )

  addChange(
    "email",
    ({ email }, c, problems) => {
      const value = c.req.method === "POST" ? typedIn(c, "email") : (email ?? "")
      return { fields: <EmailField value={value} error={problems.email} /> }
    },
    async (c, operator) => {
      const typed = typedIn(c, "email")
      const email = findEmailAddress(typed)
      if (typed !== "" && email === null) return { email: t("Enter an e-mail address.") }
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
    ({ role }, c) => ({ fields: <RoleChoices chosen={roleIn(c) ?? role} /> }),
    async (c, operator) => {
      const role = roleIn(c)
      if (role === null) return {}
      return unlessLastAdmin(c, changeOperatorRole(actingAs(c), operator, role), "operator_role")
    },
  )

  for (const action of ["require", "drop"] as const) {
    const isToBeRequired = action === "require"
    addConfirmedChange(app, {
      path: paths.twoFactorPolicy(action),
      find: async () => action,
      findRedirect: async () =>
        (await twoFactorPolicy.isRequired()) === isToBeRequired ? paths.operators : null,
      confirm() {
        const { title, text, submit } = twoFactorRuleTexts[action]
        return { title: t(title), text: t(text), submit: t(submit), back: paths.operators }
      },
      async apply(c) {
        await setTwoFactorPolicy(actingAs(c), isToBeRequired)
        return showDone(c, isToBeRequired ? "second_factor_required" : "second_factor_optional")
      },
    })
  }
}

function operatorColumns(ownId: number): readonly Column<ListedOperator>[] {
  return [
    column(t("Operator"), ({ name }) => name, {
      isWide: true,
      cell: ({ id, name }) => (
        <>
          <bdi>{name}</bdi> {id === ownId && <span class="hint">{t("(you)")}</span>}
        </>
      ),
    }),
    column(t("Role"), ({ role }) => t(operatorRoleTexts[role].name)),
    stateColumn(t("Status"), ({ hasPassword, lastSeenAt }) =>
      hasPassword || lastSeenAt !== null ? ["good", t("Active")] : ["plain", t("Invited")],
    ),
    stateColumn(t("2FA"), ({ hasTwoFactor }) =>
      hasTwoFactor ? ["good", t("Enabled")] : ["warning", t("Disabled")],
    ),
    column(t("E-mail address"), ({ email }) => email, { priority: 3 }),
    column(t("Created # date"), ({ createdAt }) => createdAt, { kind: "time", priority: 2 }),
    // Ended sessions leave no timestamp.
    column(t("Last seen"), ({ lastSeenAt }) => lastSeenAt, { kind: "time" }),
  ]
}

function invitationColumns(): readonly Column<Invitation>[] {
  return [
    column(t("Operator"), ({ name }) => name, { isWide: true }),
    column(
      t("Role"),
      ({ operatorRole }) => operatorRole && t(operatorRoleTexts[operatorRole].name),
    ),
    column(t("E-mail address"), ({ email }) => email, { priority: 2 }),
    column(t("Expires"), ({ expiresAt }) => expiresAt, { kind: "time" }),
  ]
}

const RoleChoices = ({ chosen }: Readonly<{ chosen: OperatorRole }>) => {
  const choices = operatorRoles.map((value) => {
    const { name, text } = operatorRoleTexts[value]
    return { value, label: t(name), note: t(text) }
  })
  return <Choices name="role" legend={t("Role")} choices={choices} chosen={chosen} />
}

type EmailFieldProps = Readonly<{
  hint?: string
  value: string
  error: string | undefined
}>

const EmailField = ({ ...field }: EmailFieldProps) => (
  <Field name="email" label={t("E-mail address")} autocomplete="off" {...field} />
)

const twoFactorRuleTexts = {
  require: {
    title: "Require 2FA?",
    text: "Every operator without 2FA must set it up before using the console.",
    submit: "Require 2FA",
  },
  drop: {
    title: "Make 2FA optional?",
    text: "Each operator decides. 2FA stays enabled for operators who have set it up.",
    submit: "Make 2FA optional",
  },
} as const

const changeTexts = {
  email: {
    title: "E-mail address of {name}",
    text: "Password links and alerts are sent to this address. Leave the field empty to send none.",
    submit: "Save",
  },
  newLink: {
    title: "New link for {name}",
    text: "Creates another link that works once within seven days. The operator sets a password with it and is signed in. Earlier links work until a password is set.",
    submit: "Create link",
  },
  reset: {
    title: "Reset the password of {name}",
    text: "Creates a link that works once within seven days. The operator sets a new password with it. The old password works until then. A new password ends the operator's sessions; 2FA stays enabled.",
    submit: "Reset password",
  },
  role: {
    title: "Change the role of {name}",
    text: "The new role applies from the operator's next request.",
    submit: "Change role",
  },
  remove: {
    title: "Delete {name}",
    text: "The operator is signed out everywhere immediately. Password, links and 2FA are deleted. Events of the operator stay in the audit log.",
    submit: "Delete",
  },
} as const
