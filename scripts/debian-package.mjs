// The Debian package of a release: the same tree as the archive, in /usr/lib/payment-gateway. Its maintainer scripts are
// calls of its install.sh, so that there is one way to set a server up. dpkg may ask nothing and start nothing that has
// no host name yet: installing prepares, and install.sh sets up and upgrades.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PLACE = '/usr/lib/payment-gateway';
/** Debian's names of the architectures. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

export const packageName = (version, arch) => `crypto-payment-gateway_${version}_${ARCHITECTURES[arch]}.deb`;

const control = ({ version, arch, homepage }) => `Package: crypto-payment-gateway
Version: ${version}
Architecture: ${ARCHITECTURES[arch]}
Maintainer: The maintainers of the gateway <maintainers@example.com>
Section: web
Priority: optional
Depends: passwd, ca-certificates
Recommends: postgresql, caddy
Homepage: ${homepage}
Description: Self-hosted, non-custodial crypto payment gateway
 Takes payments in cryptocurrencies into wallets of the merchant's own. After
 the installation, ${PLACE}/install.sh sets it up.
`;

/**
 * Not even a purge deletes keys and payments, which `apt autoremove --purge` would do in passing: install.sh does, and asks
 * for the host name.
 */
const POSTRM = `#!/bin/sh
set -eu
[ "$1" = purge ] || exit 0
for folder in /etc/payment-gateway /var/backups/payment-gateway; do
  [ ! -d "$folder" ] || rmdir --ignore-fail-on-non-empty "$folder"
done
[ ! -e /etc/payment-gateway/gateway.env ] ||
  echo 'Keys, payments and backups stay: to delete them, see --purge in install.sh of a release.'
`;
const SCRIPTS = {
  postinst: `#!/bin/sh\nset -eu\n[ "$1" = configure ] || exit 0\nexec ${PLACE}/install.sh --prepare\n`,
  prerm: `#!/bin/sh\nset -eu\n[ "$1" = remove ] || exit 0\nexec ${PLACE}/install.sh --remove\n`,
  postrm: POSTRM,
};

/** Its bytes follow from the folder's files. @param folder as `assembleRuntime` returns it; @param seconds since 1970 */
export function packDebian({ folder, work, version, arch, seconds, to }) {
  const tree = path.join(work, 'debian-package');
  mkdirSync(path.join(tree, 'DEBIAN'), { recursive: true });
  cpSync(folder, path.join(tree, PLACE), { recursive: true, verbatimSymlinks: true });
  const { homepage } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  writeFileSync(path.join(tree, 'DEBIAN/control'), control({ version, arch, homepage }));
  // Whatever the umask of who builds.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', tree]);
  for (const [name, text] of Object.entries(SCRIPTS)) {
    writeFileSync(path.join(tree, 'DEBIAN', name), text);
    chmodSync(path.join(tree, 'DEBIAN', name), 0o755);
  }
  execFileSync('find', [tree, '-exec', 'touch', '-h', '-d', `@${seconds}`, '{}', '+']);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z9', '--build', tree, to], {
    env: { ...process.env, SOURCE_DATE_EPOCH: seconds },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(tree, { recursive: true });
}
