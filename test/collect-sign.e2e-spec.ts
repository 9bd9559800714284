/**
 * @inOrder One shop whose addresses have keys, and is emptied by the offline signer.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import type { Hex } from './support/anvil.js';
import { heard } from './support/collect-programs.js';
import { CollectStage, flipped } from './support/collect-stage.js';

const DEPOSITS = 100;
const FROZEN = [10, 30];
const BNB = 10n ** 17n;
/** Ten US dollars. */
const TOKENS = 10n ** 7n;

const destination = toChecksumAddress(randomBytes(20)) as Hex;
const deposits: Hex[] = [];
let file: string;
let stage: CollectStage;
const phrase = entropyToMnemonic(randomBytes(16), wordlist);

beforeAll(async () => {
  stage = await CollectStage.open(phrase);
});
afterEach(() => stage.proxy.setFaults({}));
afterAll(() => stage?.close());

/** The address of a new payment. @param amount US cents */
async function paidIn(coin: string, amount: number): Promise<Hex> {
  const payment = await stage.shop.createPayment(stage.application, { amount });
  return (await stage.shop.instructions(payment, coin, 'bsc')).address as Hex;
}

it('a plan says what is there and what it costs, without what is frozen or not worth it', async () => {
  await stage.bsc.call(stage.usdt, 'mint', [[stage.bsc.account(0)], 1_000n * TOKENS]);
  for (let i = 0; i < DEPOSITS; i++) {
    const coin = ['bnb', 'usdc', 'usdt', 'usdc'][i % 4] ?? '';
    const to = await paidIn(coin, 1_000);
    deposits.push(to);
    // The last has a speck that costs more than it is.
    if (i % 4 === 0) await stage.bsc.sendEth({ to, value: BNB });
    if (i === DEPOSITS - 1) await stage.bsc.sendToken({ token: stage.usdc, to, value: 100n });
    else if (i % 4 === 1 || i % 4 === 3) await stage.bsc.sendToken({ token: stage.usdc, to, value: TOKENS });
    if (i !== DEPOSITS - 1 && (i % 4 === 2 || i % 4 === 3))
      await stage.bsc.call(stage.usdt, 'transfer', [to, TOKENS]);
    if (i % 20 === 19) await stage.bsc.mine();
  }
  await stage.bsc.call(stage.usdt, 'freeze', [FROZEN.flatMap((i) => deposits[i] ?? [])]);
  // Not paid yet: coin for its fees would count for the price.
  const open = await paidIn('usdc', 2_500);
  await stage.bsc.sendToken({ token: stage.usdc, to: open, value: TOKENS });
  await stage.watch();
  const { leftOut } = await stage.collect();
  const of = (some: string) => leftOut.filter(({ reason }) => reason === some).map(({ address }) => address);
  expect(of('refused').toSorted()).toEqual(FROZEN.flatMap((i) => deposits[i] ?? []).toSorted());
  expect(of('uneconomic')).toEqual([deposits[DEPOSITS - 1]]);
  const plan = await stage.onlyPlan();
  expect([of('of_key').includes(open), plan.addresses.some(({ address }) => address === open)]).toEqual([
    true,
    false,
  ]);
  expect(plan).toMatchObject({
    chainId: 56,
    accountPath: "m/44'/60'/0'",
    keyOwner: 'application',
    transferGas: 21_000,
    funding: { path: '1/0', nonce: 0, balance: '0' },
  });
  expect(plan.addresses).toHaveLength(DEPOSITS - FROZEN.length - 1);
  const one = plan.addresses.find(({ index }) => index === 3);
  expect(one).toMatchObject({
    address: deposits[3],
    path: '0/3',
    nonce: 0,
    balance: '0',
    tokens: [
      { contract: stage.usdc, decimals: 6, amount: String(TOKENS) },
      { contract: stage.usdt.address, decimals: 6, amount: String(TOKENS) },
    ],
  });
  expect(one?.lacking).toBe(one?.fees);
  expect(plan.addresses.find(({ index }) => index === 0)).toMatchObject({
    balance: String(BNB),
    tokens: [],
    lacking: '0',
  });
});

it('is not signed before the account that pays the fees holds them', async () => {
  const plan = await stage.onlyPlan();
  const answer = await stage.sign(['--to', destination], [phrase, 'yes']);
  expect([answer.code, answer.said]).toEqual([
    2,
    expect.stringContaining(`${plan.funding.address} lacks 0.0`),
  ]);
  await stage.bsc.sendEth({ to: plan.funding.address as Hex, value: BigInt(plan.funding.needed) + BNB });
  await stage.bsc.mine();
});

