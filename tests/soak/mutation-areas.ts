/** The code that `npm run soak -- mutate` changes, by area, and the tests that should notice. */
export type Area = Readonly<{
  files: readonly string[]
  /** Tried in this order until one fails: the fast ones first. */
  tests: readonly (readonly string[])[]
}>

const allIn = (folder: string, names: readonly string[], ending = ".ts") =>
  names.map((name) => `${folder}/${name}${ending}`)
const testsIn = (folder: string, names: readonly string[]) => allIn(folder, names, ".test.ts")

export const areas: Readonly<Record<string, Area>> = {
  keys: {
    files: [
      ...["src/domain/keys/api-key.ts", "src/secrets/keys/known-keys.ts", "src/secrets/vaults.ts"],
      ...allIn("src/operations/keys", ["authenticate", "issue-key", "change-key"]),
    ],
    tests: [
      ["src/domain/keys/", "src/secrets/keys/", "src/operations/keys/"],
      ["src/operations/", "src/http/api/pipeline.test.ts"],
      [
        ...testsIn("tests/both-stores/api", ["isolation", "test-keys"]),
        "tests/sqlite/listener/log.test.ts",
      ],
    ],
  },
  limits: {
    files: [...allIn("src/limits", ["in-flight", "rate-limits", "sign-in-attempts"])],
    tests: [
      ["src/limits/"],
      ["tests/sqlite/listener/rate-limits.test.ts", "src/operations/sign-in/sign-in.test.ts"],
    ],
  },
  sessions: {
    files: [
      ...["src/domain/sign-in/session.ts", "src/http/pages/cookies.ts"],
      ...allIn("src/operations/sign-in", ["sessions", "sign-in", "passwords"]),
    ],
    tests: [
      ["src/domain/sign-in/session.test.ts", "src/operations/sign-in/"],
      [
        ...testsIn("tests/sqlite/sign-in", ["sessions", "sign-in", "confirmation"]),
        "tests/sqlite/workspace/forms.test.ts",
      ],
    ],
  },
  parameters: {
    files: ["src/http/api/request/parameters.ts", "src/http/api/answer/locale.ts"],
    tests: [
      ["src/http/api/"],
      [
        ...testsIn("tests/sqlite/api", ["bodies", "lengths", "renderings"]),
        "tests/both-stores/api/combinations.test.ts",
      ],
    ],
  },
  matching: {
    files: [
      "src/operations/catalogue/purchases.ts",
      "src/domain/catalogue/purchase-code.ts",
      "src/store/sqlite/catalogue/purchases.ts",
    ],
    tests: [
      ["src/domain/catalogue/"],
      testsIn("tests/both-stores/api", ["purchase-codes", "isolation"]),
      ["src/store/sqlite/store.test.ts"],
    ],
  },
  signing: {
    files: ["src/signing/signing.ts", "src/operations/keys/signing-keys.ts"],
    tests: [
      ["src/signing/", "src/operations/keys/rotate-signing-key.test.ts"],
      ["tests/sqlite/api/signatures.test.ts"],
    ],
  },
  "feed rules": {
    files: allIn("src/domain/feed", ["rules", "states"]),
    tests: [["src/domain/feed/rules.test.ts"], ["src/store/sqlite/store.test.ts"], ["src/feed/"]],
  },
}
