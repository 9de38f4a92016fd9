import { installMissing } from "./install-missing.mjs"

installMissing({ isDevelopment: false })
process.argv.splice(2, 0, "demo")
await import("../bin/pazar.mjs")
