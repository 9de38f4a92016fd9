/** The team of an account: who may do what, and invitations. */
import { type MemberRole, memberRoles } from "../access/actor.ts"
import { may } from "../access/page-view.ts"
import { routes } from "../access/paths.ts"
import { findEmailAddress } from "../mail/email.ts"
import {
  addConfirmedChange,
  PasswordField,
  promptFor,
  requirePassword,
} from "../platform/pages/confirm.tsx"
import {
  currentView,
  inView,
  Page,
  type PageApp,
  type PageContext,
  type PasswordPrompt,
} from "../platform/pages/context.ts"
import { column, DataTable, RowMenu } from "../platform/pages/data-table.tsx"
import {
  Choices,
  Field,
  isolateDirection,
  LinkBox,
  type LinkOnce,
  Panel,
  PostForm,
  QuietButton,
} from "../platform/pages/elements.tsx"
import type { noticeTexts } from "../platform/pages/layout.tsx"
import { type PlainKey, t } from "../platform/t.ts"
import { type PeoplePageServices, readVisit } from "./page-app.tsx"
import { describeSignInRejection } from "./password-pages.tsx"
import { type Member, teamMax } from "./person.ts"
import { invitationLink } from "./person-email-operations.ts"
import {
  inviteMember,
  putMemberRole,
  readTeam,
  TeamFull,
  withdrawMemberInvitation,
} from "./person-operations.ts"
import type { Invitation } from "./session.ts"

type Problems = Readonly<{ email?: string; password?: PasswordPrompt; notice?: string }>

const memberActions = ["role", "remove"] as const

/** The least: a role is not given by accident. */
const defaultRole: MemberRole = "support"

const readRole = (c: PageContext): MemberRole | null => {
  const typed = c.req.method === "POST" ? c.var.form.text("role") : ""
  return memberRoles.find((role) => role === typed) ?? null
}

export function addTeamRoutes(app: PageApp, services: PeoplePageServices): void {
  app.get(routes.people, (c) => show(c, services))
  app.post(`${routes.people}/invite`, (c) => inviteColleague(c, services))
  app.post(`${routes.people}/invitations/:id/withdraw`, async (c) => {
    const { actor, account } = c.var
    const id = c.req.param("id")
    const isFound = await withdrawMemberInvitation({ ...services, actor }, account, id)
    return isFound ? showDone(c, "invitation_withdrawn") : c.notFound()
  })

  for (const action of memberActions) {
    addConfirmedChange(app, {
      path: `${routes.people}/:id/${action}`,
      async find(c) {
        const { members } = await readTeam(services, c.var.account)
        return members.find(({ personId }) => String(personId) === c.req.param("id")) ?? null
      },
      confirm({ name, role }, c) {
        const { title, text, submit } = memberActionTexts[action]
        return {
          title: t(title, { name: isolateDirection(name) }),
          text: t(text),
          submit: t(submit),
          back: currentView().paths.people,
          isDangerous: action === "remove",
          fields: action === "role" && (
            <RoleChoices texts={teamRoleTexts} chosen={readRole(c) ?? role} />
          ),
        }
      },
      async apply(c, member) {
        const { actor, account, person } = c.var
        const role = action === "remove" ? null : (readRole(c) ?? member.role)
        if (!(await putMemberRole({ ...services, actor }, account, member, role)))
          return show(c, services, {
            notice: t("An account keeps at least one owner. Make somebody else an owner first."),
          })
        const hasLeft = action === "remove" && member.personId === person.id
        if (hasLeft && actor.kind === "author") return c.redirect("/workspace", 303)
        return showDone(c, action === "remove" ? "member_removed" : "member_role")
      },
    })
  }
}

const showDone = (c: PageContext, name: keyof typeof noticeTexts) =>
  c.redirect(`${currentView().paths.people}?done=${name}`, 303)

async function show(
  c: PageContext,
  services: PeoplePageServices,
  problems: Problems = {},
  link: LinkOnce | null = null,
) {
  const { account, person } = c.var
  // A form has another path; a change of language must open this page.
  const view = { ...currentView(), path: currentView().paths.people }
  const { members, invitations } = await readTeam(services, account)
  const password = problems.password ?? (await promptFor(c))
  const problem = problems.email ?? problems.notice ?? password.problem
  const isManager = may("people")
  const page = (
    <Page title={t("People")} problem={problem}>
      {problems.notice !== undefined && (
        <p class="notice warning" role="alert">
          {problems.notice}
        </p>
      )}
      {link !== null && (
        <LinkBox
          link={link}
          sentence={(when) =>
            t(
              "Send this link to your colleague. It works once, until {when}, and is shown only now.",
              { when },
            )
          }
        />
      )}
      <MemberTable members={members} ownId={person.id} />
      {invitations.length > 0 && <InvitationPanel invitations={invitations} />}
      {isManager && (
        <Panel id="invite-title" title={t("Invite a colleague")}>
          <PostForm action={`${view.path}/invite`}>
            <Field
              name="email"
              label={t("E-mail address")}
              value={problem === null ? "" : c.var.form.text("email")}
              autocomplete="off"
              error={problems.email}
              isRequired
            />
            <RoleChoices texts={teamRoleTexts} chosen={readRole(c) ?? defaultRole} />
            {password.isRequired && (
              <PasswordField
                hint={t("Required because you last entered it more than five minutes ago.")}
                error={password.problem}
              />
            )}
            <button type="submit">
              {services.mailing === null ? t("Create link") : t("Send invitation")}
            </button>
          </PostForm>
        </Panel>
      )}
    </Page>
  )
  return inView(view, () => c.html(page, problem === null ? 200 : 422))
}

