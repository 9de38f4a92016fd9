/** `npx bun bench/stores/generate-feed.ts --accounts N --items N --purchases N [--seed S] [--uneven]`: a feed of any size. */
import { feedLines } from "./marketplace.ts"
import { readSizes, writeAll } from "./sizes.ts"

await writeAll(feedLines(readSizes("npx bun bench/stores/generate-feed.ts")))