const other = entropyToMnemonic(randomBytes(16), wordlist);
const wrongWord = phrase.replace(/\w+$/, 'zoo zoo');
it.each<[what: string, args: () => string[], lines: () => string[], says: RegExp]>([
  [
    'another phrase',
    () => ['--to', destination],
    () => [other, 'yes'],
    /97 of 97 addresses are not of this key/,
  ],
  [
    'another account',
    () => ['--to', destination, '--account', "m/44'/60'/1'"],
    () => [phrase, 'yes'],
    /97 of 97 addresses/,
  ],
  [
    'a passphrase',
    () => ['--to', destination, '--passphrase'],
    () => [phrase, 'more', 'yes'],
    /97 of 97 addresses/,
  ],
  ['a mistyped phrase', () => ['--to', destination], () => [wrongWord, 'yes'], /no recovery phrase/],
  ['a public key', () => ['--to', destination], () => [stage.account.publicExtendedKey, 'yes'], /public key/],
  ['no key', () => ['--to', destination], () => [], /No key was given/],
  ['a deposit of the plan', () => ['--to', deposits[7] ?? ''], () => [phrase, 'yes'], /address of this plan/],
  ['a later deposit', () => ['--to', stage.addressAt(200)], () => [phrase, 'yes'], /address of this account/],
  ['a wrong checksum', () => ['--to', flipped(destination)], () => [phrase, 'yes'], /wrong checksum/],
  [
    'no checksum',
    () => ['--to', destination.toLowerCase()],
    () => [phrase, 'yes'],
    /spelled with its checksum/,
  ],
  ['nobody', () => ['--to', `0x${'0'.repeat(40)}`], () => [phrase, 'yes'], /nobody can spend from/],
  [
    'the token',
    () => ['--to', toChecksumAddress(Buffer.from(stage.usdc.slice(2), 'hex'))],
    () => [phrase, 'yes'],
    /contract of a token/,
  ],
  ['the phrase as an argument', () => ['--to', destination, ...other.split(' ')], () => [], /no option/],
])('refuses %s', async (_what, args, lines, says) => {
  const answer = await stage.sign(args(), lines());
  expect(answer.code).toBe(2);
  expect(answer.said).toMatch(says);
  for (const secret of [phrase, other, wrongWord]) expect(answer.said).not.toContain(secret);
  expect(readdirSync(stage.programs.work)).toEqual(['plan.json']);
});

it('refuses a plan that somebody has changed', async () => {
  const text = JSON.stringify(await stage.onlyPlan());
  type Changed = { chainId: unknown; funding: { address: string }; addresses: { address: string }[] };
  const changes: [(plan: Changed) => void, RegExp][] = [
    [({ funding }) => (funding.address = destination), /account that pays the fees is not of this key/],
    [({ addresses: [one] }) => one && (one.address = stage.addressAt(300)), /1 of 97 addresses/],
    [(plan) => (plan.chainId = '56'), /chainId: must be a whole number/],
    [({ addresses }) => addresses[0] && addresses.push(addresses[0]), /is there twice/],
  ];
  for (const [change, says] of changes) {
    const copy = JSON.parse(text) as Changed;
    change(copy);
    writeFileSync(path.join(stage.programs.work, 'plan.json'), JSON.stringify(copy));
    const answer = await stage.sign(['--to', stage.addressAt(3_000)], [phrase, 'yes']);
    expect([answer.code, answer.said]).toEqual([2, expect.stringMatching(says)]);
  }
});

it('says what it signs, and signs nothing without a yes', async () => {
  await stage.onlyPlan();
  for (const word of ['no', 'y', '']) {
    const answer = await stage.sign(['--to', destination], [phrase, word]);
    expect([answer.code, answer.said]).toEqual([1, expect.stringContaining('Nothing was signed.')]);
  }
  expect(readdirSync(stage.programs.work)).toEqual(['plan.json']);
});

