import type { Awaitable } from "../domain/awaitable.ts"

export type Server = Bun.Server<undefined>
export type Handler = (request: Request, server: Server) => Awaitable<Response>
export type Routes = Readonly<Record<string, Handler>>
