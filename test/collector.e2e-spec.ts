import { encodeFunctionData } from 'viem';
import { collectionsOf } from '../src/wallets/collection.pure.js';
import { Collector } from '../src/wallets/treasury/collector-contract.pure.js';
import { depositAddressOf, type Treasury } from '../src/wallets/treasury/treasury-address.pure.js';
import { type Deployed, type Hex, startAnvil, type TestChain } from './support/anvil.js';
import {
  actCall,
  addressOf,
  askMany,
  balanceCall,
  collectAll,
  collectCall,
  COLLECTOR,
  deployFactory,
  HABITS,
  newTreasury,
  run,
  saltOf,
} from './support/collecting.js';
import { MultiSend, SelfDestructSender } from './support/contracts/artifacts.js';
import { Actor, OddToken } from './support/contracts/collecting/artifacts.js';
import { installMulticall3 } from './support/multicall3.js';

const NOTHING = `0x${'0'.repeat(40)}` as const;

let chain: TestChain;
let usdc: Hex;
let odd: Deployed<typeof OddToken.abi>;
let treasury: Treasury;

beforeAll(async () => {
  chain = await startAnvil();
  await installMulticall3(chain);
  await deployFactory(chain);
  ({ address: usdc } = await chain.deployToken('USDC'));
});

beforeEach(async () => {
  odd = await chain.deploy(OddToken);
  treasury = newTreasury();
});

afterAll(async () => chain.stop());

const at = (index: number): Hex => addressOf(treasury, index);
const salts = (...indexes: number[]): Hex[] => indexes.map((index) => saltOf(treasury, index));
const mint = async (indexes: number[], value: bigint): Promise<void> => {
  await chain.call(odd, 'mint', [indexes.map(at), value]);
};
const behave = async (habit: keyof typeof HABITS, target: Hex = NOTHING, value = 0n, data: Hex = '0x') => {
  await chain.call(odd, 'behave', [HABITS[habit], target, value, data]);
};
const oddBalances = async (...who: Hex[]) =>
  askMany(
    chain,
    who.map((one) => balanceCall(odd.address, one)),
  );

describe('addresses', () => {
  it('are computed as the contract computes them, for 10,000 salts', async () => {
    const indexes = Array.from({ length: 10_000 }, (_, i) => (i < 9_000 ? i : i * 900_719_925_474));
    const answers = await askMany(
      chain,
      indexes.map((index) => ({
        to: COLLECTOR.address,
        data: encodeFunctionData({
          abi: Collector.abi,
          functionName: 'depositAddress',
          args: [treasury.address as Hex, saltOf(treasury, index)],
        }),
      })),
    );
    expect(answers).toHaveLength(10_000);
    const wrong = indexes.filter(
      (index, i) => BigInt(`0x${depositAddressOf(treasury, index).key.toString('hex')}`) !== answers[i],
    );
    expect(wrong).toEqual([]);
  });

  it('are the same on another chain, where money that came by mistake is collected, too', async () => {
    const other = await startAnvil({ chainId: 137 });
    try {
      const call = collectCall(treasury.address, salts(1), []);
      await other.sendEth({ to: at(1), value: 5n });
      // Before the contract is there, nothing happens to the money.
      await run(other, call);
      expect(await other.balance(at(1))).toBe(5n);
      await deployFactory(other);
      expect(await run(other, call)).toMatchObject({ ok: true });
      expect([await other.balance(at(1)), await other.balance(treasury.address as Hex)]).toEqual([0n, 5n]);
    } finally {
      await other.stop();
    }
  });
});

