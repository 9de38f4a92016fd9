/**
 * The declared length of a body, or null when it is not one plain number. The runtime refuses every
 * other spelling itself, except the same header sent twice, which arrives as `5, 5`.
 */
export const findContentLength = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null
