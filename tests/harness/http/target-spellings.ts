/**
 * Request targets that lead to a path only after a URL parser has rewritten them: it reads a backslash as a slash,
 * resolves `.` and `..`, also percent-encoded, and removes a fragment.
 */
const dots = ["..", ".%2e", "%2E.", "%2e%2E"]
const dot = [".", "%2e", "%2E"]
const slashes = ["/", "\\"]

/** Each leads to `path` by the rules of a URL parser, and none is `path` with repeated or trailing slashes. */
export function spellingsOf(path: string): readonly string[] {
  const name = path.slice(1)
  const up = dots.flatMap((two) =>
    slashes.flatMap((slash) => [
      ...[`/x${slash}${two}${slash}${name}`, `/x/y${slash}${two}/${two}${slash}${name}`],
      ...[`/${two}${slash}${name}`, `${path}/x${slash}${two}`, `/api${slash}${two}${path}`],
      ...[`/x${slash}${two}${slash}${slash}${name}`, `//x${slash}${two}${slash}${name}`],
    ]),
  )
  const here = dot.flatMap((one) =>
    slashes.flatMap((slash) => [`/${one}${slash}${name}`, `${path}${slash}${one}`]),
  )
  const backslashed = [
    ...[
      `/\\${name}`,
      `/\\\\${name}`,
      `${path}\\`,
      `/\\/${name}`,
      `//\\${name}`,
      `/x\\..\\${name}?x`,
    ],
    ...[path.replace(/.\//g, (before) => before.replace("/", "\\"))].filter(
      (each) => each !== path,
    ),
  ]
  const absolute = [`http://localhost/x\\..\\${name}`, `http://localhost/../${name}`]
  return [...up, ...here, ...backslashed, ...absolute, `${path}#x`, `${path}#`, `/x/..#/../${name}`]
}
