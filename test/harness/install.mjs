// The installer on a bare Debian that boots its own systemd: from nothing to a paid order by what docs/how-to/install.md
// says, mistakes, upgrade under load, a release that does not start, the way back, backups, and removal.
//   node test/harness/install.mjs
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish, until } from './checks.mjs';
import { Debian, makeDebian, whyNoDebian } from './debian.mjs';
import { HOST, request, watch } from './through-caddy.mjs';

const { startAnvil } = await import('../support/anvil.ts');
const { freePort } = await import('../support/free-port.ts');
const { MerchantApi } = await import('../support/merchant-api.ts');

const root = path.resolve(import.meta.dirname, '../..');
const INSTALLER = '/opt/payment-gateway/current/install.sh';
/** A hundredth of an ether, in wei. */
const PRICE = 10n ** 16n;
/** What is left by nothing that was removed. */
const PLACES = [
  '/opt/payment-gateway',
  '/etc/payment-gateway',
  '/var/backups/payment-gateway',
  '/usr/local/bin/payment-gateway',
  '/etc/caddy/payment-gateway.caddyfile',
];

/** The folder of a release, as it is after `tar -xzf`, under another version. */
async function releaseOf(debian, version, change = async () => {}) {
  const folder = path.join(debian.root, 'root', `payment-gateway-${version}`);
  const [first] = (await readdir(path.join(debian.root, 'root'))).filter((name) =>
    /^payment-gateway-[\d.]+$/.test(name),
  );
  if (!existsSync(folder)) await cp(path.join(debian.root, 'root', first), folder, { recursive: true });
  const manifest = path.join(folder, 'package.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  await change(folder);
  return `/root/payment-gateway-${version}/install.sh`;
}

const fingerprint = (debian) => debian.must('sha256sum /etc/payment-gateway/*.env');

async function refuseMistakes(debian, script) {
  const mistakes = [
    ['', 'which host name do customers see'],
    ['--host 192.0.2.7', 'is not a host name'],
    ['--host localhost', 'is not a host name'],
    ['--host "pay example.com"', 'is not a host name'],
    ['--host pay.example.com:8443', 'is not a host name'],
    ['--host -pay.example.com', 'is not a host name'],
    ["--host 'pay.example.com; rm -rf /'", 'is not a host name'],
    ['--host', 'needs a value'],
    ['--hots pay.example.com', 'unknown option --hots'],
    [`--host ${HOST} --proxy apache`, '--proxy is caddy or none'],
    [`--host ${HOST} --port 70000`, '--port is a number'],
    [`--host ${HOST} --node https://node.example.com`, '--node is CHAIN=ADDRESS'],
    [`--host ${HOST} --node "ethereum=https://node.example.com' x"`, '--node is CHAIN=ADDRESS'],
    [`--host ${HOST} --database-url postgres://a@b/c`, '--database-owner-url together'],
    ['--back', 'there is no release before this one'],
  ];
  for (const [options, reason] of mistakes) {
    const { code, output } = debian.run(`${script} ${options}`);
    expect(code === 1 && output.includes(reason), `${options}: exit code ${code}\n${output}`);
    expect(!/line \d+ failed/.test(output), output);
  }
  const unprivileged = debian.run(`setpriv --reuid=65534 --clear-groups bash < ${script}`);
  expect(unprivileged.code === 1 && unprivileged.output.includes('as root'), unprivileged.output);
  for (const place of PLACES) expect(!existsSync(debian.root + place), `a refusal left ${place}`);
}

/** The operator opens the link, and a shop's server gets what it needs. @returns the API and the application's client id */
async function setUp(debian, ca, link) {
  const { pathname, search } = new URL(link);
  const page = await request(ca, pathname + search);
  expect(page.status === 200 && page.text.includes('<form'), `${page.status} ${page.text.slice(0, 500)}`);
  const cookie = (page.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const password = 'seven quiet otters at dusk';
  const fields = new URLSearchParams({ email: 'owner@example.test', password });
  for (const [, name, value] of page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
    fields.set(name, value);
  const done = await request(ca, pathname + search, {
    body: fields.toString(),
    headers: { cookie, origin: `https://${HOST}` },
  });
  expect(done.status < 400, `${done.status} ${done.text.slice(0, 800)}`);
  expect(debian.must('payment-gateway users').includes('owner@example.test'), 'the user is not there');
  const printed = debian.must(
    "payment-gateway create-oauth-client --name Setup --user owner@example.test --scope '*' --scope wallets:write",
  );
  const client = {
    clientId: /client id: +(\S+)/.exec(printed)[1],
    secret: /client secret: +(\S+)/.exec(printed)[1],
  };
  const api = new MerchantApi(async (address, { body, token, method } = {}) => {
    const answer = await request(ca, address, { body, token, method });
    expect(answer.status < 300, `${address}: ${answer.status} ${answer.text}`);
    return answer;
  });
  await api.signIn(client);
  return { api, clientId: await api.createApplication({ name: 'My shop' }) };
}

async function createPayment({ api, clientId }, reference) {
  const body = { amount: Number(PRICE), currencyCode: 'ETH', reference, referenceLabel: reference, clientId };
  return JSON.parse((await api.call('/api/payment/checkout', { body })).text).data;
}

async function payWhole(shop, chain, payment) {
  // A chain whose newest block is minutes old is not offered.
  const { address, amount } = await until('the offer', async () => {
    await chain.mine(1);
    await delay(1_000);
    return shop.api.instructions(payment, 'eth').catch((error) => {
      if (!error.message.includes(': 503 ')) throw error;
      return null;
    });
  });
  expect(amount === PRICE, `${amount} wei are asked for`);
  await chain.sendEth({ to: address, value: amount });
  await chain.mine(20);
  await until('the confirmed payment', async () => {
    await chain.mine(1);
    return (await shop.api.payment(payment.id)).status === 'CONFIRMED';
  });
}

async function main(debian, chain, folder) {
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('-node.tar.gz'));
  const script = '/root/' + archive.replace(/-linux-.*$/, '') + '/install.sh';
  await cp(path.join(folder, archive), path.join(debian.root, 'root', archive));
  debian.must(`cd /root && tar -xzf ${archive}`);

  await check('mistakes are refused with their reason, and leave nothing behind', () =>
    refuseMistakes(debian, script),
  );

  const port = await freePort();
  let said = '';
  const begun = performance.now();
  await check('one command, one answer: PostgreSQL, Caddy, roles, keys, services, certificate', async () => {
    said = debian.must(`${script} --host https://Pay.Example.Test/ --local-certificate --port ${port}`);
    for (const part of ['Done: payment gateway', 'No chain yet', 'access-link?token='])
      expect(said.includes(part), said);
  });
  process.stdout.write(
    `        ${((performance.now() - begun) / 1000).toFixed(0)} s from the bare server to the link\n`,
  );
  const ca = await readFile(
    path.join(debian.root, 'var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'),
  );

  await check("systemd's own verifier finds nothing, and little is open to the services", () => {
    const units = '/etc/systemd/system/payment-gateway*';
    expect(debian.must(`systemd-analyze verify ${units} 2>&1`) === '', 'it has words');
    for (const line of debian
      .must(
        'for unit in gateway gateway-migrate gateway-backup gateway-drill gateway-verify; do systemd-analyze security --no-pager payment-$unit.service | grep Overall; done',
      )
      .split('\n'))
      expect(Number(/: ([\d.]+) /.exec(line)?.[1]) < 4, line);
  });

  await check('settings and passwords are for root and the gateway alone', () => {
    const rights = debian.must(
      'stat -c "%n %a %U %G" /etc/payment-gateway/* /var/backups/payment-gateway /opt/payment-gateway/current/dist',
    );
    expect(
      rights ===
        [
          '/etc/payment-gateway/gateway.env 640 root payment-gateway',
          '/etc/payment-gateway/owner.env 600 root root',
          '/var/backups/payment-gateway 700 payment-gateway payment-gateway',
          '/opt/payment-gateway/current/dist 755 root root',
        ].join('\n'),
      rights,
    );
    const { output } = debian.run(
      `cat /proc/$(systemctl show -p MainPID --value payment-gateway)/environ | tr '\\0' '\\n'`,
    );
    expect(
      output.includes('APP_KEYS=') && !output.includes('DATABASE_MIGRATION_URL'),
      'the gateway has the owner',
    );
  });

  const shop = await check('the link makes the operator, whose shop gets an application', () =>
    setUp(debian, ca, /https:\/\/\S*access-link\?token=\S+/.exec(said)[0]),
  );
  if (!shop) return;

  await check('without a node nothing can be paid, and doctor says so', async () => {
    const { code, output } = debian.run('payment-gateway doctor');
    expect(code === 1 && output.includes('no chain is configured'), output);
  });

  await check('a node is named, and an order is paid to the end', async () => {
    // A chain of tests has a number of its own, which no operator types.
    debian.must(`echo CHAIN_ETHEREUM_CHAIN_ID=${chain.chainId} >> /etc/payment-gateway/gateway.env`);
    debian.must(`payment-gateway set-node ethereum '${chain.url}?a=1&b=2'`);
    expect(
      !debian.must('cat /etc/payment-gateway/gateway.env').includes('START_WITHOUT_CHAINS'),
      'it still starts without',
    );
    const { id } = JSON.parse((await shop.api.call('/api/payment-applications')).text).data[0];
    // The account key m/44'/60'/0' of the BIP 39 test words "abandon … about".
    const extendedPublicKey =
      'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';
    await shop.api.call(`/api/payment-applications/${id}/wallets/evm`, {
      method: 'PUT',
      body: { extendedPublicKey },
    });
    await payWhole(shop, chain, await createPayment(shop, 'FIRST'));
  });
  process.stdout.write(
    `        ${((performance.now() - begun) / 1000).toFixed(0)} s from the bare server to the paid order\n`,
  );
  const peak = debian.must('grep VmHWM /proc/$(systemctl show -p MainPID --value payment-gateway)/status');
  process.stdout.write(`        memory of the gateway at its most: ${peak.replace(/\D+/g, '')} kB\n`);

  await check('run again, it changes no key and no password, and the gateway goes on', async () => {
    const before = fingerprint(debian);
    debian.must(`${script} --local-certificate`);
    expect(fingerprint(debian) === before, 'settings changed');
    const other = debian.run(`${script} --host shop.example.test`);
    expect(other.code === 1 && other.output.includes('links that customers have would end'), other.output);
    await payWhole(shop, chain, await createPayment(shop, 'SECOND'));
  });

  await check('backup, restore drill and verification run as their timers start them', () => {
    debian.must('systemctl start payment-gateway-backup.service');
    debian.must('test -s /var/backups/payment-gateway/newest.dump');
    debian.must('systemctl start payment-gateway-drill.service');
    expect(
      debian.must('journalctl -u payment-gateway-drill -o cat --no-pager').includes('the backup holds'),
      'it does not hold',
    );
    debian.must('systemctl start payment-gateway-verify.service');
    const timers = debian.must("systemctl list-timers --no-pager 'payment-gateway*'");
    expect(timers.includes('3 timers'), timers);
  });
  await check('a backup that was cut fails the drill', () => {
    debian.must(
      'cp -a /var/backups/payment-gateway/newest.dump /root/kept; f=$(readlink -f /var/backups/payment-gateway/newest.dump); cp "$f" /root/whole; truncate -s 2000 "$f"',
    );
    expect(debian.run('systemctl start payment-gateway-drill.service').code !== 0, 'it held');
    debian.must('cat /root/whole > "$(readlink -f /var/backups/payment-gateway/newest.dump)"');
  });

  await check('an upgrade under load loses no payment, and the way back neither', async () => {
    await chain.mine(1);
    const waiting = await createPayment(shop, 'THIRD');
    const { address } = await shop.api.instructions(waiting, 'eth');
    await chain.sendEth({ to: address, value: PRICE });
    for (const [command, expected] of [
      [await releaseOf(debian, '0.2.0'), '0.2.0'],
      [`${INSTALLER} --back`, '0.1.0'],
      [`${INSTALLER} --back`, '0.2.0'],
    ]) {
      let isOver = false;
      const watched = watch(ca, () => isOver);
      const { code, output } = await debian.begin(command);
      isOver = true;
      const { asked, lost, slowest } = await watched;
      process.stdout.write(
        `        ${expected}: ${lost} of ${asked} requests were lost, the slowest took ${slowest.toFixed(0)} ms\n`,
      );
      expect(lost === 0, output);
      expect(code === 0, output);
      expect(debian.must('readlink -f /opt/payment-gateway/current').endsWith(expected), output);
      await until('ready', async () => (await request(ca, '/api/health/ready')).status === 200);
    }
    await chain.mine(20);
    await until('the payment that waited', async () => {
      await chain.mine(1);
      return (await shop.api.payment(waiting.id)).status === 'CONFIRMED';
    });
  });

  await check('a release that does not start is taken back by itself', async () => {
    const broken = await releaseOf(debian, '0.3.0', (at) =>
      writeFile(path.join(at, 'dist/src/main.js'), 'process.exit(1);\n'),
    );
    const { code, output } = debian.run(broken);
    expect(code === 1 && output.includes('so 0.2.0 runs again'), `${code} ${output}`);
    expect((await request(ca, '/api/health/ready')).status === 200, 'it is not ready');
    await payWhole(shop, chain, await createPayment(shop, 'FOURTH'));
  });

  await check('after a restart of the machine everything is back', async () => {
    await debian.stop();
    await debian.boot();
    await until('ready', () =>
      request(ca, '/api/health/ready').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    const { output } = debian.run('payment-gateway doctor');
    expect(/ok +database/.test(output), output);
  });

  await check('removed and installed again it goes on with the same payments', async () => {
    debian.must(`${INSTALLER} --remove`);
    expect(
      debian.run('systemctl list-unit-files "payment-gateway*" --no-legend').output.trim() === '',
      'units are left',
    );
    for (const place of [PLACES[0], PLACES[3], PLACES[4]])
      expect(!existsSync(debian.root + place), `${place} is left`);
    debian.must(`${script} --local-certificate`);
    await payWhole(shop, chain, await createPayment(shop, 'FIFTH'));
  });

  await check('purged, nothing is left of it', () => {
    const wrong = debian.run(`${INSTALLER} --remove --purge other.example.test`);
    expect(wrong.code === 1 && wrong.output.includes(`backups of ${HOST}`), wrong.output);
    debian.must(`cp ${INSTALLER} /root/remove.sh`);
    debian.must(`${INSTALLER} --remove --purge ${HOST}`);
    for (const place of PLACES) expect(!existsSync(debian.root + place), `${place} is left`);
    expect(debian.run('id payment-gateway').code !== 0, 'the user is left');
    const roles = debian.must(
      `cd / && setpriv --reuid=postgres --regid=postgres --init-groups psql -qtAX -c "select rolname from pg_roles where rolname like 'gateway%' union select datname from pg_database where datname like 'gateway%'"`,
    );
    expect(roles === '', `left: ${roles}`);
    expect(
      !debian.must('cat /etc/caddy/Caddyfile').includes('payment-gateway'),
      'Caddy still reads the site',
    );
  });
}

const why = whyNoDebian();
const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-install-'));
const debian = new Debian(path.join(work, 'debian'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', () => debian.end());
const chain = why === null ? await startAnvil({}) : null;
try {
  if (why !== null) process.stdout.write(`skipped: no Debian can be booted here: ${why}\n`);
  else {
    const archives = path.join(work, 'archives');
    await check('the archive of the commit is built', () => {
      const options = ['scripts/runtime.mjs', '--arch', process.arch, '--node', '--out', archives];
      const { status, stderr } = spawnSync(process.execPath, options, { cwd: root, encoding: 'utf8' });
      expect(status === 0, stderr);
    });
    await check('a bare Debian boots', async () => {
      await makeDebian(debian.root);
      await debian.boot();
    });
    await main(debian, chain, archives);
  }
} catch (error) {
  await check('the run', () => {
    throw error;
  });
} finally {
  await debian.stop();
  await chain?.stop();
  await rm(work, { recursive: true, force: true });
  finish();
}
