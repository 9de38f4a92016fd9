import { commandLine, type OperatorRole } from "../../src/access/actor.ts"
import { tokens } from "../../src/access/token.ts"
import { createOperator } from "../../src/people/person-operations.ts"
import { countTotpSteps, totpAt } from "../../src/people/two-factor.ts"
import { openVisitor, type PageResponse, type Visitor } from "./browser/visitor.ts"
import type { retryingFetch } from "./http/retrying-fetch.ts"
import type { Program } from "./program.ts"

export const operatorPassword = "kiraz bülbül pencere"

/** Returns the path of the link if the operator has no password. */
export async function addOperator(
  { app, hasher }: Program,
  name: string,
  password: string | null = operatorPassword,
  role: OperatorRole = "admin",
): Promise<string> {
  const services = { ...app, ...app.store, hasher, tokens, actor: commandLine }
  const invited = await createOperator(services, { name, email: null, role }, password)
  return `/invite/${invited?.token}`
}

export const signInOperator = (
  visitor: Visitor,
  name: string,
  { password = operatorPassword, ...changes }: Readonly<Record<string, string>> = {},
): Promise<PageResponse> => visitor.signIn(name, password, { next: "/console", ...changes })

export async function openOperator(
  url: string,
  name: string,
  send?: typeof retryingFetch,
): Promise<Visitor> {
  const visitor = openVisitor(url, {}, send)
  const { status } = await signInOperator(visitor, name)
  if (status !== 303) throw new Error(`${name} was not let in: ${status}`)
  return visitor
}

/** Adds an operator with the usual password and signs in. */
export async function openNewOperator(
  program: Program,
  name: string,
  role?: OperatorRole,
): Promise<Visitor> {
  await addOperator(program, name, operatorPassword, role)
  return openOperator(program.url, name)
}

/** The code of an authenticator app for this secret, this many steps from now. */
export const totpCode = (secret: string) => totpAt(secret, countTotpSteps(new Date()))
