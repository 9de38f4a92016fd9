// Finds MariaDB for the tests of `pazar pull`: the installed one, or as root on Debian the one that this installs.
import { existsSync } from "node:fs"
import { installByApt } from "./apt.mjs"

const hasMariadb = () =>
  [...(process.env.PATH ?? "").split(":"), "/usr/sbin"].some((folder) =>
    existsSync(`${folder}/mariadbd`),
  )

export function installMariadb() {
  if (hasMariadb()) return
  if (installByApt("MariaDB", ["mariadb-server-core"]) && hasMariadb()) return
  console.error("The tests need the program `mariadbd`. Install MariaDB, then run this again.")
  process.exit(2)
}
