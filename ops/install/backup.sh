#!/bin/sh
# Writes a dump of the gateway's database and removes all but the newest fourteen. A dump gets its name when it is whole.
set -eu
folder=/var/backups/payment-gateway
umask 077
file="$folder/gateway-$(date -u +%Y%m%dT%H%M%SZ).dump"
pg_dump --format=custom --dbname="$DATABASE_MIGRATION_URL" --file="$file.part"
mv "$file.part" "$file"
ln -sfn "$(basename "$file")" "$folder/newest.dump"
find "$folder" -name 'gateway-*.part' -mmin +1440 -delete
find "$folder" -name 'gateway-*.dump' | sort -r | tail -n +15 | xargs -r rm --
echo "$file: $(stat -c %s "$file") bytes"
