/** The advisory locks of PostgreSQL: all in one place, because two with one number would wait for each other. */
/** The node that holds it migrates. */
export const migrationLock = 7_243_001
/** The node that holds it writes its feed. */
export const feedLock = 7_243_002
/**
 * Every transaction that writes shares this lock. A move holds it alone while it copies the last changes, so that no
 * write is under way. The mark of a moved store is read after it: a transaction that waited for the move finds it.
 */
export const writersLock = 7_243_003
