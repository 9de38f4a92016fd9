/** The addresses of the pages about keys. */

export const keysPath = "/workspace/settings/keys"
export const newKeyPath = `${keysPath}/new`
export const newValidationKeyPath = `${newKeyPath}?kind=vk`

export const pathOfKey = (keyId: string) => `${keysPath}/${keyId}`
export const pathOfKeys = (page: number) => (page === 1 ? keysPath : `${keysPath}?page=${page}`)
/** The page to replace a key, which says that old and new key cannot both be kept. */
export const pathOfNoRoom = (keyId: string) => `${pathOfKey(keyId)}/replace?problem=${noRoom}`
export const noRoom = "no-room"

/** Where a sign-in link leads; its token follows. */
export const linkPath = "/login/link"
