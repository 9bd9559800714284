// The faucet of the development profile: `npm run pay` with each of its options, on the nodes that really run, and
// what the gateway then says of the payment.
//   node test/harness/pay.mjs
import path from 'node:path';
import { check, expect, until } from './checks.mjs';
import { post, readPayment, run, withProfile } from './development.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** Blocks that a reorg takes back; the node of bitcoin and litecoin forgets transactions beyond 10 blocks by itself. */
const DEEP = 15;

let dataDir;

/** `npm run pay` as the README shows it. */
function pay(link, ...options) {
  return run('npm', ['run', '--silent', 'pay', '--', link, ...options], {
    cwd: root,
    env: { DATA_DIR: dataDir },
  });
}

async function newPayment(facts) {
  const order = { amount: 2500, currencyCode: 'USD', reference: 'PAY-1', referenceLabel: 'Order' };
  const body = { ...order, clientId: facts.application.clientId };
  const { data } = await post(`${facts.baseUrl}/api/payment/checkout`, body, facts.clientToken);
  return data;
}

/** Pays a new payment in some way, and waits until the gateway's view of it is right. */
function checkPay(facts, title, options, isRight) {
  return check(title, async () => {
    const { id, checkoutUrl } = await newPayment(facts);
    const { code, output } = await pay(checkoutUrl, ...options);
    expect(code === 0, output);
    const sent = [...output.matchAll(/^(transaction|replaced by|again) +(\S+)$/gm)].map(([, , hash]) => hash);
    let payment;
    await until('the right view', async () => {
      payment = await readPayment(facts, id);
      const known = payment.transactions.map(({ txHash }) => txHash);
      return isRight(payment, payment.transactions) && sent.slice(-1).every((hash) => known.includes(hash));
    }).catch((error) => {
      throw new Error(`${error.message}\n${output}\n${JSON.stringify(payment)}`);
    });
  });
}

const units = ({ amount }) => BigInt(amount.atomic);
/** It was sent, and counts. */
const isLive = ({ status }) => status === 'PENDING' || status === 'CONFIRMED';
const isFound = ({ status }) => status === 'FOUND' || status === 'RECEIVED' || status === 'CONFIRMED';

async function payOnEvm(facts) {
  const usdt = ['--method', 'ethereum/usdt'];
  await checkPay(facts, 'the whole amount in ether', ['--method', 'ethereum/eth'], (payment, [one]) => {
    return isFound(payment) && one.currencyCode === 'ETH' && isLive(one);
  });
  await checkPay(facts, 'half of it, in a token', [...usdt, '--amount', 'less'], (payment, [one]) => {
    return isFound(payment) && units(one) > 12_000_000n && units(one) < 13_000_000n;
  });
  await checkPay(facts, 'a tenth more', [...usdt, '--amount', 'more'], (payment, [one]) => {
    return isFound(payment) && units(one) > 27_000_000n && units(one) < 28_000_000n;
  });
  await checkPay(facts, 'twice', [...usdt, '--twice'], (payment, all) => {
    return isFound(payment) && all.length === 2 && all.every(isLive) && units(all[0]) === units(all[1]);
  });
  await checkPay(facts, 'replaced by a higher fee', [...usdt, '--rbf'], (payment, all) => {
    return isFound(payment) && all.length === 1 && isLive(all[0]);
  });
  await checkPay(facts, 'mined, taken back, and mined again', [...usdt, '--reorg', '3'], (payment, [one]) => {
    return isFound(payment) && isLive(one) && one.confirmations > 0;
  });
  await checkPay(facts, 'on the wrong network', [...usdt, '--wrong-network'], (payment, [one]) => {
    return payment.status === 'OPEN' && one?.blockchain === 'base' && isLive(one);
  });
}

async function payOnUtxo(facts) {
  if (!facts.chains.litecoin) {
    process.stdout.write('skipped: bitcoin and litecoin, because litecoind is not installed\n');
    return;
  }
  const bitcoin = ['--method', 'bitcoin/btc'];
  await checkPay(facts, 'in bitcoin', bitcoin, (payment, [one]) => isFound(payment) && isLive(one));
  await checkPay(facts, 'replaced in the mempool', [...bitcoin, '--rbf'], (payment, all) => {
    const outcomes = all.map(({ status }) => status);
    return isFound(payment) && outcomes.includes('REPLACED') && all.filter(isLive).length === 1;
  });
  const deep = ['--method', 'litecoin/ltc', '--reorg', String(DEEP)];
  await checkPay(facts, 'litecoin, mined, taken back deep, and mined again', deep, (payment, [one]) => {
    return isFound(payment) && isLive(one) && one.confirmations > 0;
  });
}

async function checkRefusals(facts) {
  const { checkoutUrl } = await newPayment(facts);
  const refusals = [
    [[checkoutUrl, '--amount', 'half'], '--amount is exact, less or more'],
    [[checkoutUrl.replace(facts.baseUrl, 'http://127.0.0.2:1')], 'is not the gateway that runs here'],
    [[checkoutUrl.replace(/signature=.*/, `signature=${'0'.repeat(64)}`)], 'Invalid signature'],
  ];
  if (facts.chains.litecoin)
    refusals.push([[checkoutUrl, '--method', 'bitcoin/btc', '--wrong-network'], 'its addresses differ']);
  for (const [[link, ...options], message] of refusals) {
    const { code, output } = await pay(link, ...options);
    expect(code === 1 && output.includes(message), `${code}: ${output}`);
  }
}

await withProfile('pay', async (profile) => {
  dataDir = profile.dataDir;
  await payOnEvm(profile.facts);
  await payOnUtxo(profile.facts);
  await check('what cannot be done is refused with its reason', () => checkRefusals(profile.facts));
  await check('without a gateway it says what to do', async () => {
    dataDir = path.join(profile.work, 'nothing');
    const { code, output } = await pay('http://localhost:3000/checkout/x?expires=1&signature=0');
    expect(code === 1 && output.includes('start the gateway with `npm start` first'), output);
  });
});
