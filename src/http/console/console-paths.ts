import { consolePath } from "./console-context.ts"

export const trafficPath = `${consolePath}/traffic`
export const purchasesPath = `${consolePath}/purchases`
export const keysPath = `${consolePath}/keys`
export const importsPath = `${consolePath}/imports`

export const pathOfKey = (id: string) => `${keysPath}/${encodeURIComponent(id)}`
export const pathOfItem = (id: number) => `${purchasesPath}/items/${id}`
/** By the id of the note that holds the code: codes must not be in addresses. */
export const pathOfCheck = (noteId: string) => `${purchasesPath}/codes/${noteId}`
export const pathOfRun = (id: number) => `${importsPath}/${id}`
