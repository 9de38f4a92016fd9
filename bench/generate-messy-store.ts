/** `bun bench/generate-messy-store.ts --accounts N --items N --purchases N`: SQL for an untidy store of any size. */
import { messySql } from "./messy-store.ts"
import { readSizes, writeAll } from "./sizes.ts"

await writeAll(messySql(readSizes("bun bench/generate-messy-store.ts")))
