import { parseExact } from '../../platform/kernel/exact-json.pure.js';
import { isKnown, toBlock, toHeader, toInfos, toPlace, toSolidBlock } from './tron-wire.pure.js';

/**
 * Responses of Nile, a test network, as https://github.com/tronprotocol/documentation-en prints them: getblock and
 * gettransactioninfobyid below api/http/block-and-tx-query, getnodeinfo below api/http/node-and-tools.
 */
const BLOCK = `{
  "blockID": "0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e",
  "block_header": {
    "raw_data": {
      "number": 66987565,
      "txTrieRoot": "faf8fe3858339ead25cc892461c82a59b84dca4a51c45b026676bf3f45a352a2",
      "witness_address": "41b2f713d57dbcec679d93a8849fa0cd0e4db594ba",
      "parentHash": "0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed",
      "version": 34,
      "timestamp": 1777445121000
    },
    "witness_signature": "5b3cf6cb15d52947989f7726f4907a144b39ccd667a1a0f98707b40cdfe65b96173ddf34ae8dcc5e78f136e0cf903a15c7128984aa2191f02333209d1879d3f900"
  }
}`;
const INFO = `{
  "id": "01b4cde4197b9d1a1ff09ef5d2b1d939d3ec2401b3f002ebd0802c0f30a6e4ca",
  "fee": 5254500,
  "blockNumber": 66985120,
  "blockTimeStamp": 1777437762000,
  "contractResult": [""],
  "contract_address": "419ff8fc48fb114ccd5bbdc24a86f0c73082f08825",
  "receipt": {"energy_fee": 4458500, "energy_usage_total": 44585, "net_fee": 796000, "result": "SUCCESS"},
  "log": [
    {
      "address": "9ff8fc48fb114ccd5bbdc24a86f0c73082f08825",
      "topics": [
        "c66625d03b4a832d8245f0df593e32e0fbbbad96d4aa45440aa1535b80983083",
        "000000000000000000000000dd791d6b49e190062d650e6a23c575510d35f2f9",
        "0000000000000000000000000000000000000000000000000000000000000007"
      ],
      "data": "0000000000000000000000000000000000000000000000000000000000000007"
    }
  ],
  "internal_transactions": [
    {
      "hash": "61318c1e41c5fd387f1e4e4e8ec1fc98f295d3ef002bab1b33dd1cba2f93cb75",
      "caller_address": "419ff8fc48fb114ccd5bbdc24a86f0c73082f08825",
      "transferTo_address": "419ff8fc48fb114ccd5bbdc24a86f0c73082f08825",
      "callValueInfo": [{}],
      "note": "63616c6c"
    }
  ]
}`;
const BLOCK_HASH = '0000000003fe1ca0000000000000000000000000000000000000000000000000';
const TX = 'ab'.repeat(32);

/** A transaction of a block, with one contract in it. */
const withContract = (contract: string, ret = '[{"contractRet":"SUCCESS"}]') =>
  `{"ret":${ret},"txID":"${TX}","raw_data":{"contract":[${contract}]},"raw_data_hex":"0a02"}`;
const transfer = (fields: string, type = 'TransferContract') =>
  `{"parameter":{"value":{${fields}},"type_url":"type.googleapis.com/protocol.${type}"},"type":"${type}"}`;
const [FROM, TO] = [`41${'11'.repeat(20)}`, `41${'22'.repeat(20)}`];
const readBlock = (transactions: string) =>
  toBlock(parseExact(`${BLOCK.slice(0, -1)},"transactions":[${transactions}]}`));

