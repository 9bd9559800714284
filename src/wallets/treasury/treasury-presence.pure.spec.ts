import { CHAIN_CATALOG } from '../../chains/chain-catalog.pure.js';
import { describePresence, tokenAt } from './treasury-presence.pure.js';

const on = (name: string, isContract: boolean | null) => ({ name, isContract });

describe('what an address is on all chains', () => {
  it.each([
    ['a wallet', [on('Ethereum', false), on('Base', false)]],
    ['a Safe that is everywhere', [on('Ethereum', true), on('Base', true)]],
    ['a wallet, on one chain', [on('Ethereum', false)]],
    ['a Safe, on one chain', [on('Ethereum', true)]],
    ['anything, where there is no chain', []],
  ])('is fine for %s', (_what, found) => {
    expect(describePresence(found)).toEqual({ problem: null, unknown: [] });
  });

  it('is a problem for a contract that is not everywhere, with the names of the chains', () => {
    const { problem } = describePresence([on('Ethereum', true), on('Base', false), on('Polygon', true)]);
    expect(problem).toContain('on Ethereum, Polygon and not on Base;');
  });

  it.each([
    ['nothing is known', [on('Ethereum', null)], ['Ethereum']],
    ['the others have no contract', [on('Ethereum', false), on('Base', null)], ['Base']],
    ['the others have one', [on('Ethereum', true), on('Base', null)], ['Base']],
  ])('is not known where a node does not answer, and %s', (_what, found, unknown) => {
    expect(describePresence(found)).toEqual({ problem: null, unknown });
  });

  it('is refused by what is known already, whoever else does not answer', () => {
    const found = [on('Ethereum', true), on('Base', false), on('Polygon', null)];
    expect(describePresence(found).problem).toContain('on Ethereum and not on Base');
  });
});

describe('the token at an address', () => {
  it('is found on every chain of the catalog, by every contract in it', () => {
    const contracts = CHAIN_CATALOG.filter(({ family }) => family === 'evm').flatMap(({ name, assets }) =>
      assets.flatMap(({ asset, currencyCode }) =>
        asset === 'native'
          ? []
          : [{ key: Buffer.from(asset.slice(2), 'hex'), is: `${currencyCode} on ${name}` }],
      ),
    );
    expect(contracts.length).toBeGreaterThan(5);
    for (const { key, is } of contracts) expect(tokenAt(key, CHAIN_CATALOG)).toBe(is);
  });

  it('is none where there is a wallet, and no coin', () => {
    expect(tokenAt(Buffer.alloc(20, 7), CHAIN_CATALOG)).toBeNull();
  });
});
