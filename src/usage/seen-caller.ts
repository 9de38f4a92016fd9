/** How a server sees a caller behind a proxy: the response of `doctorPath` to `pazar doctor --outside`. */
export type SeenCaller = Readonly<{
  /** The IP address that connected to the server. */
  peer: string
  isPeerTrusted: boolean
  /** `X-Forwarded-For`, or null. */
  forwardedFor: string | null
  /** The IP address that limits and the log use. */
  client: string
}>

/** Unknown to every request without a pass, which only the owner of the master key can create. */
export const doctorPath = "/api/doctor"
