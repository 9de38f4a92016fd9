/** True in `npm test -- --all`. */
export const isFullTestRun = process.env.PAZAR_TEST_ALL === "1"

/** The number of runs of a property: a tenth in `npm test`. */
export const propertyRuns = (count: number) => (isFullTestRun ? count : Math.ceil(count / 10))
