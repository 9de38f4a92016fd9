import type { StoredKey } from "../../../domain/keys/api-key.ts"
import { pathOfKey } from "../paths.ts"
import type { View } from "../view.ts"
import { QuietLink } from "./blocks.tsx"
import { CopyButton } from "./copy.tsx"
import { PostForm, QuietButton } from "./fields.tsx"

type SecretBoxProps = Readonly<{
  view: View
  keyOf: StoredKey
  mask: string
  /** Null while it is masked. */
  secret: string | null
  isFocused: boolean
  /** Copying it is what the page is for. */
  isNew?: boolean
}>

export const SecretBox = (props: SecretBoxProps) => {
  const { view, keyOf, mask, secret, isFocused, isNew = false } = props
  const path = pathOfKey(keyOf.id)
  const name = (
    <span class="visually-hidden">
      {" "}
      <bdi>{keyOf.name}</bdi>
    </span>
  )
  return (
    <div class="secret">
      {secret === null ? (
        <>
          <code class="masked">{mask}</code>
          <PostForm view={view} action={`${path}/reveal`}>
            <QuietButton>
              {view.words.keys.reveal}
              {name}
            </QuietButton>
          </PostForm>
        </>
      ) : (
        <>
          <code data-secret tabindex={-1} autofocus={isFocused ? true : undefined}>
            {secret}
          </code>
          <CopyButton view={view} text={secret} isMain={isNew} />
          <QuietLink href={path}>
            {view.words.keys.hide}
            {name}
          </QuietLink>
        </>
      )}
    </div>
  )
}
