/** `PAZAR_TEST_EVERY_WAY=1` shows every page in both languages and themes; otherwise they alternate from page to page. */
export const isEveryWay = process.env.PAZAR_TEST_EVERY_WAY === "1"

const ways = [
  ["en", "light"],
  ["tr", "dark"],
  ["en", "dark"],
  ["tr", "light"],
] as const

/** The languages and themes of the page with this number. */
export const listWays = (page: number) =>
  isEveryWay ? ways : [ways[page % ways.length] ?? ways[0]]