it('writes a file, and the phrase nowhere', async () => {
  const answer = await stage.sign(['--to', destination], [phrase, 'yes']);
  expect(answer.code).toBe(0);
  file = path.join(stage.programs.work, 'signed-transactions.json');
  const { transactions } = stage.readFile('signed-transactions.json');
  expect(answer.said).toContain(`Everything to: ${destination}`);
  expect(answer.said).toMatch(/Arrives: {7}490 USDC in 49 /);
  expect(answer.said).toMatch(/Arrives: {7}470 USDT in 47 /);
  expect(answer.said).toMatch(/Arrives: {7}2\.49\d+ BNB in 25 /);
  expect(transactions.map(({ kind }) => kind)).toEqual([
    ...Array<string>(72).fill('fee'),
    ...transactions.slice(72).map(({ kind }) => kind),
  ]);
  const words = phrase.split(' ');
  const texts = [
    answer.said,
    answer.shown,
    ...readdirSync(stage.programs.work).map((name) =>
      readFileSync(path.join(stage.programs.work, name), 'utf8'),
    ),
  ];
  for (const text of texts) {
    expect(text).not.toContain(phrase);
    expect(text).not.toContain(words.slice(0, 3).join(' '));
    expect(text).not.toContain(stage.account.privateExtendedKey);
    for (const { index } of (await stage.collect()).plans.flatMap(({ addresses }) => addresses.slice(0, 3)))
      expect(text).not.toContain(
        Buffer.from(stage.account.derive(`m/0/${index}`).privateKey ?? '-').toString('hex'),
      );
  }
  expect((await stage.sign(['--to', destination], [phrase, 'yes'])).said).toContain('EEXIST');
});

it('is not sent to a node of another chain', async () => {
  const answer = await stage.programs.run('collect-send', [
    '--transactions',
    file,
    '--node',
    stage.shop.chain.url,
  ]);
  expect([answer.code, answer.said]).toEqual([2, expect.stringContaining('The node is of chain 31337')]);
});

it('brings everything to the destination, however often it is killed', async () => {
  await stage.bsc.rpc('evm_setAutomine', [true]);
  const args = ['--transactions', file, '--node', stage.proxy.url];
  // Before and after the node has got it: while fees are paid, and while addresses are emptied.
  for (const [at, isTaken] of [
    [1, false],
    [20, true],
    [15, false],
    [50, true],
    [40, false],
  ] as const) {
    const child = stage.programs.start('collect-send', args);
    let sent = 0;
    stage.proxy.setFaults({
      eth_sendRawTransaction: async (_call, answer) => {
        if (++sent !== at) return answer();
        if (isTaken) await answer();
        child.kill('SIGKILL');
        return {};
      },
    });
    expect(await heard(child)).toMatchObject({ code: null });
  }
  stage.proxy.setFaults({});
  const { transactions } = stage.readFile('signed-transactions.json');
  const all = await stage.programs.run('collect-send', args);
  expect([all.code, all.said]).toEqual([
    0,
    `${transactions.length} of ${transactions.length} transactions are done.\n`,
  ]);
  const coin = transactions.flatMap(({ kind, amount }) => (kind === 'coin' ? [BigInt(amount)] : []));
  expect(await stage.sums([destination])).toEqual([
    coin.reduce((sum, one) => sum + one, 0n),
    49n * TOKENS,
    47n * TOKENS,
  ]);
  expect((await stage.sums(deposits)).slice(1)).toEqual([100n, BigInt(FROZEN.length) * TOKENS]);
  for (const i of FROZEN) expect((await stage.sums([deposits[i] ?? '0x']))[2]).toBe(TOKENS);

  const again = await stage.programs.run('collect-send', args);
  expect([again.code, again.said]).toEqual([0, all.said]);
  expect(await stage.sums([destination])).toEqual([
    coin.reduce((sum, one) => sum + one, 0n),
    49n * TOKENS,
    47n * TOKENS,
  ]);
});

it('is seen by the next plan, which also empties the account that paid the fees', async () => {
  await stage.watch();
  const token = deposits[1] ?? '0x';
  await stage.bsc.sendToken({ token: stage.usdc, to: token, value: TOKENS });
  await stage.watch();
  const plan = await stage.onlyPlan();
  expect(plan.addresses.flatMap(({ tokens }) => tokens)).toMatchObject([
    { contract: stage.usdc, amount: String(TOKENS) },
  ]);
  expect(plan.addresses.find(({ address }) => address === token)).toMatchObject({ nonce: 1 });
  const before = await stage.sums([destination]);
  const signed = await stage.sign(
    ['--to', destination, '--out', 'rest.json', '--take-rest', '--legacy'],
    [stage.account.privateExtendedKey, 'yes'],
  );
  expect([signed.code, signed.said]).toEqual([0, expect.stringContaining('rest.json')]);
  const sent = await stage.programs.run('collect-send', [
    '--transactions',
    'rest.json',
    '--node',
    stage.bsc.url,
  ]);
  expect([sent.code, sent.said]).toEqual([0, expect.stringContaining('are done')]);
  const after = await stage.sums([destination]);
  expect((after[1] ?? 0n) - (before[1] ?? 0n)).toBe(TOKENS);
  expect((await stage.sums([plan.funding.address as Hex]))[0]).toBeLessThan(BNB / 100n);
});

