/** The addresses of the pages about keys. */

export const keysPath = "/workspace/settings/keys"
export const newKeyPath = `${keysPath}/new`
export const newValidationKeyPath = `${newKeyPath}?kind=vk`

export const pathOfKey = (keyId: string) => `${keysPath}/${keyId}`
export const pathOfKeys = (page: number) => (page === 1 ? keysPath : `${keysPath}?page=${page}`)
