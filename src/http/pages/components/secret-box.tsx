import type { StoredKey } from "../../../domain/keys/api-key.ts"
import { pathOfKey } from "../paths.ts"
import type { View } from "../view.ts"
import { CopyButton } from "./copy-button.tsx"
import { PostForm, QuietButton } from "./form-fields.tsx"
import { QuietLink } from "./panels-and-tables.tsx"

type SecretBoxProps = Readonly<{
  view: View
  keyOf: StoredKey
  mask: string
  secret: string | null
  isFocused: boolean
  /** A new secret, with copying as the main action. */
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
              {view.texts.keys.reveal}
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
            {view.texts.keys.hide}
            {name}
          </QuietLink>
        </>
      )}
    </div>
  )
}
