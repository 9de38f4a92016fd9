import type { StoredKey } from "../../../domain/keys/api-key.ts"
import { pathOfKey } from "../paths.ts"
import type { View } from "../view.ts"
import { CopyButton } from "./copy.tsx"
import { PostForm, QuietButton } from "./fields.tsx"

type SecretBoxProps = Readonly<{
  view: View
  keyOf: StoredKey
  /** The page of the list that it is on, or its own: revealing and hiding lead back there. */
  page: number | "key"
  mask: string
  /** Null while it is masked. */
  secret: string | null
  isFocused: boolean
  /** Copying it is what the page is for. */
  isNew?: boolean
}>

export const SecretBox = (props: SecretBoxProps) => {
  const { view, keyOf, page, mask, secret, isFocused, isNew = false } = props
  const action = secret === null ? "reveal" : "hide"
  return (
    <div class="secret">
      {secret === null ? (
        <code class="masked">{mask}</code>
      ) : (
        <>
          <code data-secret tabindex={-1} autofocus={isFocused ? true : undefined}>
            {secret}
          </code>
          <CopyButton view={view} text={secret} isMain={isNew} />
        </>
      )}
      <PostForm view={view} action={`${pathOfKey(keyOf.id)}/${action}`}>
        <input type="hidden" name="page" value={page} />
        <QuietButton>
          {view.words.keys[action]}
          <span class="visually-hidden">
            {" "}
            <bdi>{keyOf.name}</bdi>
          </span>
        </QuietButton>
      </PostForm>
    </div>
  )
}
