import type { KeyKind } from "../../../domain/keys/api-key.ts"
import { shownName } from "../../pages/parts/name.ts"
import type { ConsoleView } from "../frame/console-context.ts"
import { pathOfAuthors, pathOfKey } from "../frame/console-paths.ts"

type KeyProps = Readonly<{ view: ConsoleView; keyId: string; kind: KeyKind; name: string }>

export const KeyLink = ({ view, keyId, kind, name }: KeyProps) => (
  <>
    <a href={pathOfKey(keyId)}>
      <bdi>{shownName(name, keyId)}</bdi>
    </a>{" "}
    <span class="hint">{view.words.keys.kinds[kind]}</span>
  </>
)

export const AuthorLink = ({ username }: { username: string }) => (
  <a href={pathOfAuthors(username, 1)}>
    <bdi>{username}</bdi>
  </a>
)
