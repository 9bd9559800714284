// Every command that documents and messages name, in every installation that a reader may have: the checkout of a
// developer, the image (its files, its user, without a container engine), and a server that install.sh has set up. All
// three on one database, in a copy of this machine. Ends with the table.
//   npm run build && node test/harness/commands.mjs [part of a command]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { check, expect, finish } from './checks.mjs';
import { CopyOfMachine, whyNoCopy } from './copy-of-machine.mjs';
import { listBlocks } from './docs/blocks.mjs';
import { listMentions, withoutPlaceholders } from './docs/mentions.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const PROGRAM = '/opt/payment-gateway/current';
const INSTALLER = `${PROGRAM}/install.sh`;
const SETTINGS = 'set -a; . /etc/payment-gateway/gateway.env; . /etc/payment-gateway/owner.env; set +a';
const [only = ''] = process.argv.slice(2);
/** How a reader of each types a command. */
const INSTALLATIONS = {
  checkout: (args) => `${SETTINGS}; cd ${root} && npm run --silent cli -- ${args}`,
  image: (args) =>
    `${SETTINGS}; NODE_ENV=production; export NODE_ENV; cd ${PROGRAM} && setpriv --reuid=65534 --regid=65534 --clear-groups node dist/src/cli.js ${args}`,
  server: (args) => `cd /tmp && payment-gateway ${args}`,
};
/** Where a checkout alone is meant, or every spelling is given. */
const NAMES_ALL = [
  'README.md',
  'CONTRIBUTING.md',
  'src/cli/usage.ts',
  'docs/how-to/operations.md',
  'docs/how-to/verify.md',
  'docs/how-to/recovery.md',
];
/** What cannot succeed in the copy, by how it says so. */
const REFUSED = {
  doctor: ['no network: names and rates', /cannot be resolved/],
  'revoke-oauth-client': ['no gateway has run yet', /no client dashboard/],
  rescan: ['no node', /chain|ethereum/i],
  'set-start-height': ['no node', /chain|ethereum/i],
  'resume-chain': ['no node', /chain|ethereum/i],
  payment: ['no payment', /no payment|not found/i],
};
/** Blocks of docs/how-to/install.md that an operator types as root, in this order. */
const BLOCKS = [
  { sign: 'set-node ethereum', exit: 1, says: /cannot be resolved/ },
  { sign: 'create database gateway_restored', exit: 0, says: /payments/i },
];

const mentioned = () => {
  const below = (folder, ending) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(ending) && !/(-|\.)spec\.ts$/.test(name))
      .map((name) => path.join(folder, name));
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    ...['how-to', 'reference', 'specification', 'tutorial'].flatMap((name) => below(`docs/${name}`, '.md')),
    'docs/errors.md',
    ...below('ops/prometheus', '.yml'),
    ...['src/operations', 'src/platform/kernel/errors', 'src/cli'].flatMap((name) => below(name, '.ts')),
  ];
  return files.flatMap((file) => listMentions(file, readFileSync(path.join(root, file), 'utf8')));
};

function install(copy, folder) {
  copy.must(
    '[ -n "$(pg_lsclusters -h)" ] || pg_createcluster "$(ls /usr/lib/postgresql | sort -n | head -n 1)" main',
  );
  const unpack = `mkdir -p /root/release && tar -xzf ${folder}/*.tar.gz -C /root/release --strip-components=1`;
  copy.must(`${unpack} && /root/release/install.sh --host pay.example.test --proxy none`);
  copy.must('payment-gateway migrate');
  copy.must(`${SETTINGS}; pg_dump -Fc "$DATABASE_MIGRATION_URL" > /tmp/gateway.dump`);
  // So that no command meets the only operator.
  copy.must('payment-gateway create-user --email root@example.test --operator');
}

