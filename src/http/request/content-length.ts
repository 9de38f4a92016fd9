/**
 * The declared length of a body; null when it is not one plain number. The runtime refuses all other
 * spellings but one: the same header sent twice arrives as `5, 5`.
 */
export const findContentLength = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null
