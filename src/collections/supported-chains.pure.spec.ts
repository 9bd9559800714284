import { unsupportedProblem } from './supported-chains.pure.js';

describe('unsupportedProblem', () => {
  it.each(['bitcoin', 'litecoin', 'dogecoin', 'evm'] as const)('is none on %s', (family) =>
    expect(unsupportedProblem({ family, name: family })).toBeNull(),
  );
  it.each([
    ['bitcoincash', 'Electron Cash'],
    ['tron', 'holdings/addresses'],
  ] as const)('says on %s how the money is reached', (family, words) =>
    expect(unsupportedProblem({ family, name: family })).toContain(words),
  );
});
