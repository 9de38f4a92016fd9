#!/bin/sh
# start-replica.sh PRIMARY [OPTION …]: copies the primary once, then follows it. The options are the server's.
set -e
primary="$1"
shift
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  # The copy is moved into place when it is complete, so an interrupted one is never used.
  rm -rf "$PGDATA.copying"
  PGPASSWORD="$(cat /run/secrets/replication_password)" pg_basebackup --host="$primary" --username=replicator \
    --pgdata="$PGDATA.copying" --wal-method=stream --checkpoint=fast --write-recovery-conf
  mv --no-target-directory "$PGDATA.copying" "$PGDATA"
fi
exec postgres "$@"
