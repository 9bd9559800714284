// A gateway that is killed and stays away for 5,000 blocks of two chains, while customers go on paying, some of them to
// links that have expired: after the restart every payment is attributed, exactly and once. The whole outage happens in
// the chains' past, so that payments in time can be distinguished from late ones.
//   node test/harness/offline.mjs
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish, until } from './checks.mjs';
import { freePort } from './development.mjs';

const BLOCKS = 5_000;
/** Payments happen between two of these. */
const CHUNKS = 50;
const CHUNK = BLOCKS / CHUNKS;
/** Seconds from block to block; so many seconds ago it begins, that no block is of the future. */
const PACE = 1;
const AGO = 95 * 60;
/** Seconds: a link, a quote with its grace (specification/payment-states.md#late-funds), and when both are over. */
const LINK = 10 * 60;
const QUOTE = 15 * 60 + 15 * 60;
const PAYMENTS = 72;
/** Cents that each payment asks for. */
const ASKED = 10_000n;
/** Prices in dollars when the payments were asked for, and when the gateway is back: half, so that nothing is rounded. */
const PRICES = { ETH: ['2000', '1000'], BTC: ['50000', '25000'], USDT: ['1', '1'] };
const METHODS = ['eth', 'usdt', 'btc'];

const { GatewayProcess } = await import('../support/gateway-process.ts');
const { startTestServer } = await import('../support/test-server.ts');
const { startUtxoNode } = await import('../support/litecoind.ts');
const { EVM_XPUB, Shop } = await import('../support/shop.ts');
const { TestClock } = await import('../support/test-clock.ts');
const { bitcoinAccount, scriptOf } = await import('../support/utxo-account.ts');
const { utxoDriver } = await import('../support/utxo-driver.ts');
const { evmDriver } = await import('../support/evm-driver.ts');
const { utxoAddress } = await import('../../src/chains/utxo/utxo-address.pure.ts');
const { ChainWatcherService } = await import('../../src/chain-watcher/chain-watcher.service.ts');

const account = bitcoinAccount(Buffer.alloc(32, 9));

/** Whom the miners of the outage work for: a wallet that gets every block's reward becomes slow. */
const OTHER_ADDRESS = utxoAddress(account.deriveChild(1).publicKey, 'litecoin', 'regtest', 'p2wpkh').address;

/** Payments with what customers were shown; every second one has a link of ten minutes. */
async function askForPayments({ shop, clock }) {
  const application = await shop.application();
  const asked = [];
  for (let i = 0; i < PAYMENTS; i++) {
    const method = METHODS[i % METHODS.length];
    const seconds = i % 2 === 0 ? LINK : 86_400;
    const expiresAt = new Date(clock.now().getTime() + seconds * 1_000).toISOString();
    const payment = await shop.createPayment(application, { expiresAt });
    const instructions = await shop.instructions(payment, method, method === 'btc' ? 'bitcoin' : 'ethereum');
    const due = BigInt(instructions.amount.amount);
    // Chunks in which it is paid: most in one go, every third one in two.
    const first = Math.floor((i * CHUNKS) / PAYMENTS);
    const chunks = i % 3 === 1 ? [first, Math.floor((first + CHUNKS) / 2)] : [first];
    const parts = chunks.map((chunk) => ({ chunk, amount: due / BigInt(chunks.length) }));
    asked.push({ id: payment.id, method, instructions, expiresAt: Date.parse(expiresAt), parts, sent: [] });
  }
  return { token: application.clientToken, asked };
}

/** 5,000 blocks on each chain, chunk by chunk. */
async function goOn({ shop, node, asked, begin }) {
  const isBitcoin = ({ method }) => method === 'btc';
  const bitcoin = async (chunk, time) => {
    await node.setTime(time);
    for (const { payment, amount } of partsOf(asked.filter(isBitcoin), chunk)) {
      const output = { key: scriptOf(account, payment.instructions.address), amount };
      payment.sent.push({ txHash: await node.pay([output]), amount, time });
    }
    await node.rpc('generatetoaddress', [CHUNK, OTHER_ADDRESS]);
  };
  const ethereum = async (chunk, time) => {
    const others = asked.filter((payment) => !isBitcoin(payment));
    for (const { payment, amount } of partsOf(others, chunk))
      payment.sent.push({ txHash: await shop.send(payment.instructions, amount), amount, time });
    const numbers = [CHUNK, PACE].map((value) => `0x${value.toString(16)}`);
    await shop.chain.rpc('anvil_mine', numbers);
  };
  await Promise.all(
    [bitcoin, ethereum].map(async (goOnce) => {
      for (let chunk = 0; chunk < CHUNKS; chunk++) await goOnce(chunk, begin + chunk * CHUNK * PACE);
    }),
  );
  for (const payment of asked)
    for (const one of payment.sent) {
      const minedAt = isBitcoin(payment) ? bitcoinTime(node, one) : ethereumTime(shop.chain, one);
      one.isLate = (await minedAt) > begin + QUOTE;
    }
  const sent = asked.flatMap((payment) => payment.sent.map(({ time }) => time * 1_000 > payment.expiresAt));
  return { transfers: sent.length, expired: sent.filter(Boolean).length };
}

