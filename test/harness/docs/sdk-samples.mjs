// Runs the examples of sdk/README.md in a shop that has installed the packed client. Their types are checked by
// test/sdk-readme.e2e-spec.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { expect, until } from '../checks.mjs';
import { environment, fetchOauthToken, mineBlocks, payInEther } from '../development.mjs';
import { CONFIRMATIONS, createPayment, paid } from './setups.mjs';

/** Leads pay.example.com to the gateway's TLS, as the DNS of a real installation does. */
const DNS = `
import tls from 'node:tls';
const connect = tls.connect;
tls.connect = ({ host, port, ...options }, ...rest) => {
  const isExample = host === 'pay.example.com' && Number(port) === 443;
  const place = isExample ? { host: '127.0.0.1', port: Number(process.env.TLS_PORT) } : { host, port };
  return connect({ servername: host, ...options, ...place }, ...rest);
};
`;

/** Starts a sample, with a few lines behind it that call what it exports. */
async function start(text, calls, harness, env) {
  const shop = path.join(harness.work, 'shop');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(text + calls, { compilerOptions });
  await writeFile(path.join(shop, 'dns.mjs'), DNS);
  await writeFile(path.join(shop, 'sample.mjs'), outputText);
  const child = spawn(process.execPath, ['--import', './dns.mjs', 'sample.mjs'], {
    cwd: shop,
    env: environment({
      GATEWAY_URL: harness.facts.baseUrl,
      GATEWAY_TOKEN: harness.facts.clientToken,
      GATEWAY_CLIENT_ID: harness.facts.application.clientId,
      NODE_EXTRA_CA_CERTS: path.join(harness.work, 'ca.pem'),
      TLS_PORT: String(harness.tlsPort),
      ...env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const sample = { child, output: '', closed: once(child, 'close') };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (sample.output += chunk));
  return sample;
}

async function ended(sample) {
  await until('its end', () => sample.child.exitCode !== null).catch((error) => {
    sample.child.kill();
    throw new Error(`${error.message}:\n${sample.output}`);
  });
  await sample.closed;
  expect(sample.child.exitCode === 0, sample.output);
  return sample.output;
}

/** A customer pays when the link is there. */
export async function runInShort({ text }, harness) {
  const sample = await start(text, '', harness, {});
  const link = await until('the link', () => {
    expect(sample.child.exitCode === null, sample.output);
    return /^pay here: (\S+)$/m.exec(sample.output)?.[1];
  });
  await payInEther(harness.facts, link);
  await mineBlocks(harness.facts, CONFIRMATIONS);
  const output = await ended(sample);
  expect(output.includes('ORDER-1 is CONFIRMED, received $25.00'), output);
  return 'paid until CONFIRMED';
}

/** One for all samples, which only read it. */
let paidForAll;

/** Calls that print, with a paid payment and an open one; `wanted` is what they print. */
const calling =
  (calls, wanted) =>
  async ({ text }, harness) => {
    const { PAYMENT } = await (paidForAll ??= paid(harness));
    const { id, checkoutUrl } = await createPayment(harness, 'DOCS-SDK');
    const own = {
      PAID: PAYMENT,
      OPEN: id,
      LINK: checkoutUrl,
      ACCESS_TOKEN: await fetchOauthToken(harness.facts),
    };
    const before = `
import { Gateway as Client } from 'crypto-payment-gateway-client';
const { GATEWAY_URL: baseUrl, ACCESS_TOKEN: token, PAID, OPEN, LINK } = process.env;
const client = new Client({ baseUrl, token });
`;
    const output = await ended(await start(text, before + calls, harness, own));
    const expected = wanted({ id });
    expect(output.includes(expected), `${output}\nhas no ${expected}`);
    return 'with a payment that is paid and one that is open';
  };

export const runAmounts = calling(
  `
const payments = [await client.payments.get(PAID), await client.payments.get(OPEN)];
console.log(payments.map(isPaidInFull), JSON.parse(toJson(payments[1])).id);
`,
  ({ id }) => `[ true, false ] ${id}`,
);

export const runFind = calling(
  `
const order = { number: 'DOCS/FIND 1', cents: '1999', cart: 'c-17' };
const [first, again] = [await findOrCreate(client, order), await findOrCreate(client, order)];
console.log(first.id === again.id, first.amount.atomic, first.metadata.cart, first.livemode);
`,
  () => 'true 1999 c-17 false',
);

export const runList = calling('await printOpen(client);\n', ({ id }) => `${id} DOCS-SDK $25.00`);

export const runCancel = calling(
  'console.log(await cancelIfUnpaid(client, PAID), await cancelIfUnpaid(client, OPEN));\n',
  () => 'false true',
);

export const runLook = calling('console.log(await look(baseUrl, LINK));\n', () => 'OPEN');

export const runVerify = calling(
  `
const { keys } = await (await fetch(baseUrl + '/api/instruction-keys')).json();
const shown = await instructionsToShow(client, OPEN, keys[0].x);
console.log(/^0x/.test(shown.address), shown.asset, await instructionsToShow(client, OPEN, 'A'.repeat(43)));
`,
  () => 'true ETH null',
);

/** The key of another wallet: BIP39's test words. */
const FOREIGN_KEY =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';

export const runPaidToUs = calling(
  `console.log(await isPaidToUs(client, PAID, '${FOREIGN_KEY}'));\n`,
  () => 'false',
);