describe('toBlock', () => {
  it('reads a published example', () => {
    const header = {
      height: 66_987_565,
      hash: '0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e',
      parentHash: '0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed',
      time: new Date(1_777_445_121_000),
    };
    expect(toHeader(parseExact(BLOCK))).toEqual(header);
    const empty = change((_block, raw) => (raw['txTrieRoot'] = '00'.repeat(32)));
    expect(toBlock(empty)).toEqual({ ...header, transactions: [] });
    expect(toBlock(change((_block, raw) => delete raw['txTrieRoot']))).toEqual({
      ...header,
      transactions: [],
    });
  });

  it.each([
    ['as they are left out', {}],
    ['as a list of none', { transactions: [] }],
  ])('rejects a block without the transactions that its header promises: %s', (_how, list) => {
    const promising = parseExact(BLOCK) as object;
    expect(() => toBlock({ ...promising, ...list })).toThrow('the node sent a malformed transaction list');
    const odd = change((_block, raw) => (raw['txTrieRoot'] = 'none'));
    expect(() => toBlock(odd)).toThrow('the node sent a malformed transaction root');
  });

  it('returns null for an empty response', () => {
    expect(toHeader({})).toBeNull();
    expect(toBlock({})).toBeNull();
  });

  it('reads a block whose zero fields are omitted: the first block', () => {
    const genesis = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
    const first = { blockID: genesis, block_header: { raw_data: { parentHash: 'e5'.repeat(32) } } };
    expect(toHeader(first)).toMatchObject({ height: 0, hash: genesis, time: new Date(0) });
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['no header', { blockID: BLOCK_HASH }],
    ['an id of another height', change((block) => (block['blockID'] = BLOCK_HASH))],
    ['a parent of another height', change((_block, raw) => (raw['parentHash'] = BLOCK_HASH))],
    ['no parent', change((_block, raw) => delete raw['parentHash'])],
    ['a height in quotes', change((_block, raw) => (raw['number'] = '66987565'))],
    ['a time that no clock shows', change((_block, raw) => (raw['timestamp'] = Number.MAX_SAFE_INTEGER))],
  ])('rejects %s', (_what, value) => {
    expect(() => toHeader(value)).toThrow('malformed');
  });

  it('reads transferred TRX exactly beyond 2^53', () => {
    const fields = `"amount":95000000000000001,"owner_address":"${FROM}","to_address":"${TO}"`;
    expect(readBlock(withContract(transfer(fields)))?.transactions).toEqual([
      {
        txHash: TX,
        succeeded: true,
        transfer: {
          from: Buffer.alloc(20, 0x11),
          to: Buffer.alloc(20, 0x22),
          amount: 95_000_000_000_000_001n,
        },
      },
    ]);
  });

  it.each([
    'TransferAssetContract',
    'TriggerSmartContract',
    'VoteWitnessContract',
    'DelegateResourceContract',
    'transfercontract',
  ])('reads no TRX from a %s', (type) => {
    const fields = `"amount":5,"owner_address":"${FROM}","to_address":"${TO}","votes":[]`;
    expect(readBlock(withContract(transfer(fields, type)))?.transactions).toMatchObject([{ transfer: null }]);
  });

  it.each([
    ['SUCCESS', true],
    ['REVERT', false],
    ['OUT_OF_ENERGY', false],
    ['SUCESS', false],
    ['', false],
  ])('reads the result %p as success: %p', (contractRet, succeeded) => {
    const fields = `"amount":5,"owner_address":"${FROM}","to_address":"${TO}"`;
    const ret = JSON.stringify([{ contractRet }]);
    expect(readBlock(withContract(transfer(fields), ret))?.transactions).toMatchObject([{ succeeded }]);
  });

  it.each([
    ['without an outcome', withContract(transfer(''), '[{}]')],
    ['without a result', withContract(transfer(''), '[]')],
    ['without a contract', withContract('')],
    ['without a recipient', withContract(transfer(`"amount":5,"owner_address":"${FROM}"`))],
    [
      'to an address without its prefix',
      withContract(transfer(`"owner_address":"${FROM}","to_address":"${TO.slice(2)}"`)),
    ],
    [
      'to an address of another prefix',
      withContract(transfer(`"owner_address":"${FROM}","to_address":"a0${TO.slice(2)}"`)),
    ],
    [
      'to an address in base58',
      withContract(transfer(`"owner_address":"${FROM}","to_address":"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"`)),
    ],
    ['of a fraction', withContract(transfer(`"amount":1.0,"owner_address":"${FROM}","to_address":"${TO}"`))],
    [
      'of less than nothing',
      withContract(transfer(`"amount":-1,"owner_address":"${FROM}","to_address":"${TO}"`)),
    ],
  ])('rejects a transfer %s', (_what, transaction) => {
    expect(() => readBlock(transaction)).toThrow('malformed');
  });
});

