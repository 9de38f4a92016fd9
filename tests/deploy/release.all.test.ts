/** The first steps of the release script, on a small repository. The other steps run only in `npm run release`. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { appendFileSync, cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { $ } from "bun"
import manifest from "../../package.json"
import { root } from "../harness/deploy-files.ts"
import { temporaryFolder } from "../harness/program.ts"

const { version } = manifest
let folder: string
beforeAll(async () => {
  folder = temporaryFolder()
  const copied = ["scripts", "package.json", "CHANGELOG.md", "tests/harness"]
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true })
  writeFileSync(
    join(folder, "scripts/release-store.ts"),
    "export function writeReleaseStores() {}\n",
  )
  await commit("the first")
})
afterAll(() => rmSync(folder, { recursive: true }))

async function commit(message: string): Promise<void> {
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
  const script = `git init --quiet && git add --all && git ${author.join(" ")} commit --quiet -m "${message}"`
  await $`sh -c ${script}`.cwd(folder)
}

async function release(...args: string[]) {
  const command = [process.execPath, "scripts/release.ts", "--dry-run", ...args]
  const { exitCode, stderr } = await $`${command}`.cwd(folder).quiet().nothrow()
  return [exitCode, stderr.toString()]
}

test("it rejects uncommitted changes, a changelog of another version and an existing tag", async () => {
  appendFileSync(join(folder, "CHANGELOG.md"), "\n")
  expect(await release()).toEqual([1, expect.stringMatching(/ tree: .+\n$/)])
  writeFileSync(join(folder, "CHANGELOG.md"), "# Changes\n\n## 99.0.0\n")
  await commit("another version")
  expect(await release()).toEqual([
    ...[1, expect.stringMatching(new RegExp(` changelog: .*99\\.0\\.0.*${version}\n$`))],
  ])
  await $`git tag v${version}`.cwd(folder)
  expect(await release()).toEqual([
    ...[1, expect.stringMatching(new RegExp(` tree: .*v${version}`))],
  ])
})

test("an unknown step is reported with the list of known ones", async () => {
  expect(await release("--from", "bild")).toEqual([
    ...[2, expect.stringMatching(/ bild\b.* tree, changelog, .* tag\b/)],
  ])
})
