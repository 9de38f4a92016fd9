import type { KeyKind } from "../../../domain/api-key.ts"
import { shownName } from "../../workspace/parts/name.ts"
import type { ConsoleView } from "../console-context.ts"
import { pathOfAuthors, pathOfKey } from "../console-paths.ts"

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
