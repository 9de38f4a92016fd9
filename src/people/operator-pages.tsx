import { type OperatorRole, operatorRoles } from "../access/actor.ts"
import { may } from "../access/page-view.ts"
import { paths } from "../access/paths.ts"
import { findEmailAddress } from "../mail/email.ts"
import { UserError } from "../platform/error.ts"
import { addConfirmedChange } from "../platform/pages/confirm.tsx"
import {
  currentView,
  inView,
  Page,
  type PageApp,
  type PageContext,
} from "../platform/pages/context.ts"
import { column, DataTable, RowMenu, stateColumn } from "../platform/pages/data-table.tsx"
import {
  Field,
  isolateDirection,
  LinkBox,
  type LinkOnce,
  Panel,
  PostForm,
  QuietButton,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { Invited } from "./invitation-operations.ts"
import type { PeoplePageServices } from "./page-app.tsx"
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
import type { Invitation } from "./session.ts"
import { RoleChoices } from "./team-pages.tsx"

export function addOperatorRoutes(app: PageApp, services: PeoplePageServices): void {
  const { invitations, mailing } = services
  app.get(paths.operators, (c) => show(c, services, null))
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
            value={readTyped(c, "name")}
            maxlength={255}
            autocomplete="off"
            error={problems.name}
            isRequired
            isFocused
          />
          <EmailField
            hint={t("For password links and alerts. Optional.")}
            value={readTyped(c, "email")}
            error={problems.email}
          />
          <RoleChoices texts={operatorRoleTexts} chosen={readRole(c) ?? defaultRole} />
        </>
      ),
      others: mailing && <SendButton />,
    }),
    apply: (c) => inviteOperator(c, services),
  })

  for (const action of ["email", ...otherActions] as const) addChange(app, services, action)
  for (const action of ["require", "drop"] as const) addTwoFactorChange(app, services, action)
}

function addChange(app: PageApp, services: PeoplePageServices, action: Action): void {
  const { operators, mailing } = services
  addConfirmedChange(app, {
    path: `${paths.operators}/:id/${action}`,
    /** Except for the e-mail address, null also for the current operator: another admin must demote or delete them. */
    async find(c) {
      const id = Number(c.req.param("id"))
      if (id === c.var.operator.id && action !== "email") return null
      return (await operators.list()).find((operator) => operator.id === id) ?? null
    },
    confirm(operator, c, problems) {
      const { title, text, submit } = findTexts(action, operator)
      const { name, email, role } = operator
      const typed = c.req.method === "POST" ? readTyped(c, "email") : (email ?? "")
      return {
        title: t(title, { name: isolateDirection(name) }),
        text: t(text),
        submit: t(submit),
        back: paths.operators,
        isDangerous: action === "remove",
        fields:
          action === "email" ? (
            <EmailField value={typed} error={problems.email} />
          ) : (
            action === "role" && (
              <RoleChoices texts={operatorRoleTexts} chosen={readRole(c) ?? role} />
            )
          ),
        others: action === "link" && mailing && email !== null && <SendButton />,
      }
    },
    apply: (c, operator) => change(c, services, operator, action),
  })
}

function addTwoFactorChange(
  app: PageApp,
  services: PeoplePageServices,
  action: "require" | "drop",
): void {
  const isToBeRequired = action === "require"
  addConfirmedChange(app, {
    path: paths.twoFactorPolicy(action),
    find: async () => action,
    findRedirect: async () =>
      (await services.twoFactorPolicy.isRequired()) === isToBeRequired ? paths.operators : null,
    confirm() {
      const { title, text, submit } = twoFactorRuleTexts[action]
      return { title: t(title), text: t(text), submit: t(submit), back: paths.operators }
    },
    async apply(c) {
      await setTwoFactorPolicy({ ...services, actor: c.var.actor }, isToBeRequired)
      return showDone(c, isToBeRequired ? "second_factor_required" : "second_factor_optional")
    },
  })
}

const otherActions = ["link", "role", "remove"] as const

type Action = "email" | (typeof otherActions)[number]

/** The least: a role is not given by accident. */
const defaultRole: OperatorRole = "viewer"

/** Empty on the confirmation page. */
const readTyped = (c: PageContext, name: "name" | "email" | "role") =>
  c.req.method === "POST" ? c.get("form").text(name).trim() : ""

/** Null on the confirmation page, and for an unknown role. */
const readRole = (c: PageContext): OperatorRole | null =>
  operatorRoles.find((role) => role === readTyped(c, "role")) ?? null

const showDone = (c: PageContext, done: string) =>
  c.redirect(`${paths.operators}?done=${done}`, 303)

const actAs = (c: PageContext, services: PeoplePageServices) => ({
  ...services,
  actor: c.var.actor,
  mailing: isToBeSent(c) ? services.mailing : null,
})

async function show(
  c: PageContext,
  services: PeoplePageServices,
  link: (LinkOnce & Readonly<{ name: string }>) | null,
  problem: string | null = null,
) {
  const { operators, invitations, twoFactorPolicy, now } = services
  // The form has another path; a change of language must open this page.
  const view = {
    ...currentView(),
    path: paths.operators,
    ...(link !== null && { notice: t("The link was created.") }),
  }
  const ownId = c.var.operator.id
  const isRequired = await twoFactorPolicy.isRequired()
  const isAdmin = may("manage")
  const invited = await invitations.list("operators", formatTimestamp(now()))
  const listed = await operators.list()
  const invite = isAdmin && (
    <a class="button" href={paths.inviteOperator} data-dialog>
      {t("Invite operator")}
    </a>
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
      <OperatorTable operators={listed} ownId={ownId} />
      {invited.length > 0 && <InvitationPanel invitations={invited} />}
      <TwoFactorRule isRequired={isRequired} operators={listed} />
    </Page>
  )
  return inView(view, () => c.html(page, problem === null ? 200 : 409))
}

