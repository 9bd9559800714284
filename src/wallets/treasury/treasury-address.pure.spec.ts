import { concat, getContractAddress, pad, toHex } from 'viem';
import { Collector, Deposit } from './collector-contract.pure.js';
import {
  COLLECTOR_FACTORY,
  DEPLOYMENT_PROXY,
  depositAddressOf,
  depositSaltOf,
  parseTreasury,
  readTreasury,
  TreasuryError,
  treasuryText,
} from './treasury-address.pure.js';

const SAFE = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const NAMESPACE = '00112233445566778899aabbccddeeff';
const FIELDS = { treasury: SAFE, namespace: NAMESPACE };
const TEXT = `treasury(${SAFE},${COLLECTOR_FACTORY},passing,${NAMESPACE})`;

/** By another library than ours. */
const expected = (treasury: string, factory: string, index: number, namespace = NAMESPACE): string =>
  getContractAddress({
    opcode: 'CREATE2',
    from: factory as `0x${string}`,
    salt: concat([`0x${namespace}`, toHex(index, { size: 16 })]),
    bytecode: concat([Deposit.bytecode, pad(treasury.toLowerCase() as `0x${string}`)]),
  });

describe('the contract', () => {
  it('is at the address that its code gives: addresses of customers would change with it', () => {
    expect(COLLECTOR_FACTORY).toBe('0xC589b71eA2D9dcC0d27B6A2d5402Cd9F065dFe2E');
    expect(COLLECTOR_FACTORY).toBe(
      getContractAddress({
        opcode: 'CREATE2',
        from: DEPLOYMENT_PROXY,
        salt: pad('0x'),
        bytecode: Collector.bytecode,
      }),
    );
  });
});

describe('deposit addresses', () => {
  it.each([
    [SAFE, undefined, 0],
    [SAFE, undefined, 1],
    [OTHER, undefined, 255],
    [SAFE, OTHER, 256],
    [SAFE, undefined, 2 ** 31],
    [SAFE, undefined, Number.MAX_SAFE_INTEGER],
  ] as const)('of treasury %s, factory %s, index %d', (treasury, factory, index) => {
    const read = readTreasury({ ...FIELDS, treasury, ...(factory && { factory }) });
    const { key, address } = depositAddressOf(read, index);
    expect(address).toBe(expected(treasury, factory ?? COLLECTOR_FACTORY, index));
    expect(`0x${key.toString('hex')}`).toBe(address.toLowerCase());
  });

  it('differ by treasury, factory, namespace and index', () => {
    const treasury = readTreasury(FIELDS);
    const addresses = [
      depositAddressOf(treasury, 0),
      depositAddressOf(treasury, 1),
      depositAddressOf({ ...treasury, address: OTHER }, 0),
      depositAddressOf({ ...treasury, factory: OTHER }, 0),
      depositAddressOf({ ...treasury, namespace: NAMESPACE.replace('f', 'e') }, 0),
    ];
    expect(new Set(addresses.map(({ address }) => address)).size).toBe(5);
  });

  it('have 16 bytes of the namespace and 16 of the index as their salt', () => {
    expect(Buffer.from(depositSaltOf(NAMESPACE, 258)).toString('hex')).toBe(
      `${NAMESPACE}00000000000000000000000000000102`,
    );
  });

  it.each([
    ['negative', -1],
    ['broken', 0.5],
    ['too large', Number.MAX_SAFE_INTEGER + 1],
    ['no number', Number.NaN],
  ])('refuse an index that is %s', (_why, index) => {
    expect(() => depositSaltOf(NAMESPACE, index)).toThrow('index: must be an integer');
  });

  it('refuse a namespace of another form', () => {
    expect(() => depositSaltOf('', 0)).toThrow('namespace: must be 32');
  });
});

describe('a treasury', () => {
  it('is read as people write addresses, and kept with checksums', () => {
    const { address, factory, kind } = readTreasury({
      ...FIELDS,
      treasury: SAFE.toLowerCase(),
      factory: OTHER.toLowerCase(),
    });
    expect([address, factory, kind]).toEqual([SAFE, OTHER, 'passing']);
  });

  it('is stored as one text', () => {
    expect(treasuryText(readTreasury(FIELDS))).toBe(TEXT);
    expect(parseTreasury(TEXT)).toEqual(readTreasury(FIELDS));
  });

  it.each([
    ['an address without checksum', { treasury: 'hello' }, 'treasury', 'malformed'],
    ['a short address', { treasury: SAFE.slice(0, -1) }, 'treasury', 'malformed'],
    ['spaces', { treasury: ` ${SAFE}` }, 'treasury', 'malformed'],
    ['a mistyped character', { treasury: SAFE.replace('E', 'e') }, 'treasury', 'checksum'],
    ['zero', { treasury: `0x${'0'.repeat(40)}` }, 'treasury', 'unspendable'],
    ['a precompiled contract', { treasury: `0x${'1ff'.padStart(40, '0')}` }, 'treasury', 'unspendable'],
    ['the dead', { treasury: '0x000000000000000000000000000000000000dEaD' }, 'treasury', 'unspendable'],
    ['our contract', { treasury: COLLECTOR_FACTORY }, 'treasury', 'own'],
    [
      'our contract, with another factory',
      { treasury: COLLECTOR_FACTORY, factory: OTHER },
      'treasury',
      'own',
    ],
    ['its own factory', { treasury: OTHER, factory: OTHER.toLowerCase() }, 'treasury', 'own'],
    ['the proxy', { treasury: DEPLOYMENT_PROXY.toLowerCase() }, 'treasury', 'own'],
    ['a mistyped factory', { factory: OTHER.replace('E', 'e') }, 'factory', 'checksum'],
    ['an empty factory', { factory: '' }, 'factory', 'malformed'],
    ['another kind', { kind: 'lasting' }, 'kind', 'form'],
    ['a short namespace', { namespace: 'ab' }, 'namespace', 'form'],
    ['a namespace in upper case', { namespace: NAMESPACE.toUpperCase() }, 'namespace', 'form'],
    ['a namespace with prefix', { namespace: `0x${NAMESPACE}` }, 'namespace', 'form'],
    ['a namespace with a line break', { namespace: `${NAMESPACE}\n` }, 'namespace', 'form'],
  ])('is refused with %s', (_why, change, field, problem) => {
    const read = (): unknown => readTreasury({ ...FIELDS, ...change });
    expect(read).toThrow(TreasuryError);
    expect(read).toThrow(expect.objectContaining({ field, problem }));
  });

  it.each([
    ['nothing', ''],
    ['an xpub', 'xpub6Cxyz'],
    ['a part less', TEXT.replace('passing,', '')],
    ['a part more', TEXT.replace(')', ',1)')],
    ['another spelling', TEXT.replace(SAFE, SAFE.toLowerCase())],
    ['a line break', `${TEXT}\n`],
    ['a space', TEXT.replace(',', ', ')],
    ['another kind', TEXT.replace('passing', 'lasting')],
  ])('is not parsed from a text with %s', (_why, text) => {
    expect(() => parseTreasury(text)).toThrow(TreasuryError);
  });
});
