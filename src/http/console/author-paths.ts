import { consolePath } from "./console-context.ts"

export const authorsPath = `${consolePath}/authors`

export const pathOfAuthors = (text: string, page: number) =>
  `${authorsPath}?${new URLSearchParams({ q: text, page: String(page) })}`

export const pathOfAuthor = (id: number) => `${authorsPath}/${id}`
