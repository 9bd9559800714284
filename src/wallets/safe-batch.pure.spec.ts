import { safeBatchOf, safeChecksum } from './safe-batch.pure.js';

const SAFE = '0x52908400098527886E0F7030069857D2E4169EE7';
const CALL = { to: '0x8617E340B3D01FA5F11F306F4090FD50E238070D', data: '0x62c205d9', value: '0x0' } as const;
const BATCH = {
  chainId: 137,
  safe: SAFE,
  name: 'Collect',
  createdAt: 1_780_000_000_000,
  calls: [CALL, CALL],
};

describe('a file for the Transaction Builder', () => {
  it('has the checksum that the app computes: its own example', () => {
    const owner = '0x49d4450977E2c95362C13D3a31a09311E0Ea26A6';
    const method = (type: string, title: string) => ({
      inputs: [{ internalType: type, name: `param${title}`, type }],
      name: `test${title}`,
      payable: false,
    });
    const example = {
      version: '1.0',
      chainId: '4',
      createdAt: 1646321521061,
      meta: {
        name: 'test batch file',
        txBuilderVersion: '1.4.0',
        checksum: '',
        createdFromSafeAddress: '0xDF8a1Ce35c9a6ACE153B4e0767942f1E2291a1Aa',
        createdFromOwnerAddress: owner,
      },
      transactions: [
        {
          to: owner,
          value: '0',
          contractMethod: method('address', 'Address'),
          contractInputsValues: { paramAddress: owner },
        },
        {
          to: owner,
          value: '0',
          contractMethod: method('bool', 'Bool'),
          contractInputsValues: { paramAddress: '', paramBool: 'false' },
        },
        {
          to: owner,
          value: '2000000000000000000',
          data: '0x42f4579000000000000000000000000049d4450977e2c95362c13d3a31a09311e0ea26a6',
        },
      ],
    };
    const known = '0x4ecbfd364aa6759983915644e73f8bd411e85a2dc306f252a387c2728c4db64c';
    expect(safeChecksum(example)).toBe(known);
    expect(safeChecksum({ ...example, meta: { ...example.meta, name: 'another' } })).toBe(known);
    expect(safeChecksum({ ...example, transactions: example.transactions.toReversed() })).not.toBe(known);
  });

  it('has what the app reads, and a checksum over all but itself', () => {
    const batch = safeBatchOf(BATCH);
    const { checksum, ...meta } = batch.meta;
    expect(batch).toMatchObject({ version: '1.0', chainId: '137', createdAt: 1_780_000_000_000 });
    expect(meta).toMatchObject({ name: 'Collect', createdFromSafeAddress: SAFE });
    const transaction = { to: CALL.to, value: '0', data: CALL.data, contractMethod: null };
    expect(batch.transactions).toEqual([1, 2].map(() => ({ ...transaction, contractInputsValues: null })));
    expect(safeChecksum({ ...batch, meta })).toBe(checksum);
    expect(safeBatchOf({ ...BATCH, chainId: 1 }).meta.checksum).not.toBe(checksum);
  });
});