const MemberTable = ({
  members,
  ownId,
}: Readonly<{ members: readonly Member[]; ownId: number }>) => (
  <DataTable<Member>
    columns={[
      column(t("Name"), ({ name }) => name, {
        isWide: true,
        cell: ({ personId, name }) => (
          <>
            <bdi>{name}</bdi> {personId === ownId && <span class="hint">{t("(you)")}</span>}
          </>
        ),
      }),
      column(t("Role"), ({ role }) => t(teamRoleTexts[role].name)),
    ]}
    rows={members}
    empty={t("Nobody signs in to this account yet.")}
    menuOf={
      may("people")
        ? ({ personId, name }) => (
            <RowMenu id={String(personId)} name={name}>
              {memberActions.map((action) => (
                <a href={`${currentView().paths.people}/${personId}/${action}`} data-dialog>
                  {t(memberActionTexts[action].submit)}
                </a>
              ))}
            </RowMenu>
          )
        : undefined
    }
  />
)

const InvitationPanel = ({ invitations }: { invitations: readonly Invitation[] }) => (
  <Panel id="invited-title" title={t("Invitations")}>
    <DataTable<Invitation>
      columns={[
        column(t("E-mail address"), ({ email, name }) => email ?? name, { isWide: true }),
        column(t("Role"), ({ role }) => role && t(teamRoleTexts[role].name)),
        column(t("Expires"), ({ expiresAt }) => expiresAt, { kind: "time" }),
      ]}
      rows={invitations}
      menuOf={
        may("people")
          ? ({ id }) => (
              <PostForm action={`${currentView().paths.people}/invitations/${id}/withdraw`}>
                <QuietButton>{t("Withdraw")}</QuietButton>
              </PostForm>
            )
          : undefined
      }
    />
  </Panel>
)

async function inviteColleague(c: PageContext, services: PeoplePageServices): Promise<Response> {
  const { account, actor, form } = c.var
  const email = form.text("email").trim()
  if (findEmailAddress(email) === null)
    return show(c, services, { email: t("Enter an e-mail address.") })
  const missing = t("Required because you last entered it more than five minutes ago.")
  const rejection = await requirePassword(c, (password) =>
    show(c, services, { password: { ...password, problem: password.problem ?? missing } }),
  )
  if (rejection !== null) return rejection
  try {
    // Not a way to fill the mailboxes of strangers.
    const { ipRange } = readVisit(c)
    await services.resets?.resetThrottle.count({ name: email, ipRange })
    const invitee = { email, role: readRole(c) ?? defaultRole }
    const { token, expiresAt, isSent } = await inviteMember(
      { ...services, actor },
      account,
      invitee,
    )
    if (isSent) return showDone(c, "link_sent")
    return show(c, services, {}, { url: invitationLink(services.publicUrl, token), expiresAt })
  } catch (error) {
    if (!(error instanceof TeamFull))
      return show(c, services, { email: describeSignInRejection(error, "") })
    const notice = t("An account can have {n} people and open invitations. Remove one first.", {
      n: teamMax,
    })
    return show(c, services, { notice })
  }
}

type RoleChoicesProps = Readonly<{
  texts: Readonly<Record<string, Readonly<{ name: PlainKey; text: PlainKey }>>>
  chosen: string
}>

export const RoleChoices = ({ texts, chosen }: RoleChoicesProps) => {
  const choices = Object.entries(texts).map(([value, { name, text }]) => ({
    value,
    label: t(name),
    note: t(text),
  }))
  return <Choices name="role" legend={t("Role")} choices={choices} chosen={chosen} />
}

const memberActionTexts = {
  role: {
    title: "Change the role of {name}?",
    text: "The new role takes effect with the next page that they open.",
    submit: "Change role",
  },
  remove: {
    title: "Remove {name}?",
    text: "They lose access to this workspace immediately. Keys that they created stay valid.",
    submit: "Remove",
  },
} as const

const teamRoleTexts = {
  owner: { name: "Owner", text: "Everything, including people." },
  developer: {
    name: "Developer",
    text: "Everything except people: keys, webhooks, limits and sales.",
  },
  support: { name: "Support", text: "Reads sales, checks codes, releases sites." },
} as const
