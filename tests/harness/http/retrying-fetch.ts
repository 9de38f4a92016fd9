import { until, workMsMax } from "../until.ts"

/**
 * Retries while a server of its own process rejects the request: a busy machine does so for a while, for pages first.
 */
export const retryingFetch = (url: string, init: RequestInit = {}): Promise<Response> =>
  until(async () => {
    const response = await fetch(url, init)
    return response.status === 503 ? undefined : response
  }, workMsMax)
