/** `npx bun bench/stores/generate-messy-shop.ts --accounts N --items N --purchases N`: SQL for an untidy shop of any size. */
import { messySql } from "./messy-shop.ts"
import { readSizes, writeAll } from "./sizes.ts"

await writeAll(messySql(readSizes("npx bun bench/stores/generate-messy-shop.ts")))
