import { ADDRESS_FAMILIES, familyOf } from './chain-families.pure.js';

describe('gatheringProblem', () => {
  const problems = Object.fromEntries(
    ADDRESS_FAMILIES.map((family) => [family, familyOf(family).gatheringProblem({ name: 'The Chain' })]),
  );

  it('is none where a transaction can be prepared', () => {
    expect(problems).toMatchObject({ evm: null, bitcoin: null, litecoin: null, dogecoin: null });
  });

  it.each([
    ['bitcoincash', 'Electron Cash'],
    ['tron', 'holdings/addresses'],
  ])('says on %s how the money is reached', (family, way) => {
    expect(problems[family]).toMatch(/^(be|have) .*The Chain/);
    expect(problems[family]).toContain(way);
  });
});
