#!/bin/sh
# Run once by PostgreSQL's image, when the primary is made: the owner of Pazar's database, which is no
# superuser, and the role that the replica copies as.
set -e
psql --quiet --set=ON_ERROR_STOP=1 --username=postgres \
  --set=pazar_password="$(cat /run/secrets/pazar_password)" \
  --set=replication_password="$(cat /run/secrets/replication_password)" <<'SQL'
CREATE ROLE pazar LOGIN PASSWORD :'pazar_password';
CREATE DATABASE pazar OWNER pazar;
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication_password';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
