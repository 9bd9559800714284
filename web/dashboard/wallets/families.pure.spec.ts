import type { KeyReading } from '../../../sdk/src/derivation.js';
import { familiesOf, readingsHere } from './families.pure.js';

const chain = (name: string, family: string, addressRegex: string, enabled = true) => ({
  name,
  family,
  enabled,
  addressRegex,
});
const CHAINS = [
  chain('Ethereum', 'evm', '^0x'),
  chain('Base', 'evm', '^0x'),
  chain('Bitcoin', 'bitcoin', '^(bcrt1|2)'),
  chain('Tron', 'tron', '^T', false),
];
const reading = (network: KeyReading['network'], ...addresses: string[]): KeyReading => ({
  network,
  scriptType: null,
  fingerprint: '00000000',
  masterFingerprint: null,
  accountPath: "m/84'/0'/0'",
  key: '',
  addresses,
});

describe('familiesOf', () => {
  it('lists the families of enabled blockchains with their names', () =>
    expect(familiesOf(CHAINS)).toEqual([
      { family: 'evm', names: ['Ethereum', 'Base'] },
      { family: 'bitcoin', names: ['Bitcoin'] },
    ]));

  it('lists nothing without blockchains', () => expect(familiesOf([])).toEqual([]));
});

describe('readingsHere', () => {
  const TESTNET = reading('testnet', 'tb1a', 'tb1b');
  const REGTEST = reading('regtest', 'bcrt1a', 'bcrt1b');

  it.each<[string, KeyReading[], string, KeyReading[]]>([
    ['of the network of this gateway', [TESTNET, REGTEST], 'bitcoin', [REGTEST]],
    ['of another network', [TESTNET], 'bitcoin', []],
    ['of another family', [REGTEST], 'evm', []],
    ['of a family that is not enabled', [reading('mainnet', 'Ta')], 'tron', []],
    [
      'that two networks share',
      [reading('testnet', '2a'), reading('regtest', '2a')],
      'bitcoin',
      [reading('testnet', '2a')],
    ],
    ['of which one is of another form', [reading('regtest', 'bcrt1a', 'tb1b')], 'bitcoin', []],
    ['without addresses', [reading('regtest')], 'bitcoin', []],
  ])('keeps, of readings %s, those that are', (_what, readings, family, kept) =>
    expect(readingsHere(readings, family, CHAINS)).toEqual(kept),
  );
});
