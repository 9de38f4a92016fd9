/** What `npm test -- --all` does beyond `npm test`. */
export const isFullTestRun = process.env.PAZAR_TEST_ALL === "1"

/** How often a property is tried: a tenth in `npm test`. */
export const propertyRuns = (count: number) => (isFullTestRun ? count : Math.ceil(count / 10))