/** What is paid in a chunk. */
function partsOf(asked, chunk) {
  return asked.flatMap((payment) =>
    payment.parts.filter((part) => part.chunk === chunk).map(({ amount }) => ({ payment, amount })),
  );
}

/** Unix seconds of the block that holds a transaction. */
async function bitcoinTime(node, { txHash }) {
  return (await node.rpc('getrawtransaction', [txHash, true])).blocktime;
}

async function ethereumTime(chain, { txHash }) {
  const { blockNumber } = await chain.receipt(txHash);
  return Number((await chain.rpc('eth_getBlockByNumber', [blockNumber, false])).timestamp);
}

async function startGateway(env, port) {
  const gateway = await GatewayProcess.start(env, logFile);
  await gateway.ready(`http://127.0.0.1:${port}`);
  return gateway;
}

async function main({ shop, node, clock }) {
  const { sql } = shop.gateway;
  const cursors = async () => {
    const rows = await sql.query('select chain, height, hash from chain_cursors order by chain');
    return Object.fromEntries(
      rows.map(({ chain, height, hash }) => [chain, { height: Number(height), hash }]),
    );
  };
  const drivers = { bitcoin: utxoDriver(node), ethereum: await evmDriver(shop.chain) };
  const tips = async () => ({ bitcoin: await drivers.bitcoin.tip(), ethereum: await drivers.ethereum.tip() });
  const isAtTips = async () => JSON.stringify(await cursors()) === JSON.stringify(await tips());

  const { token, asked } = await askForPayments({ shop, clock });
  const watcher = shop.gateway.get(ChainWatcherService);
  for (const slug of ['bitcoin', 'ethereum']) await watcher.drain(slug);

  const port = await freePort();
  const start = () => startGateway(production({ shop, node }, port), port);
  await check('the gateway follows two chains and is killed', async () => {
    const gateway = await start();
    await shop.chain.mine();
    await node.mine();
    await until('the cursors', isAtTips);
    await gateway.kill();
  });

  const before = await cursors();
  const begin = clock.unixSeconds();
  await check(`${BLOCKS} blocks on each chain while it is away`, async () => {
    const { transfers, expired } = await goOn({ shop, node, asked, begin });
    expect(expired > PAYMENTS / 4, `only ${expired} transfers to expired links`);
    process.stdout.write(
      `        ${transfers} transfers to ${PAYMENTS} payments, ${expired} of them to expired links\n`,
    );
    for (const [code, [, price]] of Object.entries(PRICES)) shop.rates.setPrice(code, 'USD', price);
    const now = await tips();
    for (const chain of ['bitcoin', 'ethereum'])
      expect(now[chain].height - before[chain].height >= BLOCKS, `${chain}: ${now[chain].height}`);
  });

  await check('it is killed once more while it catches up', async () => {
    const gateway = await start();
    await until('the first blocks', async () => {
      const now = await cursors();
      return (
        now.ethereum.height > before.ethereum.height + 100 && now.bitcoin.height > before.bitcoin.height + 100
      );
    });
    await gateway.kill();
  });

  const gateway = await check('after the restart it catches up', async () => {
    const from = await cursors();
    const started = await start();
    const since = performance.now();
    const done = {};
    await until('the tips', async () => {
      const [now, tip] = [await cursors(), await tips()];
      for (const chain of ['bitcoin', 'ethereum'])
        if (now[chain].hash === tip[chain].hash) done[chain] ??= (performance.now() - since) / 1_000;
      return done.bitcoin && done.ethereum;
    });
    for (const chain of ['bitcoin', 'ethereum']) {
      const blocks = (await tips())[chain].height - from[chain].height;
      const rate = (blocks / done[chain]).toFixed(0);
      process.stdout.write(
        `        ${chain}: ${blocks} blocks in ${done[chain].toFixed(1)} s, ${rate} a second\n`,
      );
    }
    return started;
  });
  if (!gateway) return;

  const read = async ({ id }) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/payment/${id}`, {
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-proto': 'https' },
    });
    expect(answer.ok, `${answer.status} ${await answer.clone().text()}`);
    return (await answer.json()).data;
  };
  try {
    await check('every payment has all of its transfers, each once, and the right status', async () => {
      const counts = {};
      for (const payment of asked) {
        const expected = outcome(payment);
        let seen = null;
        await until(`${payment.method} ${expected.status} ${expected.received}`, async () => {
          const { status, receivedAmount, transactions } = await read(payment);
          seen = JSON.stringify({ status, receivedAmount, transactions });
          return status === expected.status && BigInt(receivedAmount.amount) === expected.received;
        }).catch((error) => {
          throw new Error(`${error.message}: ${seen}`, { cause: error });
        });
        const { transactions } = await read(payment);
        const found = transactions.map(({ txHash, amount, late }) => `${txHash} ${amount.atomic} ${late}`);
        const sent = payment.sent.map((one) => [one.txHash, one.amount, one.isLate].join(' '));
        expect(
          found.toSorted().join() === sent.toSorted().join(),
          `${found.join()}\ninstead of\n${sent.join()}`,
        );
        const kind = `${expected.status}${payment.sent.some(({ isLate }) => isLate) ? ', late' : ''}`;
        counts[kind] = (counts[kind] ?? 0) + 1;
      }
      for (const [kind, count] of Object.entries(counts)) process.stdout.write(`        ${count} ${kind}\n`);
      expect(Object.keys(counts).length >= 3, 'too few kinds of outcomes');
    });
    await check('the credits of every key are what the chain alone says', async () => {
      for (const [slug, family] of [
        ['ethereum', 'evm'],
        ['bitcoin', 'bitcoin'],
      ]) {
        const rows = await sql.query(CREDITED, [slug, family]);
        const paid = await drivers[slug].paid(rows.map(({ key }) => key));
        const wrong = rows.filter(({ amount }, i) => BigInt(amount) !== paid[i]);
        expect(rows.length > 0 && wrong.length === 0, `${slug}: ${wrong.length} of ${rows.length} are wrong`);
        process.stdout.write(`        ${slug}: 0 of ${rows.length} keys are wrong\n`);
      }
    });
  } finally {
    await gateway.kill();
  }
  // The production profile announces over TLS only, which this merchant has not.
  await check('the merchant gets one event for each completed payment', async () => {
    clock.advanceSeconds(AGO + 86_400);
    // As though the minute had passed for which a killed process keeps what it was sending.
    await shop.gateway.sql.query(
      'update webhook_deliveries set lease_until = now() where lease_until > now()',
    );
    await shop.settle();
    for (const payment of asked) {
      const times = shop.events(payment).filter((event) => event === 'payment.received').length;
      const expected = outcome(payment).status === 'RECEIVED' ? 1 : 0;
      expect(times === expected, `payment.received came ${times} times of ${payment.id}, not ${expected}`);
    }
  });
}

const CREDITED = `
  select d.key, coalesce(sum(t.amount), 0) as amount
  from deposit_addresses d
  left join payment_transfers t on t.deposit_address_id = d.id and t.chain = $1 and t.asset = 'native'
    and t.block_height is not null and t.state in ('pending', 'confirmed')
  where d.family = $2 group by d.key order by d.key`;

/** In time at the price that was shown, late at the price of the restart. */
function outcome({ method, parts, sent }) {
  const [shown, later] = PRICES[method.toUpperCase()].map(Number);
  const received = sent.reduce((sum, { isLate }) => {
    const cents = ASKED / BigInt(parts.length);
    return sum + (isLate ? (cents * BigInt(later)) / BigInt(shown) : cents);
  }, 0n);
  return { received, status: received < ASKED ? 'UNDERPAID' : 'RECEIVED' };
}

/** The same for those who asked for the payments and for the program that comes back. */
const SHARED = {
  APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CHECKOUT_SIGNING_KEY: 'offline-checkout-signing-key-with-enough-length',
  CHAIN_BITCOIN_NETWORK: 'regtest',
  CHAIN_STALL_BLOCKS: '0',
  WALLET_XPUB_ACCOUNTS: 'all',
  WALLET_BITCOIN_XPUB: account.publicExtendedKey,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  RATE_LIMIT_READS: '0',
};

function production({ node, shop: { chain, rates, tokens, gateway } }, port) {
  return {
    ...SHARED,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: 'https://pay.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATABASE_URL: gateway.databaseUrl,
    CHAIN_BITCOIN_RPC_URL: node.url,
    CHAIN_ETHEREUM_RPC_URL: chain.url,
    CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
    CHAIN_ETHEREUM_TOKENS: `USDT:${tokens.USDT}:6,USDC:${tokens.USDC}:6`,
    RATES_KRAKEN_URL: `${rates.url}/kraken`,
    RATES_COINBASE_URL: `${rates.url}/coinbase`,
    WALLET_EVM_XPUB: EVM_XPUB,
  };
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-offline-'));
const logFile = path.join(folder, 'gateway.log');
const server = await startTestServer();
try {
  const clock = new TestClock();
  clock.advanceSeconds(-AGO);
  const time = clock.unixSeconds();
  const node = await startUtxoNode({ time });
  try {
    const env = { ...SHARED, CHAIN_BITCOIN_RPC_URL: node.url };
    const shop = await Shop.open(env, undefined, { anvil: { time }, clock });
    shop.rates.setPrice('BTC', 'USD', PRICES.BTC[0]);
    try {
      await main({ shop, node, clock });
    } finally {
      await shop.close();
    }
  } finally {
    await node.stop();
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  finish();
}
