/** `wrong` includes unknown names. `suspended`: name and password were correct. */
export const signInOutcomes = ["ok", "wrong", "throttled", "suspended"] as const
export type SignInOutcome = (typeof signInOutcomes)[number]