const OperatorTable = ({
  operators,
  ownId,
}: Readonly<{ operators: readonly ListedOperator[]; ownId: number }>) => (
  <DataTable<ListedOperator>
    columns={[
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
    ]}
    rows={operators}
    menuOf={(operator) => (
      <RowMenu id={String(operator.id)} name={operator.name}>
        <a href={paths.auditBy(operator.name)}>{t("Audit log")}</a>
        {may("manage") && (
          <a href={paths.operator(operator.id, "email")} data-dialog>
            {t("E-mail address")}
          </a>
        )}
        {operator.id === ownId ? (
          <a href={paths.security}>{t("Security")}</a>
        ) : (
          may("manage") &&
          otherActions.map((action) => (
            <a href={paths.operator(operator.id, action)} data-dialog>
              {t(findTexts(action, operator).submit)}
            </a>
          ))
        )}
      </RowMenu>
    )}
  />
)

const InvitationPanel = ({ invitations }: { invitations: readonly Invitation[] }) => (
  <Panel id="invited-title" title={t("Invited # list")}>
    <DataTable<Invitation>
      columns={[
        column(t("Operator"), ({ name }) => name, { isWide: true }),
        column(
          t("Role"),
          ({ operatorRole }) => operatorRole && t(operatorRoleTexts[operatorRole].name),
        ),
        column(t("E-mail address"), ({ email }) => email, { priority: 2 }),
        column(t("Expires"), ({ expiresAt }) => expiresAt, { kind: "time" }),
      ]}
      rows={invitations}
      menuOf={({ id }) =>
        may("manage") && (
          <PostForm action={paths.withdrawInvitation(id)}>
            <QuietButton>{t("Withdraw")}</QuietButton>
          </PostForm>
        )
      }
    />
  </Panel>
)

const TwoFactorRule = ({
  isRequired,
  operators,
}: Readonly<{ isRequired: boolean; operators: readonly ListedOperator[] }>) => {
  const action = isRequired ? "drop" : "require"
  const without = operators.filter(({ hasTwoFactor }) => !hasTwoFactor)
  return (
    <p>
      {isRequired
        ? t("2FA is required: operators must set it up before they can use the console.")
        : t("2FA is optional. Without it, a stolen password is enough to sign in.")}{" "}
      {without.length > 0 &&
        t("Without 2FA: {names}.", {
          names: without.map(({ name }) => isolateDirection(name)).join(", "),
        })}{" "}
      {may("manage") && (
        <a href={paths.twoFactorPolicy(action)} data-dialog>
          {t(twoFactorRuleTexts[action].submit)}
        </a>
      )}
    </p>
  )
}

async function inviteOperator(c: PageContext, services: PeoplePageServices) {
  const name = readTyped(c, "name")
  const typed = readTyped(c, "email")
  const email = findEmailAddress(typed)
  if (email === null && (typed !== "" || isToBeSent(c)))
    return { email: t("Enter an e-mail address.") }
  try {
    const operator = { name, email, role: readRole(c) ?? defaultRole }
    const invited = await createOperator(actAs(c, services), operator, null)
    return await showLink(c, services, name, invited)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const isTaken = (await services.operators.findByName(name)) !== null
    return {
      name: isTaken
        ? t("An operator with this name already exists.")
        : t("Use 1 to 255 characters."),
    }
  }
}

async function change(
  c: PageContext,
  services: PeoplePageServices,
  operator: ListedOperator,
  action: Action,
) {
  const acting = actAs(c, services)
  if (action === "link")
    return showLink(c, services, operator.name, await resetPassword(acting, operator, null))
  if (action === "email") {
    const typed = readTyped(c, "email")
    const email = findEmailAddress(typed)
    if (typed !== "" && email === null) return { email: t("Enter an e-mail address.") }
    await putEmail(acting, operator, email)
    return showDone(c, "operator_email")
  }
  const role = readRole(c)
  if (action === "role" && role === null) return {}
  try {
    if (role !== null && action === "role") await changeOperatorRole(acting, operator, role)
    else await removeOperator(acting, operator)
    return showDone(c, action === "role" ? "operator_role" : "operator_removed")
  } catch (error) {
    // Another admin may have demoted or deleted the visitor concurrently.
    if (!(error instanceof LastAdmin)) throw error
    const problem = t("This operator is the last admin. Make another operator an admin first.")
    return show(c, services, null, problem)
  }
}

function showLink(
  c: PageContext,
  services: PeoplePageServices,
  name: string,
  invited: (Invited & Readonly<{ isSent: boolean }>) | null,
) {
  if (invited === null) throw new Error("an operator without a password got no link")
  const { token, expiresAt, isSent } = invited
  if (isSent) return showDone(c, "link_sent")
  return show(c, services, { name, url: invitationLink(services.publicUrl, token), expiresAt })
}

type EmailFieldProps = Readonly<{ hint?: string; value: string; error: string | undefined }>

const EmailField = (props: EmailFieldProps) => (
  <Field name="email" label={t("E-mail address")} autocomplete="off" {...props} />
)

/** Submits the form of a link and sends the link by e-mail. */
export const SendButton = () => (
  <QuietButton name="send" value="1">
    {t("Send by e-mail")}
  </QuietButton>
)

export const isToBeSent = (c: PageContext) => c.var.form.text("send") !== ""

/** A new link resets a password. An invited operator without a password gets a second link. */
const findTexts = (action: Action, { hasPassword }: ListedOperator) =>
  changeTexts[action === "link" ? (hasPassword ? "reset" : "newLink") : action]

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
