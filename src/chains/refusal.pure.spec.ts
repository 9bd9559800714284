import { classifyRefusal, type RefusalKind, type RefusedResponse } from './refusal.pure.js';

const LOGS = 'eth_getLogs';
type Given = Partial<RefusedResponse> & { text: string };

const classify = (response: Given) => classifyRefusal({ status: 200, ...response });

/**
 * Texts as providers and nodes send them, by their kind, shortened only behind the part that decides. In each row:
 * provider, HTTP status, code, request (`logs`: eth_getLogs; `batch`: in a batch; `path`: methods are paths; `page`: the
 * response is not JSON), blocks or milliseconds that it advises, where it was seen on github.com, and the text.
 */
const SEEN = `
range-limit
  Alchemy | 200 | -32600 | logs | 500 | BobTheBuidler/dank_mids/issues/772 | You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x123c9b2, 0x123cba5]
  Infura | 200 | -32602 | logs | 10000 | INFURA/infura/issues/237 | range 1000000 exceeds limit of 10000
  QuickNode | 413 | -32614 | logs | 10000 | eternalsafe/wallet/issues/57 | eth_getLogs is limited to a 10,000 range
  Ankr | 200 | -32602 | logs | 10000 | ponder-sh/ponder/issues/1940 | maximum [from, to] blocks distance: 10000
  Chainstack | 200 | -32602 | logs | - | matter-labs/zksync-era/pull/2974 | Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits
  Tenderly | 200 | -32602 | logs | 2000 | bobanetwork/boba_legacy/issues/827 | invalid params range 9009594 is bigger than range limit 2000
  BNB Smart Chain | 200 | -32000 | logs | 5000 | AlphaWallet/alpha-wallet-android/issues/2736 | exceed maximum block range: 5000
  Polygon, public | 200 | -32005 | logs | 3500 | MASQ-Project/MASQ-Node-issues/issues/585 | eth_getLogs block range too large, range: 855077, max: 3500
  Erigon (cdk) | 200 | -32005 | logs | 1000 | 0xPolygon/cdk-erigon/pull/1706 | block range too large, max range: 1000
  Geth (Scroll) | 200 | -32000 | logs | - | scroll-tech/go-ethereum/pull/529 | block range is bigger than maxBlockRange
  Morph | 200 | -32000 | logs | 5000 | enviodev/hyperindex/issues/605 | block range is larger than max block range, block range = 5120, max block range = 5000
  Moonbeam | 200 | -32603 | logs | 1024 | moonbeam-foundation/moonbeam/pull/3250 | block range is too wide (maximum 1024)
  Energy Web | 200 | -32005 | logs | 10000 | energywebfoundation/origin/issues/2378 | Limit exceeded: Query requested more than 10.000 blocks
  Candle | 200 | -32600 | logs | - | AlphaWallet/alpha-wallet-ios/issues/5277 | block range too high
  BNB Smart Chain, public | 200 | -32005 | logs | - | DefiLlama/dimension-adapters/pull/286 | limit exceeded
  Cloudflare | 200 | -32047 | logs | 800 | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | Invalid eth_getLogs request. "fromBlock"-"toBlock" range too large. Max range: 800
  Blast | 200 | -32600 | logs | 500 | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | the requested block range exceeds the range allowed for your plan (9000 > 500)
  publicnode | 200 | -32701 | logs | 50000 | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | exceed maximum block range: 50000
  Coinbase | 200 | -32602 | logs | 1000 | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | please limit the query to at most 1,000 blocks
  Avalanche | 200 | -32000 | logs | 2048 | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | requested too many blocks from 100 to 5000, maximum is set to 2048
  Merkle | 200 | -32602 | logs | 10000 | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | eth_getLogs range is too large, max is 10k blocks
result-limit
  Infura | 200 | -32005 | logs | - | rotki/rotki/issues/1787 | query returned more than 10000 results
  Alchemy | 200 | -32602 | logs | - | bancorprotocol/webapp/issues/523 | Log response size exceeded. Please reduce query block range.
  Alchemy | 200 | -32000 | logs | 648001 | nimiq/wallet/pull/275 | Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x42b950f, 0x435784f]
  Alchemy | 200 | -32000 | logs | - | worldcoin/signup-sequencer/issues/274 | Query timeout exceeded. Consider reducing your block range.
  Reth | 200 | -32602 | logs | 8085 | paradigmxyz/reth/issues/23810 | query exceeds max results 20000, retry with the range 25766988-25775072
  Arbitrum | 200 | -32000 | logs | - | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | logs matched by query exceeds limit of 10000
  Optimism | 200 | -32020 | logs | - | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | backend response too large
  dRPC | 200 | 30 | logs | - | enviodev/hyperindex/issues/715 | Request timeout on the free tier, please upgrade your tier to the paid one
batch-limit
  Erigon | 200 | -32000 | batch | - | erigontech/erigon/issues/7072 | batch limit 100 exceeded: 142 requests given
  Geth (Base) | 200 | -32600 | batch | - | base/node/issues/234 | batch too large
  Geth | 200 | -32003 | batch | - | ethereum/go-ethereum/issues/27923 | response too large
  dRPC | 500 | 31 | batch | - | drpcorg/drpc-nextra/pull/64 | Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account at drpc.org
  Hedera relay | 413 | - | batch page | - | hiero-ledger/hiero-json-rpc-relay/issues/5443 | Request Entity Too Large
  jsonrpsee (Substrate) | 200 | -32005 | batch | - | paritytech/jsonrpsee/pull/744 | Batched requests are not supported by this server
rate-limit
  Alchemy | 429 | 429 | - | - | Synthetixio/kwenta/issues/40 | Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message. If not, check out https://docs.alchemyapi.io/guides/rate-limits
  Alchemy | 200 | 429 | logs | - | gitcoinco/grants-stack-indexer/issues/156 | Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.
  Alchemy | 403 | -32600 | - | - | xmtp/xmtpd/issues/672 | Monthly capacity limit exceeded. Visit https://dashboard.alchemyapi.io/settings/billing to upgrade your scaling policy for continued service.
  Infura | 429 | -32005 | - | 30000 | status-im/nimbus-eth2/issues/1632 | daily request count exceeded, request rate limited backoff_seconds: 30
  Infura | 429 | -32005 | - | - | gochain/web3/issues/180 | daily request count exceeded, request rate limited backoff_seconds: 0
  Infura | 200 | -32005 | - | 30000 | status-im/status-go/pull/4807 | exceeded project rate limit backoff_seconds: 30
  QuickNode | 200 | -32012 | - | - | latticexyz/mud/issues/1522 | credits limited to 6000/sec
  QuickNode | 200 | -32007 | logs | - | BobTheBuidler/dank_mids/pull/684 | 15/second request limit reached - reduce calls per second or upgrade your account at quicknode.com
  Chainstack | 200 | -32005 | logs | - | BobTheBuidler/dank_mids/blob/master/dank_mids/types.py | You've exceeded the RPS limit available on the current plan.
  dRPC | 429 | 15 | - | - | GLEECBTC/coins/pull/1677 | Too many request, try again later
  Tenderly | 429 | -32005 | - | - | fluencelabs/dev-rewards/issues/20 | rate limit exceeded
  Base, public | 200 | -32016 | - | - | rainlanguage/raindex/issues/1662 | over rate limit
  a quota behind HTTP 402 | 402 | -32005 | - | - | KyberNetwork/kyberswap-interface/issues/3253 | anonymous quota used up
  TronGrid | 403 | - | - | 5000 | iexbase/tron-api/issues/171 | request rate exceeded the allowed_rps(10), and the query server is suspended for 5 s
  TronGrid | 403 | - | - | - | andelf/tronpy/issues/148 | Exceed the user daily usage (100000), the maximum query frequency is 1 time per second
  TronGrid without a key | 429 | - | page | - | tronprotocol/wallet-cli/issues/985 | (nothing)
  Tronscan | 403 | - | - | - | tronscan/tronscan-frontend/issues/1569 | request too quickly, please retry later.
  blockstream.info | 429 | - | page | - | CypherBoxLLC/Cypher-Box/issues/194 | {"message":"Blockstream Explorer API NOTICE: Your request rate exceeds the current limit
  mempool.space | 429 | - | page | - | sbounmy/hongbao_bitcoin/issues/340 | <html> <head><title>429 Too Many Requests</title></head> <body>
  mempool.space behind HTTP 200 | 200 | - | page | - | sbounmy/hongbao_bitcoin/issues/340 | <html> <head><title>429 Too Many Requests</title></head> <body>
plan-limit
  Ankr | 200 | -32000 | - | - | lontivero/Explora/issues/2 | Unauthorized: You must authenticate your request with an API key. Create an account on https://www.ankr.com/rpc/ and generate your personal API key for free.
  Ankr | 403 | - | - | - | wevm/viem/issues/3476 | API key is not allowed to access blockchain, json-rpc code: -32052, rest code: 403
  Infura | 200 | -32000 | - | - | status-im/status-go/pull/2107 | project ID does not have access to archive state
  Geth, pruned | 200 | -32000 | - | - | blockscout/blockscout/issues/5856 | missing trie node 9af8656ecee00eb8e81bc7e03464964a (path ) <nil>
  Geth, full, of a block of before its history | 200 | -32000 | debug_traceTransaction | - | bnb-chain/bsc/issues/1880 | required historical state unavailable (reexec=128)
  Cloudflare | 200 | -32600 | - | - | ethers-io/ethers.js/issues/841 | Invalid Request. Requested data is older than 128 blocks.
  dRPC | 402 | - | page | - | enviodev/hyperindex/issues/715 | (nothing)
  a provider whose plan lacks a method | 200 | -32601 | trace_block | - | erpc/erpc/blob/main/architecture/evm/error_normalizer.go | trace_block is not included in your current plan
unsupported
  Geth (Celo) | 200 | -32601 | - | - | celo-org/celo-blockchain/issues/1721 | the method debug_traceBlockByNumber does not exist/is not available
  Erigon | 200 | -32601 | - | - | erigontech/erigon/issues/2242 | the method trace_block does not exist/is not available
  meowRPC | 200 | -32000 | - | - | GLEECBTC/coins/pull/1677 | The method eth_call is not supported.
  anvil | 200 | -32601 | - | - | foundry-rs/foundry/issues/9397 | Method not found
  Hardhat | 200 | -32004 | - | - | NomicFoundation/hardhat/issues/4761 | Method eth_getBlockReceipts is not supported
  a full Tron node | 404 | - | page path | - | tronprotocol/java-tron | <html>Not Found</html>
lagging
  Geth | 200 | -32000 | - | - | ethereum/execution-apis/issues/534 | header not found
  Besu | 200 | -32000 | - | - | ethereum/execution-apis/issues/534 | Block not found
  Geth and Infura | 200 | -32000 | logs | - | besu-eth/besu/issues/8007 | unknown block
  Moonbeam | 200 | -32603 | - | - | moonbeam-foundation/moonbeam/issues/2629 | Block hash not found
  Reth (op) | 200 | -32603 | - | - | paradigmxyz/reth/issues/17394 | block meta not found for block #32842493
  Hardhat | 200 | -32602 | logs | - | NomicFoundation/hardhat | blockHash cannot be found
unavailable
  CloudFront | 403 | - | page | - | web3/web3.js/issues/1448 | <HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD><BODY>Request blocked.
  nginx | 502 | - | page | - | hyperlane-xyz/hyperlane-monorepo/pull/2021 | <html><head><title>502 Bad Gateway</title></head>
  Kubernetes | 404 | - | page | - | hyperlane-xyz/hyperlane-monorepo/pull/2021 | default backend - 404
  Infura | 200 | - | page | - | INFURA/infura/issues/83 | Invalid host specified
  Base | 503 | -32011 | - | - | ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts | no backend is currently healthy to serve traffic
  dRPC | 200 | 30 | eth_getBlockByNumber | - | enviodev/hyperindex/issues/715 | Request timeout on the free tier, please upgrade your tier to the paid one
invalid
  Alchemy | 200 | -32602 | - | - | paradigmxyz/ultimate_evm_tracing_reference/issues/5 | invalid 2nd argument: tracers had invalid element: "vmTrace"
  Geth | 200 | -32000 | - | - | ethereum/go-ethereum/issues/22675 | insufficient funds for transfer: address 0xC585AE55a9878BF5b0DF95d88c1588AeEAda7C03
`;

