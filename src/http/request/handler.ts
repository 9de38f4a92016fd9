import type { Awaitable } from "../../domain/values/awaitable.ts"

export type Server = Bun.Server<undefined>
export type Handler<Asked extends Request = Request> = (
  request: Asked,
  server: Server,
) => Awaitable<Response>
export type Routes = Readonly<Record<string, Handler>>
