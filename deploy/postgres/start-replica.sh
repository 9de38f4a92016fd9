#!/bin/sh
# start-replica.sh PRIMARY: copies the primary once, then follows it.
set -e
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  # Copied aside and moved into place: half a copy is never taken for a whole one.
  rm -rf "$PGDATA.copying"
  PGPASSWORD="$(cat /run/secrets/replication_password)" pg_basebackup --host="$1" --username=replicator \
    --pgdata="$PGDATA.copying" --wal-method=stream --checkpoint=fast --write-recovery-conf
  mv --no-target-directory "$PGDATA.copying" "$PGDATA"
fi
exec postgres