describe('toInfos and toPlace', () => {
  it('reads a published example', () => {
    const address = `0x9ff8fc48fb114ccd5bbdc24a86f0c73082f08825`;
    expect(toInfos(parseExact(`[${INFO}]`), BLOCK_HASH)).toEqual([
      {
        txHash: '01b4cde4197b9d1a1ff09ef5d2b1d939d3ec2401b3f002ebd0802c0f30a6e4ca',
        height: 66_985_120,
        time: new Date(1_777_437_762_000),
        succeeded: true,
        logs: [
          {
            address,
            topics: [
              '0xc66625d03b4a832d8245f0df593e32e0fbbbad96d4aa45440aa1535b80983083',
              '0x000000000000000000000000dd791d6b49e190062d650e6a23c575510d35f2f9',
              '0x0000000000000000000000000000000000000000000000000000000000000007',
            ],
            data: '0x0000000000000000000000000000000000000000000000000000000000000007',
            blockHash: BLOCK_HASH,
            transactionHash: '01b4cde4197b9d1a1ff09ef5d2b1d939d3ec2401b3f002ebd0802c0f30a6e4ca',
            logIndex: 0,
          },
        ],
        // A call that moves nothing keeps its place.
        internal: [null],
      },
    ]);
    expect(toPlace(parseExact(INFO))).toMatchObject({ height: 66_985_120 });
  });

  it.each([
    ['neither says anything', {}, true],
    ['the contract reverted', { result: 'FAILED', receipt: { result: 'REVERT' } }, false],
    ['only the receipt says so', { receipt: { result: 'OUT_OF_TIME' } }, false],
    ['only the transaction says so', { result: 'FAILED' }, false],
    ['both say that it did', { result: 'SUCCESS', receipt: { result: 'SUCCESS' } }, true],
  ])('reads success where %s: %#', (_what, fields, succeeded) => {
    expect(toInfos([{ id: TX, ...fields }], BLOCK_HASH)).toMatchObject([{ succeeded }]);
  });

  it.each([
    ['no list', {}],
    ['no transaction', [{}]],
    ['a log with the prefix of addresses', [{ id: TX, log: [{ address: FROM }] }]],
    ['a topic cut short', [{ id: TX, log: [{ address: '11'.repeat(20), topics: ['ab'] }] }]],
    ['half a byte of data', [{ id: TX, log: [{ address: '11'.repeat(20), data: 'abc' }] }]],
    [
      'TRX that go nowhere',
      [
        {
          id: TX,
          internal_transactions: [
            { note: '63616c6c', callValueInfo: [{ callValue: 5 }], caller_address: FROM },
          ],
        },
      ],
    ],
    [
      'an amount in quotes',
      [{ id: TX, internal_transactions: [{ note: '63616c6c', callValueInfo: [{ callValue: '5' }] }] }],
    ],
  ])('rejects %s', (_what, value) => {
    expect(() => toInfos(value, BLOCK_HASH)).toThrow('malformed');
  });

  it('returns null for an empty response', () => {
    expect(toPlace({})).toBeNull();
    expect(isKnown({}, TX)).toBe(false);
    expect(isKnown({ txID: TX.toUpperCase() }, TX)).toBe(true);
    expect(() => isKnown({ txID: 'cd'.repeat(32) }, TX)).toThrow('malformed');
  });
});

describe('toSolidBlock', () => {
  const ID = '0000000003fe261b9e6e8091f5bd92dc67816890ec4739f6fe5109ad7779120c';

  it('reads a published example', () => {
    expect(toSolidBlock({ solidityBlock: `Num:66987547,ID:${ID}` })).toEqual({
      height: 66_987_547,
      hash: ID,
    });
  });

  it.each([undefined, '', 'Num:66987547', `Num:66987548,ID:${ID}`, `Num:-1,ID:${ID}`])(
    'rejects %p',
    (solidityBlock) => {
      expect(() => toSolidBlock({ solidityBlock })).toThrow('malformed');
    },
  );
});

type Fields = Record<string, unknown>;

/** The published block with something wrong in it. */
function change(how: (block: Fields, raw: Fields) => void): Fields {
  const block = JSON.parse(BLOCK) as Fields & { block_header: { raw_data: Fields } };
  how(block, block.block_header.raw_data);
  return block;
}
