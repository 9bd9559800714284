// The client package as a shop gets it, and what the shops of the harnesses have in common.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, until } from './checks.mjs';
import { fetchOauthToken, post, request, run } from './development.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** Builds and packs the client by the commands of sdk/README.md; answers the tarball. */
export async function packClient(folder) {
  const build = await run('npm', ['run', 'sdk:build'], { cwd: root });
  expect(build.code === 0, build.output);
  const pack = await run('npm', ['pack', './sdk', '--pack-destination', folder], { cwd: root });
  expect(pack.code === 0, pack.output);
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  return path.join(folder, file);
}

/** Installs the client into a shop's folder. Offline: it brings nothing that the shop does not have. */
export async function installClient(tarball, folder) {
  const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball];
  const { code, output } = await run('npm', install, { cwd: folder });
  expect(code === 0, output);
}

/** As the merchant does in the dashboard: where to send webhooks. */
export async function setCallback(facts, callbackUrl) {
  const address = `${facts.baseUrl}/api/payment-applications/${facts.application.id}`;
  const { data } = await post(address, { callbackUrl }, await fetchOauthToken(facts), 'PUT');
  expect(data.site.callbackUrl === callbackUrl, `callbackUrl: ${data.site.callbackUrl}`);
}

/** A forged request: the sender knows the URL but not the secret. */
export function forge(address, reference) {
  const now = String(Math.floor(Date.now() / 1000));
  const payment = { id: 'x', status: 'RECEIVED', reference };
  return fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'x',
      'webhook-timestamp': now,
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
      'x-paymentservice-timestamp': now,
      'x-paymentservice-signature': 'a'.repeat(64),
    },
    body: JSON.stringify({ id: 'x', event: 'payment.received', createdAt: 'now', payment }),
  });
}

/** The merchant presses the button of the dashboard; resolves once the shop has answered 2xx. */
export async function sendTestEvent(facts) {
  const token = await fetchOauthToken(facts);
  const address = `${facts.baseUrl}/api/payment-applications/${facts.application.id}`;
  const { data } = await post(`${address}/webhook-test`, { event: 'payment.received' }, token);
  const outcome = await until('the answer to the test event', async () => {
    const delivery = (await request(`${address}/webhook-deliveries/${data.id}`, { token })).data;
    return delivery.status === 'PENDING' ? null : delivery;
  });
  expect(outcome.status === 'SUCCEEDED', `${outcome.status}: ${outcome.errorMessage}`);
}