describe('a thousand deposits', () => {
  it('are in the treasury or listed with their reason, at less than 50,000 gas a token deposit', async () => {
    const all = Array.from({ length: 1_000 }, (_, index) => index);
    const frozen = all.filter((index) => index % 100 === 50);
    const some = (rest: number) => all.filter((index) => index % 4 === rest || index % 4 === 3);
    const payer = await chain.deploy(MultiSend);
    await chain.sendToken({ token: usdc, to: payer.address, value: 10_000n });
    await chain.sendEth({ to: payer.address, value: 10_000n });
    // Coins by 21,000 gas alone: an exchange's withdrawal.
    const withdrawn = all.slice(0, 8).filter((index) => index % 4 === 0);
    for (const index of withdrawn) await chain.send({ to: at(index), value: 7n, gas: 21_000n });
    const sends = [
      ...some(0)
        .filter((index) => !withdrawn.includes(index))
        .map((index) => ({ token: NOTHING, to: at(index), value: 7n })),
      ...some(1).map((index) => ({ token: usdc, to: at(index), value: 11n })),
    ];
    for (let from = 0; from < sends.length; from += 250) {
      await chain.send({
        to: payer.address,
        gas: 14_000_000n,
        data: encodeFunctionData({
          abi: MultiSend.abi,
          functionName: 'send',
          args: [sends.slice(from, from + 250)],
        }),
      });
      await chain.mine();
    }
    for (let from = 0; from < 500; from += 100) {
      await mint(some(2).slice(from, from + 100), 13n);
      await chain.mine();
    }
    await chain.call(odd, 'freeze', [frozen.map(at)]);
    await chain.sendToken({ token: usdc, to: treasury.address as Hex, value: 1n });
    await chain.mine();

    const tokensOf = (index: number) => [
      ...(index % 4 === 1 || index % 4 === 3 ? [usdc] : []),
      ...(index % 4 === 2 || index % 4 === 3 ? [odd.address] : []),
    ];
    const collections = collectionsOf(all.map((index) => ({ treasury, index, tokens: tokensOf(index) })));
    const outcomes = await collectAll(chain, collections);

    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    const left = outcomes.flatMap((outcome) => outcome.left);
    expect(left.map(({ deposit }) => deposit).toSorted()).toEqual(
      frozen.map((i) => at(i).toLowerCase()).toSorted(),
    );
    expect(new Set(left.map(({ token, amount }) => `${token} ${amount}`))).toEqual(
      new Set([`${odd.address} 13`]),
    );
    const home = treasury.address as Hex;
    expect(await chain.balance(home)).toBe(500n * 7n);
    expect(await chain.tokenBalance(usdc, home)).toBe(500n * 11n + 1n);
    expect(await oddBalances(home)).toEqual([(500n - 10n) * 13n]);
    expect(await oddBalances(...frozen.map(at))).toEqual(frozen.map(() => 13n));

    const perDeposit = (tokens: Hex[]) =>
      collections.flatMap(({ tokens: own, deposits }, i) =>
        deposits.length === 100 && own.map((token) => token.toLowerCase()).join() === tokens.join()
          ? [(outcomes[i]?.gas ?? 0) / 100]
          : [],
      );
    const honest = perDeposit([usdc]);
    expect(honest.length).toBeGreaterThan(0);
    expect(Math.max(...honest, ...perDeposit([odd.address]))).toBeLessThan(50_000);
  });
});

describe('one deposit', () => {
  it('has no code before and after, takes a coin sent with 21,000 gas again, and is collected again', async () => {
    for (const turn of [1n, 2n]) {
      await chain.send({ to: at(0), value: 9n, gas: 21_000n });
      await mint([0], 4n);
      await chain.mine();
      expect(await chain.balance(at(0))).toBe(9n);
      expect(await run(chain, collectCall(treasury.address, salts(0), [odd.address]))).toMatchObject({
        ok: true,
        left: [],
      });
      expect(await chain.rpc('eth_getCode', [at(0), 'latest'])).toBe('0x');
      expect(await chain.rpc('eth_getTransactionCount', [at(0), 'latest'])).toBe('0x0');
      expect(await chain.balance(treasury.address as Hex)).toBe(9n * turn);
      expect(await oddBalances(treasury.address as Hex)).toEqual([4n * turn]);
    }
  });

  it('pays a treasury that is a contract and accepts nothing', async () => {
    treasury = newTreasury(usdc);
    await chain.sendEth({ to: at(0), value: 9n });
    expect(await run(chain, collectCall(usdc, salts(0), []))).toMatchObject({ ok: true });
    expect(await chain.balance(usdc)).toBe(9n);
  });
});

