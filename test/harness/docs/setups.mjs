// What a reader of a document has already when its first command is typed: variables, a payment, an account. And what
// the text asks for between two commands.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, until } from '../checks.mjs';
import {
  fetchOauthToken,
  mineBlocks,
  payInEther,
  post,
  readPayment,
  request,
  rpc,
  run,
} from '../development.mjs';

/** Blocks that ether waits for (specification/chains.md#confirmations). */
export const CONFIRMATIONS = 12;
/** m/44'/60'/1' of the test words "abandon … about"; the demo's own is account 0. */
const XPUB =
  'xpub6DCoCpSuQZB2k9PnGSMK9tinTK8kx3hcv7F4BWwhs5N2wnwGiLg17r9J7j2JcYP9gkip3sC87J1F99YxeBHGuFMg6ejA8qQEKSuzzaKvqBR';
/** m/44'/60'/2' of the same words. */
const UNUSED_XPUB =
  'xpub6DCoCpSuQZB2ot5sZMhVj1zbCa9smR2h7YGPfJjzjauzsnCqqp8GHwUQTDMrFK2gExmmpCjspBVanYdRaTg3H1eyxyG1ddXfZyNT2JRAYWk';

const accountFrom = (output) => ({
  OAUTH_CLIENT_ID: /client id: +(\S+)/.exec(output)?.[1],
  OAUTH_CLIENT_SECRET: /client secret: +(\S+)/.exec(output)?.[1],
});

/** A shop's server with its client token. */
export async function shop({ facts }) {
  return { CLIENT_TOKEN: facts.clientToken, CLIENT_ID: facts.application.clientId };
}

/** A merchant with an application, an access token, and the client that it was made with. */
export async function merchant({ facts }) {
  return {
    TOKEN: await fetchOauthToken(facts),
    APPLICATION_ID: facts.application.id,
    OAUTH_CLIENT_ID: facts.oauth.clientId,
    OAUTH_CLIENT_SECRET: facts.oauth.clientSecret,
  };
}

/** A merchant with the account key of a wallet that no application uses. */
export async function merchantWithKey(harness) {
  return { ...(await merchant(harness)), XPUB: UNUSED_XPUB };
}

/** A wallet. The user and the client are made by the document itself: {@link adoptClient}. */
export async function deployment() {
  return { XPUB };
}

/** The reader notes what `create-oauth-client` has just printed. */
export async function adoptClient(_harness, shell) {
  const { OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET } = accountFrom(shell.printed);
  await shell.run(`OAUTH_CLIENT_ID='${OAUTH_CLIENT_ID}' OAUTH_CLIENT_SECRET='${OAUTH_CLIENT_SECRET}'`);
}

/** Of 25.00 USD, for the demo's application. */
export function createPayment({ facts }, reference) {
  const body = {
    amount: 2500,
    currencyCode: 'USD',
    reference,
    referenceLabel: 'An order of the documentation',
    clientId: facts.application.clientId,
  };
  return post(`${facts.baseUrl}/api/payment/checkout`, body, facts.clientToken).then(({ data }) => data);
}

/** A payment that was paid in ether and acknowledged by the shop. */
export async function paid(harness) {
  const { facts } = harness;
  const { id, checkoutUrl } = await createPayment(harness, 'DOCS-REFUND');
  await payInEther(facts, checkoutUrl);
  await mineBlocks(facts, CONFIRMATIONS);
  await until('CONFIRMED', async () => (await readPayment(facts, id)).status === 'CONFIRMED');
  return {
    GATEWAY: facts.baseUrl,
    TOKEN: await fetchOauthToken(facts),
    PAYMENT: id,
    KEY: 'DOCS-REFUND-attempt-1',
  };
}

/** From a wallet of the merchant, what the refund asks for. */
export async function payOut({ facts }, shell) {
  const [payment, refund] = (await shell.run('printf %s "$PAYMENT $REFUND"')).split(' ');
  const token = await fetchOauthToken(facts);
  const { data } = await request(`${facts.baseUrl}/api/payment/${payment}/refunds/${refund}`, { token });
  const [, from] = await rpc(facts, 'eth_accounts');
  const value = `0x${BigInt(data.payoutAmount.atomic).toString(16)}`;
  const hash = await rpc(facts, 'eth_sendTransaction', { from, to: data.address, value });
  await shell.run(`TX_HASH=${hash}`);
}

/** A customer has sent the right token on another network. */
export async function wrongNetwork(harness) {
  const { facts, clone } = harness;
  const { id, checkoutUrl } = await createPayment(harness, 'DOCS-NETWORK');
  const args = ['run', 'pay', '--', checkoutUrl, '--method', 'ethereum/usdt', '--wrong-network'];
  const { code, output } = await run('npm', args, { cwd: clone });
  expect(code === 0, output);
  const transfer = await until('a transfer that can be accepted', async () => {
    const { transactions } = await readPayment(facts, id);
    return transactions.find(({ acceptable }) => acceptable);
  });
  return {
    GATEWAY: facts.baseUrl,
    TOKEN: await fetchOauthToken(facts),
    PAYMENT: id,
    TRANSFER_ID: transfer.id,
  };
}

async function cli({ clone }, ...args) {
  const { code, output } = await run(process.execPath, ['dist/src/cli.js', ...args], { cwd: clone });
  expect(code === 0, `${args.join(' ')}: ${output}`);
  return output;
}

/** An employee, and a client that is no longer used. */
export async function employee(world) {
  await cli(world, 'create-user', '--email', 'colleague@example.com');
  const name = ['--name', 'Old server', '--user', 'colleague@example.com'];
  return accountFrom(await cli(world, 'create-oauth-client', ...name));
}

/** The end of the audit log from an earlier run. */
export async function auditHead(world) {
  const [, head] = /^head: +(\S+)/m.exec(await cli(world, 'verify:audit')) ?? [];
  return { AUDIT_HEAD: head };
}

/** The folder of a shop, beside the gateway's. */
export async function enterShop({ work }, shell) {
  const folder = path.join(work, 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{"name":"my-shop","private":true,"type":"module"}');
  await shell.run(`cd '${folder}'`);
}
