#!/usr/bin/env bash
# Installs the gateway on a Debian or Ubuntu server, or upgrades it to this release. As root, in the unpacked archive:
#   ./install.sh                                  asks for the host name, and for nothing else
#   ./install.sh --host pay.example.com --node ethereum=https://…
#   ./install.sh --remove-node polygon            takes a chain out again
#   ./install.sh --local-certificate              for a name that only your network knows
#   ./install.sh --back                           to the release before
#   ./install.sh --remove [--purge HOST]          removes it; with --purge database, settings and backups, too
#   ./install.sh --prepare                        makes user and folders alone, as the Debian package does
# It can be run again at any time: what is there stays, above all keys and passwords (README.md beside it).
set -Eeuo pipefail
umask 022
trap 'printf "install.sh: line %s failed: %s\n" "$LINENO" "$BASH_COMMAND" >&2' ERR

readonly BASE=/opt/payment-gateway SETTINGS=/etc/payment-gateway BACKUPS=/var/backups/payment-gateway
readonly USER_NAME=payment-gateway DATABASE=gateway COMMAND=/usr/local/bin/payment-gateway UNITS=/etc/systemd/system
readonly TIMERS=(payment-gateway-backup.timer payment-gateway-drill.timer payment-gateway-verify.timer)
readonly CADDYFILE=/etc/caddy/Caddyfile SITE=/etc/caddy/payment-gateway.caddyfile
readonly OLDEST_NODE=20.19.0
# Seconds until a gateway that was started must be ready.
readonly PATIENCE=120

here=$(cd "$(dirname "$0")" && pwd -P)
host='' proxy='' certificate='' port='' database_url='' owner_url='' act=install purge=''
nodes=() removed=()

say() { printf '%s\n' "$@"; }
step() { printf '\n== %s\n' "$*"; }
refuse() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
# What it says is shown only when it fails.
quietly() {
  local said
  if ! said=$("$@" 2>&1); then
    printf '%s\n' "$said" >&2
    refuse "failed: $*"
  fi
}
has_systemd() { [ -d /run/systemd/system ]; }
setting() {
  [ ! -e "$SETTINGS/gateway.env" ] || sed -n "s/^$1=//p" "$SETTINGS/gateway.env" | tail -n 1
}
version_of() { sed -n 's/^ *"version": "\(.*\)",$/\1/p' "$1/package.json"; }
current() { readlink -f "$BASE/current" 2>/dev/null || true; }

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0"; }

