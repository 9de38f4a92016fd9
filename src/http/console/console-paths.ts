import { consolePath } from "./console-context.ts"

export const trafficPath = `${consolePath}/traffic`
export const keysPath = `${consolePath}/keys`

export const pathOfKey = (id: string) => `${keysPath}/${encodeURIComponent(id)}`
