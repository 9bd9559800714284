import { runCli } from '../src/cli.js';
import { skipNextBlock } from './support/skipped-blocks.js';
import { CONFIRMATIONS, Shop } from './support/shop.js';

let shop: Shop;

beforeEach(async () => {
  shop = await Shop.open();
});
afterEach(() => shop.close());

async function cli(...args: string[]) {
  const [output, errors]: [string[], string[]] = [[], []];
  const code = await runCli(args, shop.gateway.environment, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}
const setStartHeight = (height: number | string, ...more: string[]) =>
  cli('set-start-height', '--chain', 'ethereum', '--height', String(height), ...more);

async function cursorHeight(): Promise<number> {
  const [row] = await shop.gateway.sql.query<{ height: string }>(
    `select height from chain_cursors where chain = 'ethereum'`,
  );
  return Number(row?.height);
}
const audited = (act: string) =>
  shop.gateway.sql.query<{ actor_kind: string; details: object }>(
    'select actor_kind, details from audit_log where act = $1 order by seq',
    [act],
  );

describe('set-start-height above the newest applied block', () => {
  it('leaves out the blocks in between on a chain without addresses, and the watcher goes on from there', async () => {
    const applied = await cursorHeight();
    await shop.chain.mine(50);
    const { code, output } = await setStartHeight(applied + 41);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(`skipped:       ${applied + 1} to ${applied + 40}`),
    ]);
    expect(await cursorHeight()).toBe(applied + 40);
    expect(await audited('chain.blocks_skipped')).toEqual([
      { actor_kind: 'operator', details: { from: applied + 1, to: applied + 40, forced: false } },
    ]);
    const payment = await shop.createPayment(await shop.application());
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    expect(await cursorHeight()).toBe(await shop.chain.blockNumber());
  });

  it('refuses blocks that could have paid an address; forced, a rescan credits what was left out', async () => {
    const payment = await shop.createPayment(await shop.application());
    const instructions = await shop.instructions(payment);
    await shop.watch();
    const applied = await cursorHeight();
    await shop.send(instructions);
    await shop.chain.mine(30);
    const refused = await setStartHeight(applied + 21);
    expect([refused.code, refused.output, await cursorHeight()]).toEqual([1, '', applied]);
    const range = `rescan --chain ethereum --from ${applied + 1} --to ${applied + 20}`;
    for (const words of ['nothing was skipped', `${applied + 1} to ${applied + 20}`, '--force', range])
      expect(refused.errors).toContain(words);
    expect(await audited('chain.blocks_skipped')).toEqual([]);

    const forced = await setStartHeight(applied + 21, '--force');
    expect([forced.code, forced.output]).toEqual([0, expect.stringContaining(range)]);
    expect(await audited('chain.blocks_skipped')).toMatchObject([{ details: { forced: true } }]);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('OPEN');
    expect((await cli(...range.split(' '))).output).toContain('transfers credited: 1');
    await shop.settle();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('works while the watcher reads on, and leaves out only what it had not read', async () => {
    const applied = await cursorHeight();
    await shop.chain.mine(300);
    const [{ code, output }] = await Promise.all([setStartHeight(applied + 251), shop.watch()]);
    expect(code).toBe(0);
    const [, from] = /skipped: +(\d+) to /.exec(output) ?? [];
    if (from === undefined) expect(output).toMatch(/skipped: none|blocks read/);
    else expect(Number(from)).toBeGreaterThan(applied);
    await shop.watch();
    expect(await cursorHeight()).toBe(await shop.chain.blockNumber());
  });

  it('has nothing to leave out at the next block', async () => {
    const applied = await cursorHeight();
    await shop.chain.mine();
    const { code, output } = await setStartHeight(applied + 1, '--force');
    expect([code, output]).toEqual([0, expect.stringContaining('skipped: none')]);
    expect(await cursorHeight()).toBe(applied);
  });

  it('refuses when the node does not show the newest applied block', async () => {
    await shop.chain.mine(5);
    await shop.watch();
    const applied = await cursorHeight();
    await shop.chain.reorg(3);
    await shop.chain.mine(40);
    const { code, errors } = await setStartHeight(applied + 20, '--force');
    expect([code, errors]).toEqual([1, expect.stringContaining('let the watcher follow the chain first')]);
    await shop.watch();
    expect(await cursorHeight()).toBe(await shop.chain.blockNumber());
  });

  it('refuses a halted chain, and one that was never watched', async () => {
    await shop.chain.mine(20);
    await shop.gateway.sql.query(
      `update chain_cursors set halted_at = now(), halt_reason = 'deep fork' where chain = 'ethereum'`,
    );
    const halted = await setStartHeight(15);
    expect([halted.code, halted.errors]).toEqual([1, expect.stringContaining('run resume-chain first')]);
    await shop.gateway.sql.query(`delete from chain_cursors where chain = 'ethereum'`);
    const unwatched = await setStartHeight(15);
    expect([unwatched.code, unwatched.errors]).toEqual([
      1,
      expect.stringContaining('CHAIN_ETHEREUM_START_HEIGHT says where it starts'),
    ]);
  });

  it.each([
    ['a height above the newest block', '999999', 'must not be above'],
    ['what is no height', 'tip', 'must be the height of a block'],
  ])('refuses %s', async (_what, height, words) => {
    const { code, errors } = await setStartHeight(height, '--force');
    expect([code, errors]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('set-start-height at or below the newest applied block', () => {
  it('reads the blocks again, as rescan does, and credits what was missed once', async () => {
    const payment = await shop.createPayment(await shop.application());
    await shop.send(await shop.instructions(payment));
    const height = await skipNextBlock(shop);
    const { code, output, errors } = await setStartHeight(height - 2);
    expect([code, output]).toEqual([0, expect.stringContaining('transfers credited: 1')]);
    expect(errors).toContain(`read again from ${height - 2} on`);
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    const second = await setStartHeight(height - 2);
    expect([second.code, second.output]).toEqual([0, expect.stringContaining('transfers credited: 0')]);
    expect((await audited('chain.rescanned')).length).toBeGreaterThan(0);
    expect(await audited('chain.blocks_skipped')).toEqual([]);
  });
});