describe('a token', () => {
  /** What is left of 100 on each of three deposits, and what the contract says. */
  const MAX = 2n ** 256n - 1n;
  it.each([
    ['quiet', 0n, null],
    ['longAnswer', 0n, null],
    ['takesFee', 0n, null],
    ['reverts', 100n, 100n],
    ['saysNo', 100n, 100n],
    ['greedy', 100n, 100n],
    ['noBalance', 100n, MAX],
    ['shortBalance', 100n, MAX],
  ] as const)('with the habit "%s" stops no other', async (habit, left, said) => {
    await mint([0, 1, 2], 100n);
    for (const index of [0, 1, 2]) {
      await chain.sendToken({ token: usdc, to: at(index), value: 10n });
      await chain.sendEth({ to: at(index), value: 5n });
    }
    await behave(habit);
    const outcome = await run(chain, collectCall(treasury.address, salts(0, 1, 2), [odd.address, usdc]));
    expect(outcome.ok).toBe(true);
    expect(outcome.left.map(({ amount }) => amount)).toEqual(said === null ? [] : [said, said, said]);
    expect(await chain.tokenBalance(usdc, treasury.address as Hex)).toBe(30n);
    expect(await chain.balance(treasury.address as Hex)).toBe(15n);
    await behave('quiet');
    await chain.mine();
    expect(await oddBalances(at(0), at(1), at(2))).toEqual([left, left, left]);
  });

  it('that is none is left, and stops no other', async () => {
    await chain.sendToken({ token: usdc, to: at(0), value: 10n });
    await chain.mine();
    const outcome = await run(chain, collectCall(treasury.address, salts(0), [chain.account(3), usdc]));
    expect(outcome).toMatchObject({ ok: true, left: [{ token: chain.account(3), amount: MAX }] });
    expect(await chain.tokenBalance(usdc, treasury.address as Hex)).toBe(10n);
  });

  it('that calls back has its own transfer fail, and nothing goes elsewhere', async () => {
    const thief = newTreasury();
    await mint([0, 1], 100n);
    await chain.sendToken({ token: usdc, to: at(1), value: 10n });
    const back = collectCall(thief.address, salts(1), [usdc]);
    await behave('calls', COLLECTOR.address, 0n, back.data as Hex);
    const outcome = await run(chain, collectCall(treasury.address, salts(0, 1), [odd.address, usdc]));
    expect(outcome).toMatchObject({ ok: true, left: [{ amount: 100n }, { amount: 100n }] });
    expect(await chain.tokenBalance(usdc, treasury.address as Hex)).toBe(10n);
  });

  it('that is the treasury and calls back changes no list', async () => {
    treasury = newTreasury(odd.address);
    await mint([0], 100n);
    await chain.sendToken({ token: usdc, to: at(0), value: 10n });
    await behave('calls', COLLECTOR.address, 0n, collectCall(odd.address, salts(1), []).data as Hex);
    const outcome = await run(chain, collectCall(odd.address, salts(0), [odd.address, usdc]));
    expect(outcome).toMatchObject({ ok: true, left: [{ amount: 100n }] });
    expect(await chain.tokenBalance(usdc, odd.address)).toBe(10n);
  });
});

