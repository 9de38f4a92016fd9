import { expect, test } from "bun:test"
import { reasonsOf } from "../../metrics/labels.ts"
import { commonFailures } from "../openapi/answers.ts"
import { describedOperations } from "../openapi/operations.ts"

test.each(describedOperations)(
  "$operation: every reason that is described is shown from the start",
  ({ operation, failures }) => {
    const described = ["ok" as const, ...commonFailures, ...failures]
    expect(described.filter((reason) => !reasonsOf[operation].includes(reason))).toEqual([])
  },
)
