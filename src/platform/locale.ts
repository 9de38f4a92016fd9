/** The languages of responses, pages and documents. */
export const locales = ["en", "tr"] as const
export type Locale = (typeof locales)[number]
