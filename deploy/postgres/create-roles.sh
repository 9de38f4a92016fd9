#!/bin/sh
# Run once by PostgreSQL's image, when the server is created: the owner of Pazar's database, which is no superuser.
set -e
psql --quiet --set=ON_ERROR_STOP=1 --username=postgres \
  --set=pazar_password="$(cat /run/secrets/pazar_password)" <<'SQL'
CREATE ROLE pazar LOGIN PASSWORD :'pazar_password';
CREATE DATABASE pazar OWNER pazar;
SQL