/** One row of {@link SEEN}. */
interface Row {
  provider: string;
  response: Given;
  advice: number | null;
  source: string;
  kind: RefusalKind;
}

function readRows(table: string): Row[] {
  let kind: RefusalKind = 'invalid';
  return table
    .trim()
    .split('\n')
    .flatMap((line): Row[] => {
      if (!line.startsWith(' ')) {
        kind = line as RefusalKind;
        return [];
      }
      const [provider = '', status, code, request = '', advice, source = '', ...text] = line
        .trim()
        .split(' | ');
      const about = request.split(' ');
      const method = about.includes('logs') ? LOGS : about.find((word) => word.includes('_'));
      const response = {
        status: Number(status),
        code: code === '-' ? null : Number(code),
        isBatched: about.includes('batch'),
        isJson: !about.includes('page'),
        methodIsPath: about.includes('path'),
        text: text.join(' | '),
        ...(method !== undefined && { method }),
      };
      return [{ provider, response, advice: advice === '-' ? null : Number(advice), source, kind }];
    });
}

const ROWS = readRows(SEEN);

describe('a refusal as it was seen', () => {
  it.each(ROWS)('of $provider ("$response.text") is $kind', ({ response, kind, advice, source }) => {
    const isPause = kind === 'rate-limit';
    expect(classify(response)).toEqual({
      kind,
      blocks: isPause ? null : advice,
      pauseMs: isPause ? advice : null,
    });
    expect(source).toMatch(/^[\w.-]+\/[\w.-]+(\/(issues|pull)\/\d+|\/blob\/[\w./-]+)?$/);
  });

  it('is known of every provider and node that we name', () => {
    const providers = ROWS.map(({ provider }) => provider).join();
    const names =
      'Alchemy Infura QuickNode Ankr dRPC Chainstack Blast publicnode Cloudflare Geth Erigon Reth Besu Hardhat anvil ' +
      'TronGrid blockstream.info mempool.space';
    for (const name of names.split(' ')) expect(providers).toContain(name);
  });
});

