/** Loaded into a server before its own code: SIGUSR2 causes an unhandled rejection. */
process.on("SIGUSR2", () => void Promise.reject(new Error("a fault in the program")))
