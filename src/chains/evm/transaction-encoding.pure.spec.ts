import { parseGwei, parseTransaction, type TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { POLYGON } from '../../../test/support/polygon-block.js';
import { encodeTransaction, hashOf, isEncodable } from './transaction-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

type Transaction = Record<string, unknown>;

/** Block 0x112 of an OP Stack chain, whose only transaction is the deposit. */
const OPTIMISM = {
  root: '0xb01a2ad2c1ceb76f2edcdc02f2e0453c52e24c421fb04132cdfc0da5b70a593e',
  transactions: [
    {
      type: '0x7e',
      from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
      to: '0x4200000000000000000000000000000000000015',
      gas: '0xf4240',
      gasPrice: '0x0',
      nonce: '0x111',
      value: '0x0',
      mint: '0x0',
      sourceHash: '0x5a1b66228a26547e2ce6fe1aa734d2c34e062e42ccd5710463e6987890f1ad5d',
      input:
        '0x015d8eb90000000000000000000000000000000000000000000000000000000001267f330000000000000000000000000000000000000000000000000000000065da6073000000000000000000000000000000000000000000000000000000075d3f861097c24796a4f639846a6a3ea3a59c11de8d89e11f551bae8feca9271a78926d420000000000000000000000000000000000000000000000000000000000000004000000000000000000000000415c8893d514f9bc5211d36eeda4183226b84aa700000000000000000000000000000000000000000000000000000000000000bc00000000000000000000000000000000000000000000000000000000000a6fe0',
      v: '0x0',
      r: '0x0',
      s: '0x0',
      depositReceiptVersion: '0x1',
      hash: '0x13a644af4f64ce801dcd57faa823e8952f2290b810fdd31995dda62977ed3df1',
    },
  ] as Transaction[],
};

const SINGLE: Record<string, Transaction> = {
  'a legacy transaction of BNB Smart Chain testnet': {
    type: '0x0',
    chainId: '0x61',
    nonce: '0x950',
    gasPrice: '0x5f5e100',
    gas: '0x67ae',
    to: '0x14fb578f334bd6cfa80dedcabcc173620d56801c',
    value: '0x0',
    input:
      '0x095ea7b3000000000000000000000000d99d1c33f9fc3444f8101754abc46c52416550d1000000000000000000000000000000000000000000084595161401484a000000',
    r: '0x903d63ec55f53957346833f32b63ee4015021e442b0df9a3295f74883cd27e0a',
    s: '0x15ba87bb025c4db7aba180aad2bfd55652c3dfbc152f22020896c3b60d7d9e64',
    v: '0xe5',
    hash: '0x8cba86a8ace29d59fbe0058a2b6993f09408d8ebfc3e4931ea7f28ab2f5f21d6',
  },
  'the transaction with which a block of BNB Smart Chain testnet ends': {
    type: '0x0',
    chainId: '0x61',
    nonce: '0x5851f',
    gasPrice: '0x0',
    gas: '0x7fffffffffffffff',
    to: '0x0000000000000000000000000000000000001000',
    value: '0x2e9cc0fb2d84',
    input: '0xf340fa0100000000000000000000000090409f56966b5da954166eb005cb1a8790430ba1',
    r: '0x360f39b1f54a9187df0212129971ee10dfd9be23c639882dba33c8df4c87273d',
    s: '0x50d56bd784de7546e3808f9c0bcb424de42986dde80aa1f1d746940c62349395',
    v: '0xe6',
    hash: '0x5a5581d8d9dbd5ad3ac6f8ad1674140ef9bb77e47d77690d974049ac9dc74b92',
  },
  'a legacy transaction of Polygon Amoy': {
    type: '0x0',
    chainId: '0x13882',
    nonce: '0x8e',
    gasPrice: '0x746a52880f',
    gas: '0x6bfe',
    to: '0x6b94a36d6ff05886d44b3dafabdefe85f09563ba',
    value: '0x0',
    input:
      '0x095ea7b30000000000000000000000001d0888a1552996822b71e89ca735b06aed4b20a4ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    v: '0x27128',
    r: '0x4a7e9df0873ed96d55e2ab6167e63ee8c69a33308cb712857ef4254c27370a00',
    s: '0x3219636f9cfea217f3e0c5f49e47b76942132d65e5da312e6e58e044805df5d8',
    hash: '0x67fe4ffc4346bf7c7b77b4806280044450926ee030797ecbb4721513cf0268a4',
  },
  'the deposit with which a block of Base begins': {
    type: '0x7e',
    from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
    to: '0x4200000000000000000000000000000000000015',
    gas: '0xf4240',
    nonce: '0x191350e',
    value: '0x0',
    mint: '0x0',
    sourceHash: '0x990d7122a1f121f3a6bc45723e28f4921c269037a77e77ffee3c8585136d1a92',
    input:
      '0x440a5e20000008dd00101c1200000000000000030000000067acc63f00000000014d1f2d000000000000000000000000000000000000000000000000000000005ba4c0eb00000000000000000000000000000000000000000000000000000001ce2291bdcbb8f62c15343b39cfacdbf81c4747822ebb16c2518126e47d984422a82defc10000000000000000000000005050f69a9786f081509234f1a7f4684b5e5b76c9',
    hash: '0x096c03d72acb06339c9c7860d1c36b6451932ec0ff16fd34aa9e30a73a245e13',
  },
  'the transaction with which a block of Arbitrum One begins': {
    type: '0x6a',
    chainId: '0xa4b1',
    from: '0x00000000000000000000000000000000000a4b05',
    to: '0x00000000000000000000000000000000000a4b05',
    gas: '0x0',
    gasPrice: '0x0',
    nonce: '0x0',
    value: '0x0',
    input:
      '0x6bf6a42d000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000016ddb2700000000000000000000000000000000000000000000000000000000185f29e60000000000000000000000000000000000000000000000000000000000000000',
    v: '0x0',
    r: '0x0',
    s: '0x0',
    hash: '0x61d48ab94f7fccf48f4baa3903781053f932feb466474c037736e910d7ca2afe',
  },
};

describe('encodeTransaction', () => {
  it.each(Object.entries(SINGLE))('has the hash of %s', (_what, transaction) => {
    const encoded = encodeTransaction(transaction);
    expect(encoded && hashOf(encoded)).toBe(transaction['hash']);
  });

  it.each([
    ['Polygon', POLYGON],
    ['OP Stack', OPTIMISM],
  ])('has the root of a block: %s', (_what, { root, transactions }) => {
    const encoded = transactions.map((one) => encodeTransaction(one) ?? Buffer.alloc(0));
    expect(orderedTrieRoot(encoded)).toBe(root);
    expect(orderedTrieRoot(encoded.toReversed()) === root).toBe(encoded.length === 1);
  });

  const account = privateKeyToAccount(`0x${'46'.repeat(32)}`);
  const to = `0x${'35'.repeat(20)}` as const;
  const fees = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('1') };
  const common = { chainId: 1, nonce: 9, gas: 21_000n, to, value: 10n ** 18n, data: '0x' } as const;
  const storageKeys = [`0x${'01'.repeat(32)}`, `0x${'00'.repeat(32)}`] as const;
  const accessList = [{ address: to, storageKeys }];
  const hashes = [`0x01${'22'.repeat(31)}`] as const;

  it.each<[string, TransactionSerializable, Transaction]>([
    ['legacy', { ...common, type: 'legacy', gasPrice: 7n }, { type: '0x0', gasPrice: '0x7' }],
    [
      'EIP-2930',
      { ...common, type: 'eip2930', gasPrice: 7n, accessList },
      { type: '0x1', gasPrice: '0x7', accessList },
    ],
    ['EIP-1559', { ...common, type: 'eip1559', ...fees, accessList }, { type: '0x2', accessList }],
    [
      'a contract creation',
      { ...common, to: null, type: 'eip1559', ...fees },
      { type: '0x2', accessList: [], to: null },
    ],
    [
      'EIP-4844',
      { ...common, type: 'eip4844', ...fees, blobVersionedHashes: hashes, maxFeePerBlobGas: 3n },
      { type: '0x3', accessList: [], blobVersionedHashes: hashes, maxFeePerBlobGas: '0x3' },
    ],
    [
      'EIP-7702',
      {
        ...common,
        type: 'eip7702',
        ...fees,
        authorizationList: [{ address: to, chainId: 1, nonce: 0, r: '0x5', s: '0x6', yParity: 1 }],
      },
      {
        type: '0x4',
        accessList: [],
        authorizationList: [
          { address: to, chainId: '0x1', nonce: '0x0', r: '0x5', s: '0x6', yParity: '0x1' },
        ],
      },
    ],
  ])('encodes as wallets sign: %s', async (_what, request, fields) => {
    const signed = await account.signTransaction(request);
    const { r, s, v = 0n, yParity } = parseTransaction(signed);
    const raw = Buffer.from(signed.slice(2), 'hex');
    const transaction = {
      chainId: '0x1',
      nonce: '0x9',
      gas: '0x5208',
      to,
      value: '0xde0b6b3a7640000',
      input: '0x',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x3b9aca00',
      ...fields,
      v: `0x${(fields['type'] === '0x0' ? v : BigInt(yParity ?? 0)).toString(16)}`,
      r,
      s,
      hash: hashOf(raw),
    };
    expect(encodeTransaction(transaction)?.toString('hex')).toBe(raw.toString('hex'));
  });

  it.each(['to', 'value', 'input', 'nonce', 'gas', 'r', 's', 'v', 'chainId'])('covers %s', (name) => {
    const [, transaction = {}] = POLYGON.transactions;
    const other = name === 'to' ? `0x${'11'.repeat(20)}` : '0x12';
    expect(encodeTransaction({ ...transaction, yParity: undefined, [name]: other })).toBeNull();
  });

  it('is null for a type that is not known', () => {
    expect(encodeTransaction({ ...POLYGON.transactions[0], type: '0x7f' })).toBeNull();
    expect([0, 1, 2, 3, 4, 0x6a, 0x7e].every((type) => isEncodable({ type: `0x${type.toString(16)}` }))).toBe(
      true,
    );
    expect([5, 0x64, 0x7f].some((type) => isEncodable({ type: `0x${type.toString(16)}` }))).toBe(false);
  });

  it('refuses a malformed field', () => {
    expect(() => encodeTransaction({ ...POLYGON.transactions[0], value: 'much' })).toThrow('malformed value');
    expect(() => encodeTransaction({ ...POLYGON.transactions[0], type: 2 })).toThrow(
      'malformed transaction type',
    );
  });
});