it('names what the token refuses when it is too late, and what was replaced', async () => {
  const [frozen, open] = [deposits[5] ?? '0x', deposits[9] ?? '0x'] as [Hex, Hex];
  await stage.bsc.call(stage.usdt, 'transfer', [frozen, TOKENS]);
  await stage.bsc.sendToken({ token: stage.usdc, to: open, value: TOKENS });
  await stage.bsc.sendEth({ to: stage.fees, value: BNB });
  await stage.watch();
  await stage.onlyPlan();
  for (const name of ['one.json', 'two.json'])
    expect(
      (
        await stage.sign(
          ['--to', name === 'one.json' ? destination : stage.addressAt(3_000), '--out', name],
          [phrase, 'yes'],
        )
      ).code,
    ).toBe(0);
  await stage.bsc.call(stage.usdt, 'freeze', [[frozen]]);
  const first = await stage.programs.run('collect-send', [
    '--transactions',
    'one.json',
    '--node',
    stage.bsc.url,
  ]);
  expect([first.code, first.said]).toEqual([
    1,
    expect.stringMatching(new RegExp(`${frozen} 10 USDT: FAILED in a block`)),
  ]);
  // Signed from the same plan: the same numbers, so that the chain takes one of both.
  const second = await stage.programs.run('collect-send', [
    '--transactions',
    'two.json',
    '--node',
    stage.bsc.url,
  ]);
  expect([second.code, second.said]).toEqual([
    1,
    expect.stringMatching(new RegExp(`${open} 10 USDC: not needed`)),
  ]);
  expect(await stage.sums([stage.addressAt(3_000) as Hex])).toEqual([0n, 0n, 0n]);
});

it('asks for the flag of a contract before it sends coin to one', async () => {
  const [to] = deposits;
  await stage.bsc.sendEth({ to: to ?? '0x', value: BNB });
  const safe = toChecksumAddress(randomBytes(20)) as Hex;
  // LOG0 of nothing, which costs more than a plain transfer has.
  await stage.bsc.rpc('anvil_setCode', [safe, '0x60006000a000']);
  await stage.watch();
  await stage.onlyPlan();
  expect((await stage.sign(['--to', safe, '--out', 'plain.json'], [phrase, 'yes'])).code).toBe(0);
  const refused = await stage.programs.run('collect-send', [
    '--transactions',
    'plain.json',
    '--node',
    stage.bsc.url,
  ]);
  expect([refused.code, refused.said]).toEqual([2, expect.stringContaining('sign with --contract')]);
  expect(
    (await stage.sign(['--to', safe, '--out', 'contract.json', '--contract'], [phrase, 'yes'])).code,
  ).toBe(0);
  const sent = await stage.programs.run('collect-send', [
    '--transactions',
    'contract.json',
    '--node',
    stage.bsc.url,
  ]);
  expect([sent.code, sent.said]).toEqual([0, expect.stringContaining('are done')]);
  expect((await stage.sums([safe]))[0]).toBeGreaterThan((BNB * 9n) / 10n);
});

it('the gateway has nothing of the key, wherever one looks in its database', async () => {
  const tables = await stage.shop.gateway.sql.query<{
    text: string;
  }>(`select query_to_xml(format('select * from %I', tablename), true, false, '')::text as text
       from pg_tables where schemaname = current_schema()`);
  expect(tables.length).toBeGreaterThan(20);
  for (const { text } of tables) {
    expect(text).not.toContain(phrase.split(' ').slice(0, 3).join(' '));
    expect(text).not.toContain(stage.account.privateExtendedKey);
  }
});

it('a node that says too little leaves the addresses where they were', async () => {
  for (const method of ['eth_gasPrice', 'eth_getTransactionCount']) {
    stage.proxy.setFaults({ [method]: () => ({ error: { code: -32_000, message: 'overloaded' } }) });
    const { plans, leftOut } = await stage.collect();
    expect([plans, leftOut.some(({ reason }) => reason === 'of_key')]).toEqual([[], true]);
  }
});

it('a rollup’s price of data is part of the fees', async () => {
  // PUSH32 1000, and return it: the oracle of the OP stack.
  const code = `0x7f${1_000n.toString(16).padStart(64, '0')}60005260206000f3`;
  await stage.bsc.rpc('anvil_setCode', ['0x420000000000000000000000000000000000000F', code]);
  expect((await stage.onlyPlan()).fees.dataFee).toBe('2000');
});
