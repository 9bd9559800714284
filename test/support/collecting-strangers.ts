import type { Treasury } from '../../src/wallets/treasury/treasury-address.pure.js';
import type { Hex, TestChain } from './anvil.js';
import {
  actCall,
  addressOf,
  askMany,
  balanceCall,
  collectCall,
  deployFactory,
  HABITS,
  newTreasury,
  saltOf,
} from './collecting.js';
import { Actor, OddToken } from './contracts/collecting/artifacts.js';
import { installMulticall3 } from './multicall3.js';
import { seededRandom } from './seeded-random.js';

const DEPOSITS = 30;
const COIN = 1_000n;
const TOKENS = 70n;

/** How much of each asset is at the deposits of a treasury, and how much at the treasury. */
export interface Holdings {
  treasury: string;
  /** Of the coin, then of each token: the sum of all, which must never change. */
  sums: bigint[];
  /** What reached the treasury. */
  arrived: bigint[];
}

/**
 * Strangers call the contract that collects with whatever they like: any treasury, salts of any, tokens of every habit,
 * some of which call back, directly and through contracts. Returns what belongs to each treasury before and after.
 */
export async function letStrangersCall(
  chain: TestChain,
  seed: number,
  calls: number,
): Promise<{ before: Holdings[]; after: Holdings[]; strangers: bigint[]; succeeded: number }> {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => {
    const one = list[random(list.length)];
    if (one === undefined) throw new Error('an empty list');
    return one;
  };
  await installMulticall3(chain);
  await deployFactory(chain);
  const actor = await chain.deploy(Actor);
  const tokens: Hex[] = [];
  for (let i = 0; i < 4; i++) tokens.push((await chain.deploy(OddToken)).address);
  // Of strangers, and never paid to: whatever they would steal, they would send there.
  const thieves = [newTreasury(), newTreasury(actor.address), newTreasury(tokens[3])];
  const owned = [newTreasury(), newTreasury()];
  const indexes = Array.from({ length: DEPOSITS }, (_, index) => index);
  for (const treasury of owned) {
    const addresses = indexes.map((index) => addressOf(treasury, index));
    for (const to of addresses) await chain.sendEth({ to, value: COIN });
    for (const address of tokens)
      await chain.call({ address, abi: OddToken.abi }, 'mint', [addresses, TOKENS]);
    await chain.mine();
  }

  const tokenOf = (): Hex => (random(8) === 0 ? pick([actor.address, chain.account(2)]) : pick(tokens));
  const saltOfAny = (): Hex => saltOf(pick(owned), random(DEPOSITS + 2));
  const someCall = (): ReturnType<typeof collectCall> =>
    collectCall(
      random(3) === 0 ? pick(thieves).address : pick(owned).address,
      Array.from({ length: random(4) }, saltOfAny),
      Array.from({ length: random(4) }, tokenOf),
    );
  /** Few succeed in paying anything out at first, so that later ones still find something. */
  const habits = [...Object.values(HABITS), HABITS.calls, HABITS.reverts];

  const measure = async (): Promise<Holdings[]> =>
    Promise.all(owned.map((one) => holdingsOf(chain, one, tokens)));
  const before = await measure();
  let succeeded = 0;
  for (let done = 0; done < calls; done += 20) {
    for (const address of tokens) {
      const { data, to } = someCall();
      const args = [pick(habits), to as Hex, 0n, data as Hex] as const;
      // Tokens that are cheated themselves (by a fee) would say nothing about the contract.
      const habit = args[0] === HABITS.takesFee ? HABITS.quiet : args[0];
      await chain.call({ address, abi: OddToken.abi }, 'behave', [habit, args[1], args[2], args[3]]);
    }
    const hashes: Hex[] = [];
    for (let i = 0; i < 20; i++) {
      const call = someCall();
      const { to, data } = random(4) === 0 ? actCall(actor.address, [call, someCall()]) : call;
      const gas = random(5) === 0 ? BigInt(100_000 + random(900_000)) : 5_000_000n;
      hashes.push(await chain.send({ from: pick(chain.accounts), to: to as Hex, data: data as Hex, gas }));
    }
    await chain.mine(8);
    for (const hash of hashes) if ((await chain.receipt(hash))?.status === '0x1') succeeded += 1;
  }
  for (const address of tokens)
    await chain.call({ address, abi: OddToken.abi }, 'behave', [HABITS.quiet, actor.address, 0n, '0x']);
  await chain.mine();
  const after = await measure();
  const strangers = await Promise.all(
    [...thieves.map(({ address }) => address as Hex), ...chain.accounts].map(async (who) => {
      const held = await askMany(
        chain,
        tokens.map((token) => balanceCall(token, who)),
      );
      return held.reduce((sum, one) => sum + one, 0n);
    }),
  );
  strangers.push(...(await Promise.all(thieves.map(({ address }) => chain.balance(address as Hex)))));
  return { before, after, strangers, succeeded };
}

async function holdingsOf(chain: TestChain, treasury: Treasury, tokens: Hex[]): Promise<Holdings> {
  const home = treasury.address as Hex;
  const all = [home, ...Array.from({ length: DEPOSITS + 2 }, (_, index) => addressOf(treasury, index))];
  const coins = await Promise.all(all.map((who) => chain.balance(who)));
  const rows = [coins];
  for (const token of tokens)
    rows.push(
      await askMany(
        chain,
        all.map((who) => balanceCall(token, who)),
      ),
    );
  return {
    treasury: treasury.address,
    sums: rows.map((row) => row.reduce((sum, one) => sum + one, 0n)),
    arrived: rows.map(([first = 0n]) => first),
  };
}