describe('a refusal', () => {
  it.each<[what: string, response: Given, kind: RefusalKind]>([
    ['HTTP 429 outranks its text', { status: 429, text: 'block range too large' }, 'rate-limit'],
    [
      'HTTP 503 with Retry-After is a pause',
      { status: 503, isJson: false, retryAfterMs: 1_000, text: '' },
      'rate-limit',
    ],
    ['HTTP 503 without Retry-After is an outage', { status: 503, isJson: false, text: '' }, 'unavailable'],
    ['HTTP 401 is the plan', { status: 401, isJson: false, text: 'Must be authenticated!' }, 'plan-limit'],
    ['HTTP 403 with JSON is the plan', { status: 403, text: '{"message":"Forbidden"}' }, 'plan-limit'],
    [
      'HTTP 403 with a page is a firewall',
      { status: 403, isJson: false, text: 'Just a moment...' },
      'unavailable',
    ],
    ['HTTP 400 of a batch is its size', { status: 400, isBatched: true, text: '{}' }, 'batch-limit'],
    ['HTTP 400 of a single call says nothing', { status: 400, text: '{}' }, 'unavailable'],
    ['HTTP 404 of a path is a missing method', { status: 404, methodIsPath: true, text: '' }, 'unsupported'],
    ['HTTP 404 of an address is an outage', { status: 404, isJson: false, text: '' }, 'unavailable'],
    [
      'a page that mentions batches is a page',
      { status: 502, isJson: false, isBatched: true, text: 'batch' },
      'unavailable',
    ],
    ['a size without a batch is a result', { code: -32003, text: 'response too large' }, 'result-limit'],
    ['EIP-1474 -32005 without a range is a rate', { code: -32005, text: 'limit exceeded' }, 'rate-limit'],
    ['EIP-1474 -32601 needs no text', { code: -32601, text: '' }, 'unsupported'],
    ['an unknown code is invalid', { code: -32000, text: 'node is down' }, 'invalid'],
    ['no code and no known text says nothing', { text: 'no message' }, 'unavailable'],
    [
      'a deadline of a range is its length',
      { code: -32000, method: LOGS, text: 'context deadline exceeded' },
      'result-limit',
    ],
    [
      'a deadline of a call is an outage',
      { code: -32000, method: 'trace_block', text: 'context deadline exceeded' },
      'unavailable',
    ],
    [
      'only the beginning of a text counts',
      { code: -32000, text: `${' '.repeat(3_000)}rate limit` },
      'invalid',
    ],
    [
      'addresses of documents do not count',
      { code: -32000, text: 'see https://example.com/rate-limits/upgrade-your-plan' },
      'invalid',
    ],
  ])('%s', (_what, response, kind) => {
    expect(classify(response).kind).toBe(kind);
  });

  it.each<[what: string, text: string, blocks: number | null]>([
    ['no number', 'block range too large', null],
    ['a range that ends before it begins', 'this block range should work: [0x20, 0x10]', null],
    ['a number beyond every limit', 'block range too large, max 99999999999', null],
    ['zero', 'block range too large, max 0', null],
    ['one block', 'this block range should work: [0x10, 0x10]', 1],
  ])('suggests no impossible range: %s', (_what, text, blocks) => {
    expect(classify({ code: -32000, method: LOGS, text }).blocks).toBe(blocks);
  });

  it.each<[what: string, response: Given, pauseMs: number | null]>([
    [
      'by the header, which outranks the text',
      { status: 429, retryAfterMs: 7_000, text: 'retry after 9 seconds' },
      7_000,
    ],
    ['by the text', { status: 429, text: 'retry after 9 seconds' }, 9_000],
    ['in milliseconds', { status: 429, text: 'try again in 250ms' }, 250],
    ['in minutes', { status: 429, text: 'Rate limit exceeded, please wait 1min and retry' }, 60_000],
    ['for no known time', { status: 429, text: '' }, null],
  ])('pauses %s', (_what, response, pauseMs) => {
    expect(classify(response).pauseMs).toBe(pauseMs);
  });
});