describe('coins that come to an address in the transaction that collects it would vanish', () => {
  it('so no contract but the treasury may collect', async () => {
    const actor = await chain.deploy(Actor);
    await chain.sendEth({ to: actor.address, value: 10n });
    const collect = collectCall(treasury.address, salts(0), []);
    const pay = { to: at(0), data: '0x' };
    expect(await run(chain, actCall(actor.address, [collect, pay], 10n))).toMatchObject({ ok: false });
    expect(await run(chain, actCall(actor.address, [collect]))).toMatchObject({ ok: false });
    expect(await run(chain, actCall(actor.address, [pay], 10n))).toMatchObject({ ok: true });

    const own = newTreasury(actor.address);
    await chain.sendEth({ to: addressOf(own, 0), value: 3n });
    const call = collectCall(own.address, [saltOf(own, 0)], []);
    expect(await run(chain, actCall(actor.address, [call]))).toMatchObject({ ok: true });
    expect(await chain.balance(actor.address)).toBe(3n);
  });

  it('nor may an account that has borrowed code (EIP-7702)', async () => {
    const actor = await chain.deploy(Actor);
    const person = chain.account(5);
    await chain.rpc('anvil_setCode', [person, `0xef0100${actor.address.slice(2)}`]);
    const collect = collectCall(treasury.address, salts(0), []);
    const both = actCall(person, [collect, { to: at(0), data: '0x' }], 10n);
    expect(await run(chain, both, { from: person })).toMatchObject({ ok: false });
    expect(await run(chain, collect, { from: person })).toMatchObject({ ok: false });
    await chain.rpc('anvil_setCode', [person, '0x']);
    expect(await run(chain, collect, { from: person })).toMatchObject({ ok: true });
  });

  it.each(['call', 'selfdestruct'])('and a token that pays one by %s fails all', async (way) => {
    const sender = await chain.deploy(SelfDestructSender);
    await chain.sendEth({ to: odd.address, value: 10n });
    await mint([1], 1n);
    if (way === 'call') await behave('calls', at(0), 10n);
    else {
      const data = encodeFunctionData({
        abi: SelfDestructSender.abi,
        functionName: 'destroy',
        args: [at(0)],
      });
      await behave('calls', sender.address, 10n, data);
    }
    expect(await run(chain, collectCall(treasury.address, salts(0, 1), [odd.address]))).toMatchObject({
      ok: false,
    });
    expect(await chain.balance(odd.address)).toBe(10n);
    // In another order it is paid before it is collected, and arrives.
    expect(await run(chain, collectCall(treasury.address, salts(1, 0), [odd.address]))).toMatchObject({
      ok: true,
    });
    expect(await chain.balance(treasury.address as Hex)).toBe(10n);
  });
});

describe('a call', () => {
  it.each([
    [60_000n, false],
    [300_000n, false],
    [380_000n, false],
    [900_000n, true],
  ])('with %d gas leaves no token behind for want of gas', async (gas, ok) => {
    await mint([0, 1], 100n);
    await chain.mine();
    const outcome = await run(chain, collectCall(treasury.address, salts(0, 1), [odd.address]), { gas });
    expect(outcome).toMatchObject({ ok, left: [] });
    expect(await oddBalances(treasury.address as Hex)).toEqual([ok ? 200n : 0n]);
  });

  it('with a salt twice does nothing', async () => {
    await chain.sendEth({ to: at(0), value: 5n });
    expect(await run(chain, collectCall(treasury.address, salts(0, 0), []))).toMatchObject({ ok: false });
    expect(await chain.balance(at(0))).toBe(5n);
  });

  it('for no deposit, and for deposits without anything, does nothing', async () => {
    expect(await run(chain, collectCall(treasury.address, [], [usdc]))).toMatchObject({ ok: true, left: [] });
    expect(await run(chain, collectCall(treasury.address, salts(7), [usdc]))).toMatchObject({
      ok: true,
      left: [],
    });
    expect(await chain.read(COLLECTOR, 'tokensWanted', [])).toEqual([]);
  });

  it('with a coin is refused: the contract holds nothing', async () => {
    const { data } = collectCall(treasury.address, [], []);
    const hash = await chain.send({ to: COLLECTOR.address, data: data as Hex, value: 1n });
    await chain.mine();
    expect((await chain.receipt(hash))?.status).toBe('0x0');
  });
});
