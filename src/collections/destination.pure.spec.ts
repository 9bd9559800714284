import { readDestination } from './destination.pure.js';

describe('readDestination', () => {
  const bitcoin = { family: 'bitcoin', network: 'mainnet', name: 'Bitcoin' } as const;
  it('reads every form of address, with spaces around it', () =>
    expect(
      readDestination(bitcoin, ' bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n').key.toString('hex'),
    ).toBe('0014751e76e8199196d454941c45d1b3a323f1433bd6'));
  it.each([
    ['of another network', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'Bitcoin (mainnet)'],
    ['mistyped', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'checksum'],
    ['of nobody', '1111111111111111111114oLvT2', 'lost'],
    ['no address', 'satoshi', 'Bitcoin (mainnet)'],
    ['a private key', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', 'private key'],
  ])('refuses one that is %s, and does not repeat it', (_what, text, words) => {
    const read = () => readDestination(bitcoin, text);
    expect(read).toThrow(
      expect.objectContaining({
        extra: { errors: { destination: [expect.stringContaining(words)] } },
      }) as Error,
    );
    expect(read).not.toThrow(text);
  });
});