/** What the text around a command asks of its reader. @returns the arguments to type */
function prepare(copy, name, args, key) {
  const fresh = `${key}-${Math.trunc(performance.now())}`;
  const made = { email: `${fresh}@example.test`, other: `to-${fresh}@example.test`, folder: `/tmp/${fresh}` };
  if (!['create-user', 'users'].includes(name) && /--(email|user)/.test(args))
    copy.must(`payment-gateway create-user --email ${made.email}`);
  if (name === 'enable-user' || name === 'erase-user')
    copy.must(`payment-gateway disable-user --email ${made.email}`);
  if (/--client-id "?\$/.test(args))
    made.client = /client id: +(\S+)/.exec(
      copy.must(`payment-gateway create-oauth-client --name ${fresh} --user root@example.test`),
    )[1];
  if (args.includes('$AUDIT_HEAD'))
    made.head = /\b\d+:[0-9a-f]{64}\b/.exec(copy.must('payment-gateway verify:audit'))?.[0];
  // On a server, a file is where its reader stands.
  if (args.includes('--dump gateway.dump') && key !== 'server') made.dump = '/tmp/gateway.dump';
  if (args.includes('--database')) {
    made.database = `drill_${fresh.replaceAll('-', '_')}`;
    copy.must(`${SETTINGS}; psql -q "$DATABASE_MIGRATION_URL" -c 'create database ${made.database}'`);
    copy.must(
      `${SETTINGS}; pg_dump -Fc "$DATABASE_MIGRATION_URL" | pg_restore --no-owner --no-privileges -d "\${DATABASE_MIGRATION_URL%/*}/${made.database}"`,
    );
  }
  return withoutPlaceholders(args, made);
}

function tryCommand(copy, args, installation) {
  const [name] = args.split(' ');
  const typed = name.startsWith('--') ? args : prepare(copy, name, args, installation);
  const { code, output } = copy.run(INSTALLATIONS[installation](typed));
  if (code === 0) return 'ok';
  const [why, words] = REFUSED[name] ?? [];
  expect(
    why !== undefined && [1, 2].includes(code) && words.test(output),
    `${typed}: exit code ${code}\n${output.slice(0, 900)}`,
  );
  expect(!/^ +at .+:\d+/m.test(output), `a stack:\n${output.slice(0, 900)}`);
  return `runs (${why})`;
}

/** What a page says to put into the settings is read by systemd, and by the shell of the command line. */
function writeSettings(copy) {
  const [block] = listBlocks(readFileSync(path.join(root, 'docs/how-to/notices.md'), 'utf8'));
  copy.must('cp -a /etc/payment-gateway/gateway.env /root/kept.env');
  copy.must('cat >> /etc/payment-gateway/gateway.env', block.text);
  copy.must('payment-gateway users');
  copy.must('cp -a /root/kept.env /etc/payment-gateway/gateway.env');
}

function typeBlocks(copy) {
  copy.must('install -d -m 700 -o payment-gateway -g payment-gateway /var/backups/payment-gateway');
  copy.must(
    `${SETTINGS}; setpriv --reuid=payment-gateway --regid=payment-gateway --init-groups ${PROGRAM}/ops/install/backup.sh`,
  );
  // A bare Debian has no sudo: the page says to leave it out.
  const blocks = listBlocks(readFileSync(path.join(root, 'docs/how-to/install.md'), 'utf8'));
  // The unit brings the database to the release before it starts; here no systemd does.
  const typed = (text) =>
    text.replaceAll('sudo ', '').replace('systemctl start payment-gateway\n', 'payment-gateway migrate\n');
  for (const { sign, exit, says } of BLOCKS) {
    const { text } = blocks.find((block) => block.text.includes(sign));
    const { code, output } = copy.run(`set -e\n${typed(text)}`);
    expect(code === exit && says.test(output), `${sign}: exit code ${code}\n${output}`);
  }
  expect(copy.must('cat /etc/payment-gateway/gateway.env').includes('/gateway_restored'), 'not restored');
}

/** The same by dpkg: prepared, set up by the command that it prints, removed and purged. */
function tryPackage(copy, folder) {
  const list = copy.must(`dpkg-deb -c ${folder}/*.deb`);
  for (const name of ['install.sh', 'dist/src/main.js', 'ops/install/units/payment-gateway.service'])
    expect(list.includes(`./usr/lib/payment-gateway/${name}`), `${name} is not in the package`);
  expect(!/ (?!root\/root)\S+\/\S+ +\d+ \d{4}-/.test(list), "not all is root's");
  const prepared = copy.must(`dpkg -i ${folder}/*.deb`);
  const [, command] = /(\/usr\/lib\S+ --host) pay.example.com/.exec(prepared) ?? [];
  expect(command !== undefined, prepared);
  copy.must(`id payment-gateway && [ ! -e ${PROGRAM} ] && ${command} pay.example.test --proxy none`);
  copy.must('payment-gateway migrate');
  const { output } = copy.run('payment-gateway doctor');
  expect(/ok +database /.test(output), output);
  const keys = copy.must('cat /etc/payment-gateway/*.env | sort | sha256sum');
  copy.must('dpkg -r crypto-payment-gateway');
  expect(copy.must('cat /etc/payment-gateway/*.env | sort | sha256sum') === keys, 'settings are lost');
  copy.must('[ ! -e /opt/payment-gateway ] && [ ! -e /usr/local/bin/payment-gateway ]');
  // Again, and it goes on with the same keys.
  const again = copy.must(`dpkg -i ${folder}/*.deb`);
  expect(again.includes('To run it:'), again);
  copy.must('/usr/lib/payment-gateway/install.sh --proxy none && payment-gateway users');
  expect(copy.must('cat /etc/payment-gateway/*.env | sort | sha256sum') === keys, 'settings changed');
  // Keys and payments are not deleted in passing.
  const purged = copy.must('cp /usr/lib/payment-gateway/install.sh /root/ && dpkg -P crypto-payment-gateway');
  expect(purged.includes('Keys, payments and backups stay'), purged);
  expect(copy.must('cat /etc/payment-gateway/*.env | sort | sha256sum') === keys, 'a purge deletes the keys');
  copy.must('/root/install.sh --remove --purge pay.example.test');
  expectNothing(copy);
  // What was never set up goes without a trace, too.
  copy.must(`dpkg -i ${folder}/*.deb && dpkg -P crypto-payment-gateway`);
  expectNothing(copy);
}

const FILES =
  "find /opt /etc /var /usr/lib /usr/local -xdev -name '*payment-gateway*' -not -path '/var/lib/dpkg/*' | sort";
/** What this machine has already. */
let before = '';

function expectNothing(copy) {
  const left = copy.must(FILES);
  expect(left === before, `now:\n${left}\nbefore:\n${before}`);
  expect(copy.run('id payment-gateway').code !== 0, 'the user is left');
  const sql = "select datname from pg_database where datname like 'gateway%'";
  const databases = copy.must(
    `cd / && setpriv --reuid=postgres --regid=postgres --init-groups psql -qtAX -c "${sql}"`,
  );
  expect(databases === '', databases);
}

async function main(copy, folder) {
  before = copy.must(FILES);
  await check('install.sh sets a server up', () => install(copy, folder));
  const mentions = mentioned();
  await check(`${mentions.length} mentions: each can be typed where its reader is`, () => {
    const lost = mentions.filter(({ spelling, where }) => {
      const [file] = where.split(':');
      if (NAMES_ALL.includes(file)) return false;
      return spelling === 'checkout' || (spelling === 'built' && /^(src|ops)\//.test(file));
    });
    expect(
      lost.length === 0,
      lost.map(({ where, text }) => `${where}: only where that is: ${text}`).join('\n'),
    );
  });
  const all = [...new Set(mentions.map(({ args }) => args))].filter(
    (args) => !/[<…]|^(set|remove)-node/.test(args),
  );
  const rows = [];
  for (const args of all.filter((one) => one.includes(only))) {
    const row = [];
    for (const installation of Object.keys(INSTALLATIONS))
      row.push(
        (await check(`${installation}: ${args}`, () => tryCommand(copy, args, installation))) ?? 'FAILED',
      );
    rows.push([args, ...row]);
  }
  await check('settings as the page of notices writes them', () => writeSettings(copy));
  await check('set-node, and a restore as the page of the installation says', () => typeBlocks(copy));
  await check('removed and purged as the page says, nothing is left', () => {
    copy.must(`cp ${INSTALLER} /root/ && ${INSTALLER} --remove --purge pay.example.test`);
    expectNothing(copy);
  });
  await check('the Debian package: prepared, set up, removed, purged', () => tryPackage(copy, folder));
  const width = Math.max(0, ...rows.map(([args]) => args.length));
  const lines = [['', ...Object.keys(INSTALLATIONS)], ...rows].map(([args, ...cells]) =>
    [args.padEnd(width), ...cells.map((cell) => cell.padEnd(34))].join('  ').trimEnd(),
  );
  process.stdout.write(
    `\n${lines.join('\n')}\nNot here: docker compose itself (no engine), apt, systemd (install.mjs has them)\n\n`,
  );
}

const why = whyNoCopy();
const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-commands-'));
let copy = null;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', () => copy?.end());
try {
  if (why !== null) process.stdout.write(`skipped: no copy of this machine can be made: ${why}\n`);
  else {
    await check('the archive of the commit is built', () => {
      const options = ['scripts/runtime.mjs', '--arch', process.arch, '--deb', '--out', work];
      const { status, stderr } = spawnSync(process.execPath, options, { cwd: root, encoding: 'utf8' });
      expect(status === 0, stderr);
    });
    copy = await CopyOfMachine.start();
    await main(copy, work);
  }
} catch (error) {
  await check('the run', () => {
    throw error;
  });
} finally {
  await copy?.stop();
  await rm(work, { recursive: true, force: true });
  finish();
}
