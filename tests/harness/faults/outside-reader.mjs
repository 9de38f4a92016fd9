// Opens, reads and closes a database, as `sqlite3 FILE "SELECT …"` does. Bun's own SQLite never removes the log as
// the last user of a file; this library does if it finds no lock.
import Database from "libsql"

const db = new Database(process.argv[2])
db.prepare("SELECT count(*) FROM purchases").get()
db.close()
