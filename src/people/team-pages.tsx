/** The team of an account: who may do what, and invitations. */

import { type MemberRole, memberRoles } from "../access/actor.ts"
import { routes } from "../access/paths.ts"
import { findEmailAddress } from "../mail/email.ts"
import {
  ipRangeOfRequest,
  may,
  type PageApp,
  type PageContext,
  type View,
} from "../platform/pages/context.ts"
import { type Column, DataTable, RowMenu } from "../platform/pages/data-table.tsx"
import { isolateDirection, LinkBox, type LinkOnce, Panel } from "../platform/pages/elements.tsx"
import { Choices, Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { WorkspacePage } from "../platform/pages/layout.tsx"
import type { WorkspaceServices } from "../workspace/services.ts"
import { addConfirmedChange } from "./confirm-pages.tsx"
import {
  describeSignInRejection,
  PasswordField,
  type PasswordPrompt,
  passwordsOf,
} from "./password-pages.tsx"
import { type Member, teamMax } from "./person.ts"
import { invitationLink } from "./person-email-operations.ts"
import type { Invitation } from "./session.ts"
import {
  inviteMember,
  putMemberRole,
  readTeam,
  TeamFull,
  withdrawMemberInvitation,
} from "./team-operations.ts"

type Problems = Readonly<{ email?: string; password?: PasswordPrompt; notice?: string }>

/** The least: a role is not given by accident. */
const defaultRole: MemberRole = "support"

const roleIn = (c: PageContext): MemberRole | null => {
  const typed = c.req.method === "POST" ? c.var.form.text("role") : ""
  return memberRoles.find((role) => role === typed) ?? null
}

export function addPeopleRoutes(app: PageApp, services: WorkspaceServices): void {
  const { mailing, publicUrl } = services
  const { promptFor, requirePassword } = passwordsOf(services)
  const actingAs = (c: PageContext) => ({ ...services, actor: c.var.actor })
  const done = (c: PageContext, name: keyof View["texts"]["notices"]) =>
    c.redirect(`${c.var.view.paths.people}?done=${name}`, 303)

  async function show(c: PageContext, problems: Problems = {}, link: LinkOnce | null = null) {
    const { view, account, person } = c.var
    const { people: texts, signIn } = view.texts
    const { members, invitations } = await readTeam(services, account)
    const password = problems.password ?? (await promptFor(c))
    const problem = problems.email ?? problems.notice ?? password.problem
    const isManager = may(view, "people")
    const page = (
      <WorkspacePage
        // A form has another path; a change of language must open this page.
        view={{ ...view, path: view.paths.people }}
        title={texts.title}
        problem={problem}
      >
        {problems.notice !== undefined && (
          <p class="notice warning" role="alert">
            {problems.notice}
          </p>
        )}
        {link !== null && <LinkBox view={view} link={link} sentence={texts.link} />}
        <DataTable
          view={view}
          columns={memberColumns(view, person.id)}
          rows={members}
          empty={texts.none}
          {...(isManager && { menuOf: (member: Member) => <MemberMenu {...{ view, member }} /> })}
        />
        {invitations.length > 0 && (
          <Panel id="invited-title" title={texts.invited}>
            <DataTable
              view={view}
              columns={invitationColumns(view)}
              rows={invitations}
              {...(isManager && {
                menuOf: ({ id }: Invitation) => (
                  <PostForm view={view} action={`${view.paths.people}/invitations/${id}/withdraw`}>
                    <QuietButton>{texts.withdraw}</QuietButton>
                  </PostForm>
                ),
              })}
            />
          </Panel>
        )}
        {isManager && (
          <Panel id="invite-title" title={texts.invite}>
            <PostForm view={view} action={`${view.paths.people}/invite`}>
              <Field
                name="email"
                label={signIn.email}
                value={problem === null ? "" : c.var.form.text("email")}
                autocomplete="off"
                error={problems.email}
                isRequired
              />
              <RoleChoices view={view} chosen={roleIn(c) ?? defaultRole} />
              {password.isRequired && (
                <PasswordField view={view} hint={signIn.passwordAgain} error={password.problem} />
              )}
              <button type="submit">{mailing === null ? texts.createLink : texts.send}</button>
            </PostForm>
          </Panel>
        )}
      </WorkspacePage>
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  app.get(routes.people, (c) => show(c))

  app.post(`${routes.people}/invite`, async (c) => {
    const { account, form, view } = c.var
    const email = form.text("email").trim()
    if (findEmailAddress(email) === null) return show(c, { email: view.texts.signIn.noEmail })
    const { passwordAgain } = view.texts.signIn
    const rejection = await requirePassword(c, WorkspacePage, (password) =>
      show(c, { password: { ...password, problem: password.problem ?? passwordAgain } }),
    )
    if (rejection !== null) return rejection
    try {
      // Not a way to fill the mailboxes of strangers.
      const ipRange = ipRangeOfRequest(c)
      await services.resets?.resetThrottle.count({ name: email, ipRange })
      const invitee = { email, role: roleIn(c) ?? defaultRole }
      const { token, expiresAt, isSent } = await inviteMember(actingAs(c), account, invitee)
      if (isSent) return done(c, "link_sent")
      return show(c, {}, { url: invitationLink(publicUrl, token), expiresAt })
    } catch (error) {
      if (error instanceof TeamFull) return show(c, { notice: view.texts.people.full(teamMax) })
      return show(c, { email: describeSignInRejection(view.texts, error, "") })
    }
  })

  app.post(`${routes.people}/invitations/:id/withdraw`, async (c) => {
    const isFound = await withdrawMemberInvitation(
      actingAs(c),
      c.var.account,
      c.req.param("id") ?? "",
    )
    return isFound ? done(c, "invitation_withdrawn") : c.notFound()
  })

  for (const action of ["role", "remove"] as const) {
    addConfirmedChange(app, services, {
      Layout: WorkspacePage,
      path: `${routes.people}/:id/${action}`,
      async find(c) {
        const { members } = await readTeam(services, c.var.account)
        return members.find(({ personId }) => String(personId) === c.req.param("id")) ?? null
      },
      confirm(view, { name, role }, c) {
        const texts = view.texts.people[action]
        return {
          ...texts,
          title: texts.title(isolateDirection(name)),
          back: view.paths.people,
          isDangerous: action === "remove",
          fields: action === "role" && <RoleChoices view={view} chosen={roleIn(c) ?? role} />,
        }
      },
      async apply(c, member) {
        const role = action === "remove" ? null : (roleIn(c) ?? member.role)
        const isChanged = await putMemberRole(actingAs(c), c.var.account, member, role)
        if (!isChanged) return show(c, { notice: c.var.view.texts.people.lastOwner })
        const hasLeft = action === "remove" && member.personId === c.var.person.id
        if (hasLeft && c.var.actor.kind === "author") return c.redirect("/workspace", 303)
        return done(c, action === "remove" ? "member_removed" : "member_role")
      },
    })
  }
}

const MemberMenu = ({ view, member: { personId, name } }: { view: View; member: Member }) => (
  <RowMenu view={view} id={String(personId)} name={name}>
    {(["role", "remove"] as const).map((action) => (
      <a href={`${view.paths.people}/${personId}/${action}`} data-dialog>
        {view.texts.people[action].submit}
      </a>
    ))}
  </RowMenu>
)

const memberColumns = ({ texts }: View, ownId: number): readonly Column<Member>[] => [
  {
    head: texts.columns.name,
    isWide: true,
    value: ({ name }) => name,
    cell: ({ personId, name }) => (
      <>
        <bdi>{name}</bdi> {personId === ownId && <span class="hint">{texts.operators.you}</span>}
      </>
    ),
  },
  { head: texts.operators.role, value: ({ role }) => texts.people.roles[role].name },
]

const invitationColumns = ({ texts }: View): readonly Column<Invitation>[] => [
  { head: texts.signIn.email, isWide: true, value: ({ email, name }) => email ?? name },
  { head: texts.operators.role, value: ({ role }) => role && texts.people.roles[role].name },
  { head: texts.keys.expires, kind: "time", value: ({ expiresAt }) => expiresAt },
]

const RoleChoices = ({ view, chosen }: Readonly<{ view: View; chosen: MemberRole }>) => {
  const { roles } = view.texts.people
  const choices = memberRoles.map((value) => {
    const { name: label, text: note } = roles[value]
    return { value, label, note }
  })
  return (
    <Choices name="role" legend={view.texts.operators.role} choices={choices} chosen={chosen} />
  )
}
