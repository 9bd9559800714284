import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_CATALOG } from '../src/chains/chain-catalog.pure.js';
import { TOKEN_CONTRACTS } from '../src/chains/token-contracts.pure.js';

/** Compares the chains in the documentation with the catalog. */
const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '..', 'docs', file), 'utf8');

describe('docs/reference/catalog.md', () => {
  it('lists every chain as the catalog has it', () => {
    const rows = read('reference/catalog.md')
      .split('\n')
      .filter((line) => /^\| `[a-z-]+` /.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows.map(([, ...cells]) => cells.slice(0, 5))).toEqual(
      CHAIN_CATALOG.map(({ slug, chainId, confirmationsRequired, assets: [native, ...tokens] }) => [
        `\`${slug}\``,
        String(chainId ?? 'none'),
        native?.currencyCode,
        String(confirmationsRequired),
        tokens.map(({ currencyCode }) => currencyCode).join(', ') || 'none',
      ]),
    );
  });

  it('shows contracts of the token table only', () => {
    const shown = read('reference/catalog.md').match(/0x[0-9a-fA-F]{40}/g) ?? [];
    expect(shown).toHaveLength(2);
    const known = TOKEN_CONTRACTS.map(({ contract }) => contract);
    expect(shown.filter((contract) => !known.includes(contract))).toEqual([]);
  });
});

describe('docs/reference/configuration-chains.md', () => {
  it('names the variable of every chain', () => {
    const [, names = ''] = /Known today: (.+?)\. /.exec(read('reference/configuration-chains.md')) ?? [];
    expect(names.replaceAll('`', '').split(', ')).toEqual(
      CHAIN_CATALOG.map(({ slug }) => slug.toUpperCase().replaceAll('-', '_')),
    );
  });
});
