/** Where a sign-in link leads; its token follows. */
export const linkPath = "/login/link"