read_arguments() {
  local option
  while [ $# -gt 0 ]; do
    option=$1
    shift
    case $option in
      --back) act=back ;;
      --remove) act=remove ;;
      --prepare) act=prepare ;;
      --local-certificate) certificate=local ;;
      --help)
        usage
        exit 0
        ;;
      --host | --node | --remove-node | --proxy | --port | --purge | --database-url | --database-owner-url)
        [ $# -gt 0 ] || refuse "$option needs a value"
        case $option in
          --host) host=$1 ;;
          --node) nodes+=("$1") ;;
          --remove-node) removed+=("$1") ;;
          --proxy) proxy=$1 ;;
          --port) port=$1 ;;
          --purge) purge=$1 ;;
          --database-url) database_url=$1 ;;
          --database-owner-url) owner_url=$1 ;;
        esac
        shift
        ;;
      *)
        usage >&2
        refuse "unknown option $option"
        ;;
    esac
  done
  # Once set up without Caddy (write_settings), it stays so: naming a node installs no proxy.
  if [ -z "$proxy" ]; then
    proxy=caddy
    [ -z "$(setting BASE_URL)" ] || [ -n "$(setting SHUTDOWN_DELAY_MS)" ] || proxy=none
  fi
  case $proxy in caddy | none) ;; *) refuse "--proxy is caddy or none, not $proxy" ;; esac
  [ -z "$port" ] || [[ $port =~ ^[1-9][0-9]{0,4}$ && $port -le 65535 ]] || refuse "--port is a number up to 65535, not $port"
  [ -n "$database_url$owner_url" ] && { [ -z "$database_url" ] || [ -z "$owner_url" ]; } &&
    refuse 'give --database-url and --database-owner-url together: the gateway has a role of its own (README.md says how)'
  local node
  for node in ${nodes[@]+"${nodes[@]}"}; do
    [[ $node =~ ^[a-z0-9-]+=https?://[^[:space:]\']+$ ]] ||
      refuse "--node is CHAIN=ADDRESS, for instance ethereum=https://node.example.com, not $node"
  done
}

check_machine() {
  [ "$(id -u)" = 0 ] || refuse 'run it as root: sudo ./install.sh'
  command -v apt-get >/dev/null || refuse 'this is neither Debian nor Ubuntu: README.md says what to do by hand'
  [ "$act" = remove ] || [ -f "$here/dist/src/main.js" ] || refuse "run it in the unpacked archive of a release: there is no program in $here"
}

# A public name, as certificates are for: labels of letters, digits and hyphens, and a letter in the last one.
check_host() {
  local label='[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
  host=$(printf %s "$host" | tr '[:upper:]' '[:lower:]' | sed -e 's#^https\{0,1\}://##' -e 's#/$##')
  [[ $host =~ ^($label\.)+$label$ && ${host##*.} =~ [a-z] && ${#host} -le 253 ]] ||
    refuse "\"$host\" is not a host name such as pay.example.com, without port and path; an IP address gets no certificate"
}

ask_host() {
  local known
  known=$(setting BASE_URL)
  known=${known#https://}
  if [ -z "$host" ] && [ -n "$known" ]; then
    host=$known
  elif [ -z "$host" ]; then
    [ -t 0 ] || refuse 'which host name do customers see? --host pay.example.com'
    printf 'Host name that customers see (its DNS entry must lead to this server): '
    read -r host
  fi
  check_host
  [ -z "$known" ] || [ "$known" = "$host" ] ||
    refuse "this gateway is $known: links that customers have would end. Change BASE_URL in $SETTINGS/gateway.env by hand if that is what you want"
}

find_node() {
  [ ! -x "$here/node/bin/node" ] || return 0
  local found
  found=$(command -v node || true)
  [ -n "$found" ] || refuse "Node.js is missing: take the archive whose name ends in -node, which brings its own, or install Node.js $OLDEST_NODE or newer"
  local version
  version=$("$found" -p process.versions.node)
  [ "$(printf '%s\n%s\n' "$OLDEST_NODE" "$version" | sort -V | head -n 1)" = "$OLDEST_NODE" ] ||
    refuse "Node.js here is $version, and $OLDEST_NODE or newer is needed: take the archive whose name ends in -node"
}

install_packages() {
  local wanted=()
  if [ -z "$database_url" ] && [ -z "$(setting DATABASE_URL)" ] && ! command -v pg_lsclusters >/dev/null; then wanted+=(postgresql); fi
  command -v pg_dump >/dev/null || [[ " ${wanted[*]-} " == *" postgresql "* ]] || wanted+=(postgresql-client)
  [ "$proxy" != caddy ] || command -v caddy >/dev/null || wanted+=(caddy)
  [ -d /etc/ssl/certs ] && [ -e /etc/ssl/certs/ca-certificates.crt ] || wanted+=(ca-certificates)
  [ ${#wanted[@]} -gt 0 ] || return 0
  step "Packages: ${wanted[*]}"
  # Caddy cannot start where another program has its ports: said before anything is installed.
  if [[ " ${wanted[*]} " == *" caddy "* ]]; then
    local used
    for used in 80 443; do
      ! (exec 3<>"/dev/tcp/127.0.0.1/$used") 2>/dev/null ||
        refuse "another program uses port $used: end it, or let it be the proxy (--proxy none; docs/how-to/deployment.md has a file for nginx)"
    done
  fi
  export DEBIAN_FRONTEND=noninteractive
  quietly apt-get update -qq
  quietly apt-get install -y -qq --no-install-recommends "${wanted[@]}"
}

make_user() {
  id "$USER_NAME" >/dev/null 2>&1 || useradd --system --user-group --home-dir /nonexistent --shell /usr/sbin/nologin "$USER_NAME"
}

make_folders() {
  mkdir -p "$SETTINGS" "$BACKUPS"
  chown root:"$USER_NAME" "$SETTINGS"
  chmod 750 "$SETTINGS"
  chown -R "$USER_NAME:$USER_NAME" "$BACKUPS"
  chmod 700 "$BACKUPS"
}

# What needs no answer. A release that runs goes on until somebody says otherwise: the upgrade makes a backup and can go back.
prepare() {
  make_user
  make_folders
  if [ -z "$(setting BASE_URL)" ]; then
    say "Prepared. Set the gateway up, with the name that customers see:  $here/install.sh --host pay.example.com"
  else
    say "Version $(version_of "$here") is here. To run it:  $here/install.sh"
  fi
}

install_program() {
  local release
  version=$(version_of "$here")
  release=$BASE/releases/$version
  step "Program: $release"
  make_user
  mkdir -p "$BASE/releases"
  if [ "$here" != "$(readlink -f "$release" || true)" ]; then
    # The folder gets its name when it is whole. A release that runs is put aside by its name alone: its files stay open.
    rm -rf "$release.new"
    cp -a "$here" "$release.new"
    chown -R root:root "$release.new"
    if [ -d "$release" ]; then
      rm -rf "$release.old"
      mv "$release" "$release.old"
    fi
    mv "$release.new" "$release"
    rm -rf "$release.old"
  fi
  if [ ! -x "$release/node/bin/node" ]; then
    mkdir -p "$release/node/bin"
    ln -sfn "$(command -v node)" "$release/node/bin/node"
  fi
  new=$release
}

switch_to() {
  ln -sfn "$1" "$BASE/current.new"
  mv -T "$BASE/current.new" "$BASE/current"
}

# Writes what is missing, and changes nothing that is there.
write_settings() {
  step "Settings: $SETTINGS/gateway.env"
  make_folders
  local file=$SETTINGS/gateway.env
  if [ ! -e "$file" ]; then
    (umask 077 && printf '# Settings of the gateway: .env.example in %s says what there is. Keep a copy of APP_KEYS elsewhere:\n# without it, nobody can read the secrets in the database or its backups.\n' "$BASE/current" >"$file")
  fi
  add_setting BASE_URL "https://$host"
  add_setting APP_KEYS "k1:$(head -c 32 /dev/urandom | base64)"
  add_setting CHECKOUT_SIGNING_KEY "$(random_hex 32)"
  add_setting HOST 127.0.0.1
  add_setting PORT "${port:-3000}"
  # No load balancer looks at this one process: the proxy waits for the next one (below).
  [ "$proxy" != caddy ] || add_setting SHUTDOWN_DELAY_MS 0
  [ "$proxy" != caddy ] || add_setting TRUSTED_PROXIES 127.0.0.1
  chown root:"$USER_NAME" "$file"
  chmod 640 "$file"
  write_nodes
}

random_hex() { head -c "$1" /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
add_setting() { grep -q "^$1=" "$SETTINGS/gateway.env" || printf "%s=%s\n" "$1" "$2" >>"$SETTINGS/gateway.env"; }

setting_of_node() { printf 'CHAIN_%s_RPC_URL' "$(printf %s "$1" | tr '[:lower:]-' '[:upper:]_')"; }

# A node replaces the one that was named before: that is what asking for it means. What the gateway would not start with is
# refused before it is written.
write_nodes() {
  local node name file=$SETTINGS/gateway.env
  (umask 077 && cp "$file" "$file.new")
  chown --reference="$file" "$file.new"
  chmod 640 "$file.new"
  for name in ${removed[@]+"${removed[@]}"}; do
    name=$(setting_of_node "$name")
    grep -q "^$name=" "$file" || refuse "no node is named by $name"
    sed -i "/^$name=/d" "$file.new"
  done
  for node in ${nodes[@]+"${nodes[@]}"}; do
    name=$(setting_of_node "${node%%=*}")
    sed -i "/^$name=/d" "$file.new"
    printf "%s='%s'\n" "$name" "${node#*=}" >>"$file.new"
  done
  sed -i '/^START_WITHOUT_CHAINS=/d' "$file.new"
  grep -Eq '^CHAIN_[A-Z0-9_]+_(RPC|ESPLORA)_URL=.' "$file.new" || echo START_WITHOUT_CHAINS=true >>"$file.new"
  local problems=''
  [ $((${#nodes[@]} + ${#removed[@]})) = 0 ] || problems=$(findings "$file.new" configuration | grep -v ' DATABASE_URL: is required' || true)
  if [ -n "$problems" ]; then
    rm -f "$file.new"
    refuse "not written:"$'\n'"$problems"
  fi
  mv "$file.new" "$file"
}

# What doctor finds about a subject with the settings of a file, a line each; nothing where all is well.
# shellcheck disable=SC2016 # the program of node
findings() {
  (
    set -a
    export NODE_ENV=production
    # shellcheck disable=SC1090 # the settings
    . "$1"
    cd "$new"
    node/bin/node dist/src/cli.js doctor --json 2>/dev/null || true
  ) | "$new/node/bin/node" -e '
    const [subject] = process.argv.slice(1);
    const found = JSON.parse(require("fs").readFileSync(0, "utf8") || "[]");
    for (const one of found)
      if (one.subject === subject && one.severity !== "ok") console.log(`  ${one.found}${one.fix ? `; ${one.fix}` : ""}`);' "$2"
}

# What each node that was just named answers.
check_nodes() {
  local node found
  for node in ${nodes[@]+"${nodes[@]}"}; do
    found=$(findings "$SETTINGS/gateway.env" "chain ${node%%=*}")
    if [ -z "$found" ]; then
      say "${node%%=*}: the node answers."
    else
      say "${node%%=*}: doctor says of this node:" "$found" "Name another by payment-gateway set-node, or take it out by payment-gateway remove-node ${node%%=*}"
    fi
  done
}

prepare_database() {
  local owner=$SETTINGS/owner.env
  if [ -n "$database_url" ]; then
    add_setting DATABASE_URL "'$database_url'"
    write_owner "'$owner_url'"
  fi
  [ ! -s "$owner" ] || [ -z "$(setting DATABASE_URL)" ] || return 0
  step "Database: $DATABASE"
  local cluster cluster_version cluster_name cluster_state own_port own_password owner_password
  cluster=$(pg_lsclusters --no-header | head -n 1)
  [ -n "$cluster" ] || refuse 'PostgreSQL has no cluster here: pg_createcluster makes one'
  read -r cluster_version cluster_name own_port cluster_state _ <<<"$cluster"
  [[ $cluster_state == online* ]] || pg_ctlcluster "$cluster_version" "$cluster_name" start
  own_password=$(random_hex 24)
  owner_password=$(random_hex 24)
  as_postgres psql -qtAX -p "$own_port" -d postgres -c "select 1 from pg_database where datname = '$DATABASE'" | grep -q 1 ||
    as_postgres createdb -p "$own_port" "$DATABASE"
  MIGRATOR_DATABASE_PASSWORD=$owner_password GATEWAY_DATABASE_PASSWORD=$own_password \
    as_postgres psql -qX -p "$own_port" -d "$DATABASE" <"$new/ops/postgres/roles.sql" >/dev/null
  # For the restore drill.
  as_postgres psql -qX -p "$own_port" -d "$DATABASE" -c 'alter role gateway_migrator createdb'
  # The passwords that were there before hold no more.
  sed -i '/^DATABASE_URL=/d' "$SETTINGS/gateway.env"
  local server=127.0.0.1:$own_port/$DATABASE
  add_setting DATABASE_URL "$(printf 'postgres://%s:%s@%s' gateway_app "$own_password" "$server")"
  write_owner "$(printf 'postgres://%s:%s@%s' gateway_migrator "$owner_password" "$server")"
}

# Passwords stay in the environment, and are in no list of processes.
as_postgres() {
  (cd / && setpriv --reuid=postgres --regid=postgres --init-groups -- "$@")
}

write_owner() {
  (umask 077 && printf '# The owner of the schema: for migrations, backups and drills; the gateway itself does not have it.\nDATABASE_MIGRATION_URL=%s\n' "$1" >"$SETTINGS/owner.env")
  chown root:root "$SETTINGS/owner.env"
}

install_units() {
  step "Services: $UNITS/payment-gateway*"
  cp "$new"/ops/install/units/* "$UNITS/"
  write_command
  systemctl enable --quiet payment-gateway.service "${TIMERS[@]}"
  if has_systemd; then
    systemctl daemon-reload
    systemctl start "${TIMERS[@]}"
  fi
}

write_command() {
  cat >"$COMMAND" <<'END'
#!/bin/sh
# The command line of the installed gateway, with its settings and as its user; "payment-gateway" alone lists the commands.
set -eu
[ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && exec sudo -- "$0" "$@"; echo 'run it as root' >&2; exit 1; }
installer=/opt/payment-gateway/current/install.sh
case "${1:---help} $#" in
  'set-node 3') exec "$installer" --node "$2=$3" ;;
  'remove-node 2') exec "$installer" --remove-node "$2" ;;
  set-node* | remove-node* | --help*)
    echo 'payment-gateway set-node <chain> <address>   names a node, in place of the one before'
    echo 'payment-gateway remove-node <chain>          takes a chain out again'
    echo 'payment-gateway <command>                    one of these:'
    [ "${1:---help}" = --help ] || exit 2
    ;;
esac
set -a
NODE_ENV=production
. /etc/payment-gateway/gateway.env
. /etc/payment-gateway/owner.env
set +a
# Files that are named are where the caller stands.
program=/opt/payment-gateway/current
exec setpriv --reuid=payment-gateway --regid=payment-gateway --init-groups -- "$program/node/bin/node" "$program/dist/src/cli.js" "${@:---help}"
END
  chmod 755 "$COMMAND"
}

site_text() {
  printf '# Written by install.sh of the gateway.\n%s {\n%s	reverse_proxy 127.0.0.1:%s {\n		lb_try_duration 30s\n	}\n}\n' "$host" "$1" "$(setting PORT)"
}

# Whether customers get an answer and a certificate of the name: null where they do, else the reason. Caddy fetches one in
# some seconds.
# shellcheck disable=SC2016 # the program of node
site_problem() {
  local local_authority=''
  ! grep -q 'tls internal' "$SITE" || local_authority=yes
  "$BASE/current/node/bin/node" -e '
    const https = require("node:https");
    const [host, isLocal] = process.argv.slice(1);
    const end = performance.now() + 45_000;
    const ask = () => {
      const options = { host: "127.0.0.1", port: 443, servername: host, path: "/api/health/live", timeout: 5000,
        headers: { host }, rejectUnauthorized: isLocal !== "yes", agent: false };
      const again = (why) => (performance.now() > end ? console.log(why) : setTimeout(ask, 1000));
      const request = https.get(options, (answer) => {
        answer.resume();
        answer.statusCode === 200 ? process.exit(0) : again(`status ${answer.statusCode}`);
      });
      request.on("timeout", () => request.destroy(new Error("no answer")));
      request.on("error", ({ code, message }) => again(/SSL|TLS|alert/i.test(message) ? "there is no certificate" : code || message));
    };
    ask();' "$host" "$local_authority"
}

configure_proxy() {
  [ "$proxy" = caddy ] || return 0
  step "Proxy: $SITE"
  local tls=''
  [ "$certificate" != local ] || tls='	tls internal
'
  # A request that comes while the gateway starts anew waits for it.
  site_text "$tls" >"$SITE.new"
  # A site that was there keeps what somebody has changed in it; one that nobody has changed gets the other certificate.
  if [ -e "$SITE" ] && { [ -z "$certificate" ] || ! cmp -s "$SITE" <(site_text ''); }; then
    rm "$SITE.new"
  else
    mv "$SITE.new" "$SITE"
  fi
  [ -e "$CADDYFILE" ] || : >"$CADDYFILE"
  grep -qx 'import payment-gateway.caddyfile' "$CADDYFILE" || printf '\nimport payment-gateway.caddyfile\n' >>"$CADDYFILE"
  caddy validate --config "$CADDYFILE" --adapter caddyfile >/dev/null 2>&1 ||
    refuse "Caddy does not accept $CADDYFILE: caddy validate --config $CADDYFILE --adapter caddyfile says why"
  ! has_systemd || systemctl reload-or-restart caddy
}

# Whether it becomes ready in time. One that systemd has started again several times meanwhile will not.
# shellcheck disable=SC2016 # the program of node
is_ready() {
  "$BASE/current/node/bin/node" -e '
    const { execFileSync } = require("node:child_process");
    const [url, seconds] = process.argv.slice(1);
    const end = performance.now() + Number(seconds) * 1000;
    const restarts = () =>
      Number(execFileSync("systemctl", ["show", "--property=NRestarts", "--value", "payment-gateway.service"]));
    const before = restarts();
    const isLost = () => performance.now() > end || restarts() - before >= 3;
    const ask = () => fetch(url, { signal: AbortSignal.timeout(5000) }).then(({ ok }) => ok, () => false).then((ok) =>
      ok ? process.exit(0) : isLost() ? process.exit(1) : setTimeout(ask, 500));
    ask();' "http://127.0.0.1:$(setting PORT)/api/health/ready" "$PATIENCE"
}

# Starts what `current` leads to. An upgrade that is not ready in time goes back.
start_gateway() {
  local before=$1
  if ! has_systemd; then
    say 'systemd does not run here: the gateway starts with the machine'
    return 0
  fi
  step 'Start'
  if systemctl restart payment-gateway.service && is_ready; then return 0; fi
  journalctl -u payment-gateway -u payment-gateway-migrate -n 20 --no-pager -o cat >&2 || true
  if [ -z "$before" ] || [ "$before" = "$(current)" ]; then refuse 'the gateway is not ready: see above'; fi
  switch_to "$before"
  systemctl restart payment-gateway.service
  refuse "the new release is not ready, so $(version_of "$before") runs again: see above"
}

first_user_link() {
  has_systemd || return 0
  journalctl -u payment-gateway -n 200 --no-pager -o cat 2>/dev/null | sed -n 's/.*Create the first one[^"]* at \(https[^" ]*\).*/\1/p' | tail -n 1
}

finish() {
  local link
  step "Done: payment gateway $version at https://$host"
  link=''
  [ -n "$before" ] || link=$(first_user_link)
  check_nodes
  if [ "$proxy" = caddy ] && has_systemd; then
    local problem
    problem=$(site_problem)
    [ -z "$problem" ] || say "https://$host does not work yet: $problem." \
      '  The DNS entry of the name must lead to this server, and ports 80 and 443 must be open to the world; journalctl -u caddy says more.' \
      '  For a name that only your network knows: install.sh --local-certificate'
  fi
  [ -z "$link" ] || say "Open this link within a day; it makes you the operator, and leads through the rest:" "$link"
  [ -z "$(setting START_WITHOUT_CHAINS)" ] ||
    say 'No chain yet. Name a node that you trust: payment-gateway set-node ethereum https://…'
  say 'payment-gateway doctor    looks at everything: database, nodes, proxy, rates' \
    "Keep copies on another machine: of $SETTINGS/gateway.env (its APP_KEYS), of $BACKUPS, and of the namespace that the page of wallets shows with a treasury."
}

go_back() {
  local now before
  now=$(current)
  before=$(readlink -f "$BASE/previous" 2>/dev/null || true)
  if [ ! -d "$before" ] || [ "$before" = "$now" ]; then refuse 'there is no release before this one here'; fi
  switch_to "$before"
  ln -sfn "$now" "$BASE/previous"
  cp "$before"/ops/install/units/* "$UNITS/"
  ! has_systemd || { systemctl daemon-reload && systemctl restart payment-gateway.service && is_ready; }
  say "payment gateway $(version_of "$before") runs; the database stays as it is, which it can read"
}

remove() {
  local known
  known=$(setting BASE_URL)
  known=${known#https://}
  [ -z "$purge" ] || [ "$purge" = "$known" ] || refuse "--purge deletes database, keys and backups of $known: name that host"
  ! has_systemd || systemctl stop payment-gateway.service "${TIMERS[@]}" 2>/dev/null || true
  systemctl disable --quiet payment-gateway.service "${TIMERS[@]}" 2>/dev/null || true
  rm -f "$UNITS"/payment-gateway*.service "$UNITS"/payment-gateway*.timer "$COMMAND"
  if [ -e "$SITE" ]; then
    rm -f "$SITE"
    sed -i '/^import payment-gateway.caddyfile$/d' "$CADDYFILE"
    ! has_systemd || systemctl reload-or-restart caddy || true
  fi
  rm -rf "$BASE"
  if [ -n "$purge" ]; then
    if command -v pg_lsclusters >/dev/null && [[ $(setting DATABASE_URL) == *@127.0.0.1:* ]]; then
      local own_port
      own_port=$(pg_lsclusters --no-header | awk 'NR == 1 {print $3}')
      local name
      # Its own, and those into which a backup was restored.
      as_postgres psql -qtAX -p "$own_port" -d postgres \
        -c "select datname from pg_database where pg_get_userbyid(datdba) = 'gateway_migrator'" |
        while read -r name; do as_postgres dropdb -p "$own_port" --force "$name" </dev/null; done
      as_postgres psql -qX -p "$own_port" -d postgres -c 'drop role if exists gateway_app, gateway_migrator'
    fi
    rm -rf "$SETTINGS" "$BACKUPS"
  fi
  ! id "$USER_NAME" >/dev/null 2>&1 || userdel "$USER_NAME"
  ! has_systemd || systemctl daemon-reload
  if [ -n "$purge" ]; then
    say 'Removed, with database, settings and backups. PostgreSQL and Caddy stay installed.'
  else
    say "Removed. $SETTINGS, $BACKUPS and the database $DATABASE stay; --remove --purge $known deletes them, too."
  fi
}

install() {
  local before
  ask_host
  find_node
  install_packages
  before=$(current)
  install_program
  write_settings
  prepare_database
  if [ -n "$before" ] && [ "$before" != "$new" ] && has_systemd; then
    step 'Backup'
    systemctl start payment-gateway-backup.service
  fi
  switch_to "$new"
  install_units
  configure_proxy
  start_gateway "$before"
  # So that there is one from the first day on.
  ! has_systemd || [ -e "$BACKUPS/newest.dump" ] || systemctl start payment-gateway-backup.service
  # Not before: a release that does not start is no way back.
  if [ -n "$before" ] && [ "$before" != "$new" ]; then ln -sfn "$before" "$BASE/previous"; fi
  finish
}

read_arguments "$@"
check_machine
"${act/back/go_back}"
