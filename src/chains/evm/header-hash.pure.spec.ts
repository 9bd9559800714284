import { isHashOfHeader } from './header-hash.pure.js';

/** Headers as nodes of the chains showed them; each proves itself, because its hash is that of its fields. */
const HEADERS: Record<string, Record<string, string>> = {
  'Ethereum 24630100': {
    hash: '0x6c4c6ea047f0ca4bcb0b0fbbcc2e50061d8dd24ba1ab8a22a6d3583a497c3c82',
    parentHash: '0x63ce16602b2afe4089fa8e0a2c16be1a2dea1c4d30b65bd717d9398ddd5fba23',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: '0xdadb0d80178819f2319190d340ce9a924f783711',
    stateRoot: '0x41ebb402f36d0ce15799e98d1aca83bbb5d4b08d1b6572e73b388e4ece192916',
    transactionsRoot: '0x3b889eb9fa0713d2e1d9e90725d45fd04ec4a550a7a390639c243c5f3b2c6215',
    receiptsRoot: '0x52fc280ab6b1db61781dae4cc5f81b7ddd484eae78320bdd8161d5b2fe8e7719',
    logsBloom:
      '0xfffffef97ffdf7dfb75fbbfeffffdfffffbeefffffbbffff6ffffdffbffffaf9df7fff7f7fff6ffbffffdfdffbffffff76fffffcbf7ffbfffffeefffffff7df7bffffffdefffff8fdfdf7f7ceffdffff7ff77affe7ef5ff5fbfff57ff7eeadfffffffabfff7bdffbbfbffcfffdefffeffefffffffff5fffefdffdffbffffdfdffbffe7fffffffffdffebf7e37fdfe977f7fbdfefdffddffffffffff5f97ffffdfbffdf7fffffbff9feff77afffefffeef77ffff7fff6fffeffd77ffffeefefdb7bffffff7f7ffdfbff7ffffffffefdffdffddffffffefffffffefdfbf7fdffef7fffff3bdf7fff6cefffdfffdf7ffffeffbfbffffdafffdfbf7efdbeffff7fff',
    difficulty: '0x0',
    number: '0x177d354',
    gasLimit: '0x3938700',
    gasUsed: '0x1a4ed69',
    timestamp: '0x69b09d6b',
    extraData: '0x4275696c6465724e6574202842656176657229',
    mixHash: '0xf824cbc0bffaa4862fffafa96c2cce90898dda8b97fc3eaa6a85ac38075991e5',
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x246edf3',
    withdrawalsRoot: '0x76abcbef0846a5bd065d0207581dacc3cf8df4ec2ba0a8e4d4fbbe97864b82ee',
    blobGasUsed: '0x40000',
    excessBlobGas: '0xa2a720e',
    parentBeaconBlockRoot: '0xd9b957562f8477151f61eddc77bcad7451ef62eab8f4fe470402073a794e8bba',
    requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  'OP Mainnet 157796868': {
    hash: '0x75178017f864ca82f39e596f24e443904588fe345d690d3b056959e8be173e4d',
    parentHash: '0xa5a62666aff27866040f84824c2247bf2b7320b751bfe7cf855567e5dff738a1',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: '0x4200000000000000000000000000000000000011',
    stateRoot: '0xc2ff64f11d806dd915bf860e052809935afab65a59dd479897545eec304a0c3a',
    transactionsRoot: '0x465b594566f229da095144f370a2659803aeaf4070bf06f56e139b2f2ded52dc',
    receiptsRoot: '0xeb5959ffd746e376d9b43211a155052c42d94409b12f8fe995c48f16ed60ddf2',
    logsBloom:
      '0x5410230200013001008018050200002005100098504020010024000054e20a08034800007004000841a000100400700002cc00000800100006020050002400c01080002100000000280032082008094010040022002c283006000000200400011008030002002282000000400920090000800200080420040400801000001004000402000804042018228400c0000400020088004825430c0000000082000c300200c0050400000102000500000802002000020000000008004301c8000000800001084340008001032008000080009080880002028304144000002800006040041448882084000224000000000a082008800821038008000421000020420840',
    difficulty: '0x0',
    number: '0x967ca04',
    gasLimit: '0x2625a00',
    gasUsed: '0xe84d55',
    timestamp: '0x6ac36dc1',
    extraData: '0x01000000fa000000020000000000000000',
    mixHash: '0x4cd595fb7524a96f75f79e3b5bf495274795932bf683bfa232c727f42dd40fba',
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x3220',
    withdrawalsRoot: '0x171eedd2a92747cfb2e760d2fe845861e129d85f174c4a7e17adedccae5f3102',
    blobGasUsed: '0x1dbaf0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: '0x0a9db0213a687d211f6ec8e116268582ace2faf158f854b01db90e12edcb65e5',
    requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  'Base 50543793': {
    hash: '0x5c29e3a12cd353c7466aaf91e62e0c6cd0f9da7a8d6af5a26e9afb3a3078ea18',
    parentHash: '0x4d8a3eb5aeebfe0d0f5f7d1b13affce6e00ff360b57bb5a20000e5ddf3e92b8f',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: '0x4200000000000000000000000000000000000011',
    stateRoot: '0x0040794d29a28d8bce9b2256570f46784d0b709de6f31fed1257bf4444578cd5',
    transactionsRoot: '0x80b530eed966e17f9afc95d69b3331a6475c50318b73f677a66e910b40677beb',
    receiptsRoot: '0x6392c9163c8099dbf83f1e45077f07df168cc9a37062c05b8745afa74060a734',
    logsBloom:
      '0xbdfff7fef6efff5fffff7ff5ffff7bf7fffffffffffffdfffff6b6bfffffffbfbffcf7ffff9ffffdbfffbf7bfbffbfffdbfffff7fef7ff7dfff7fefffffdffbfdffffeffdbffd7fffffffefdfffffffd8fffefffffffffffdffbfaebfffffffffffeffffffffdbf77ffffd7fff7fedffdffeffffedfffeffffdffffff71ff7ebbfeffffbbffdfeefffffdffffff5fff7dffbffe7bbedfefffbfbeb7ffdff7df9fefffbfffff7fefffefffef7dfeffffefefffdffffdfffff7bffbfff5bff7fffbbddfffffdf7fff77ffdffffaffdfffff7ffdffff7bffb7cfffd97f3dffffbffd7ffffcfefffff7eff7fdfffeffbfdffffffffef7ffffff7fffdfbabf7fffbff',
    difficulty: '0x0',
    number: '0x3033cb1',
    gasLimit: '0x17d78400',
    gasUsed: '0x2e2ebd4',
    timestamp: '0x6a90d645',
    extraData: '0x01000000640000000500000000004c4b40',
    mixHash: '0xc05524363552546715d5fa840c6c5439a177b4100e9c22efacd0e1362d2fe89d',
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x4c4b40',
    withdrawalsRoot: '0x06c5e4eb5d0f6435617c603bafcf9fc1d52af39cf52ae11fe8d55e124a335103',
    blobGasUsed: '0x724e60',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: '0x5dc577add95fdb1e6eede44f204ef63a7a8f6910b05838af0d81c65fc05f3692',
    requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  'Arbitrum One 511882413': {
    hash: '0x9f2a4542dcd73b3b7312c2b57ebf79e61dbcd36906c7e8ed500f56ea199fa803',
    parentHash: '0xa31635fa277ca0ea0481d09fc59d1ca55b84b2a12e6c04384ce7532962b8b698',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: '0xa4b000000000000000000073657175656e636572',
    stateRoot: '0x0af9d8afcffe1a8edabe67d676b274dc5642ccfbe938b935cab5a245bfc4b2da',
    transactionsRoot: '0x21cd50773adc2f667e9862eb9da63da3644a0c3631931681d00972a7ef350e74',
    receiptsRoot: '0x4bbc51c714c0499f97f4a4473864495eff600e521f9848f47a935b6c6422d82f',
    logsBloom:
      '0x00001000000000000000000008000000000000000004000000000000000000000000000000000000000080000000000000080201000020100000000000000000000000000200000840000408000000000000000010000040002000000000000000800000000000000000000004100000000000000000000000000012000800000000000000000000000000000001000000000400000000000000001000000000000000000000000000000000000004000000000200000000008000000000000000002002000040200000000000000000000000000000000000000000000000000000200000000000000000000000200000000000000000000000000020000000',
    difficulty: '0x1',
    number: '0x1e82b4ad',
    gasLimit: '0x4000000000000',
    gasUsed: '0x3d721',
    timestamp: '0x6ac36dbd',
    extraData: '0x5415fe5b5fa72ff4ecaf578e7346f9ef8942c832a0f5564f05d8511e3576b334',
    mixHash: '0x0000000000028aef00000000018ea3d7000000000000003d0001000000000000',
    nonce: '0x00000000002770e4',
    baseFeePerGas: '0x1312d00',
  },
  'BNB Smart Chain testnet 55475596': {
    hash: '0x053e82c0a815b741826b338cb3fd1346a098ea0d69dcca5f56673731279be1db',
    parentHash: '0xdd0eaf7f4e73b61b6b232358e235ee879b8e321d7c8f976c4242db55275c80a2',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: '0x90409f56966b5da954166eb005cb1a8790430ba1',
    stateRoot: '0x8cd0286815e0e5afc095bf6a1aed01e82e906f23b8f8536149a31e0d42c0b01c',
    transactionsRoot: '0x406e687cb846a88d971394b5f1927ef01287cd8c0a2cfe20817d345517f78d38',
    receiptsRoot: '0x90bb10b203eb8e2462bff1cc0a0055b20d74f7d31b354243dd1950b06cf30c80',
    logsBloom:
      '0x000008004000000000010040000020000020400000000000000002000000000000001080000000000000000000000000000800000000000000000000002000000040000400800000000000081000000022100002000000000000000000100002000810200002000000000000010000000a0000000000000000000010000000000000002000000000000000000002000001000400004000008400000000000020020000000000002008000000028000000000000000000000000000000000000000000002000000000000140000000000000000000000001000104002000000000010800000000000010000040000010000008000000000004100000000001000',
    difficulty: '0x2',
    number: '0x34e7d8c',
    gasLimit: '0x5e29eed',
    gasUsed: '0x83351',
    timestamp: '0x6855884c',
    extraData:
      '0xd88301050d846765746888676f312e32332e39856c696e757800000038469028f8b27fb860a721d42755113b5cbdac611e235d97b9119eb22a44b9e14c0be9db09726ca0e4daad7b0897608eba03e70d8bb516ed740257857fbaa2f7d2213eeba4f4481b62b8fe89de0ef1a562abc3ff84810b38647420407ebf0847d048148afbf523c051f84c84034e7d8aa06e1316485b6da89f3d4c0e434d9206488843a4a9e54462ab8746976e57822dfd84034e7d8ba0dd0eaf7f4e73b61b6b232358e235ee879b8e321d7c8f976c4242db55275c80a280f33ec24f7c83f578fcd505ae3a1b83c424f04098df9382b97cc81d5f28221d6b67c789880790fc9427d2e156bb9ad51eeb4efa479fa429cf4f1f11263a3cbdd700',
    mixHash: '0x00000000000000000000000000000000000000000000000000000000000000fa',
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x0',
    withdrawalsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: '0x0000000000000000000000000000000000000000000000000000000000000000',
    requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  'Polygon Amoy 12984689': {
    hash: '0xcf7e94fb3461a6fe8c1a82f38f01dda3e075edfadfdcbb8a866b1c22725f32bf',
    parentHash: '0x010e2b0f3a987dc701adf0d41e5557b4ee6dc35ea3b359efc1d6d8ddc1289cea',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: '0x0000000000000000000000000000000000000000',
    stateRoot: '0x2eb7d5608c31bbb6b57231cc4609d419a4a50fcd02cea3f05a6be002fe756e49',
    transactionsRoot: '0xcdb3ad1ff0f39b1b1e09b920ada697197eb85d68f616385a8d8af48596ce72d0',
    receiptsRoot: '0x7dcbac187b26dd47057fc72d3990cca80ef33f64950cec3bc5f818bed3506c68',
    logsBloom:
      '0x00800000000000000000000000004000000001000000000000000000000000000000000008000000000000000000000000008000000000000000000000300000000000000000000080000008000200800000000000000000200100008000010000000000020000000000000000000800200080000200000080000010000001000000000000000000080000000000000000004000000000000000080000000000220000000000000000000001100040000000000000000000000000000000004000000002400000000001000000000210800000000000000000100000010820000010000000000000000000000000000000000000000000080000000000100000',
    difficulty: '0xa',
    number: '0xc62171',
    gasLimit: '0x1c9c380',
    gasUsed: '0x58ece',
    timestamp: '0x6706fb91',
    extraData:
      '0xd78301050083626f7288676f312e32322e33856c696e75780000000000000000c480c2c0c05391c77413f8df041242c75260a365751d83ad6c75013eb6d6ca4f3c05d8b69e4692bd273f94d0373c4db8b3bc730c42d13b403a9d99129495f639bf21d8bcf900',
    mixHash: '0x0000000000000000000000000000000000000000000000000000000000000000',
    nonce: '0x0000000000000000',
    baseFeePerGas: '0xf',
  },
};
const [ETHEREUM = {}] = Object.values(HEADERS);

describe('isHashOfHeader', () => {
  it.each(Object.entries(HEADERS))('recomputes the hash of a header of %s', (_name, header) => {
    expect(isHashOfHeader(header)).toBe(true);
  });

  it.each(Object.entries(HEADERS))('covers every field of %s', (_name, header) => {
    for (const [name, value] of Object.entries(header)) {
      const other = value.endsWith('1') ? value.replace(/1$/, '2') : value.replace(/.$/, '1');
      expect([name, isHashOfHeader({ ...header, [name]: other })]).toEqual([name, false]);
    }
  });

  it.each(['requestsHash', 'withdrawalsRoot', 'baseFeePerGas'])('is false without %s', (name) => {
    expect(isHashOfHeader({ ...ETHEREUM, [name]: undefined })).toBe(false);
    expect(isHashOfHeader({ ...ETHEREUM, [name]: null })).toBe(false);
  });

  it('ignores what is not a part of the header, and fields of an upgrade that the chain does not have', () => {
    const { requestsHash: _added, ...before } =
      Object.entries(HEADERS).find(([name]) => name.startsWith('Polygon'))?.[1] ?? {};
    expect(isHashOfHeader({ ...ETHEREUM, size: '0x1', totalDifficulty: '0x1', milliTimestamp: '0x1' })).toBe(
      true,
    );
    expect(
      isHashOfHeader({ ...before, withdrawalsRoot: ETHEREUM['withdrawalsRoot'], blobGasUsed: '0x0' }),
    ).toBe(true);
  });

  it('accepts a hash in upper case, and quantities with leading zeros', () => {
    const hash = `0x${ETHEREUM['hash']?.slice(2).toUpperCase()}`;
    expect(isHashOfHeader({ ...ETHEREUM, hash, number: '0x00177d354' })).toBe(true);
  });

  it.each([
    ['hash', '0x12'],
    ['receiptsRoot', '0x1234'],
    ['receiptsRoot', null],
    ['number', 'twelve'],
    ['logsBloom', '0x00'],
    ['extraData', '0x123'],
    ['miner', 7],
  ])('refuses a header whose %s is %p', (name, value) => {
    const check = () => isHashOfHeader({ ...ETHEREUM, [name]: value });
    if (value === null) expect(check()).toBe(false);
    else expect(check).toThrow(/malformed/);
  });
});
