import type { FoundItem } from "../../domain/usage/operator-reads.ts"

/** The keys of a suspended author are refused, whatever else is right. */
export const describeAuthor = ({
  author,
  isAuthorSuspended,
}: Pick<FoundItem, "author" | "isAuthorSuspended">) =>
  isAuthorSuspended ? `${author} (suspended)` : author
