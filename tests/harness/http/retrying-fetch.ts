import { until } from "../../contracts/until.ts"

/** Asks again while a server of its own process refuses: one on a busy machine does so for a while, pages first. */
export const retryingFetch = (url: string, init: RequestInit = {}): Promise<Response> =>
  until(async () => {
    const response = await fetch(url, init)
    return response.status === 503 ? undefined : response
  })
