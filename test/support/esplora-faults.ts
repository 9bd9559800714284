import type { Fault } from './engine-harness.js';
import type { EsploraAnswer, EsploraFault } from './esplora.js';
import type { EsploraHarness } from './esplora-engine.js';
import { HANG, RESET } from './rpc-proxy.js';

const OTHER_HASH = 'ab'.repeat(32);
/** Of the public network. */
const BITCOIN_GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
/** Blocks that a stale replica is behind, and that a boaster is ahead. */
const OFF_BY = 3;
/** Bytes of a header: version 4, parent 32, Merkle root 32, time 4, bits 4, nonce 4. */
const IN_PARENT = 10;
const IN_ROOT = 40;
const IN_TIME = 70;
const HEADER_LENGTH = 80;
/** The script of the first transaction's only input; what witnesses hold is not in the Merkle root. */
const IN_COINBASE = 126;
/** Of a transaction: what it spends. */
const IN_OUTPOINT = 10;
/** More than the 32 MiB that an answer may have. */
const HUGE = Buffer.alloc(33 * 2 ** 20, 'a');

const TIP = /^\/blocks\/tip\/hash$/;
const HASH_AT = /^\/block-height\/(\d+)$/;
const BLOCK = /^\/block\/([0-9a-f]{64})$/;
const HEADER = /^\/block\/([0-9a-f]{64})\/header$/;
const RAW_BLOCK = /^\/block\/([0-9a-f]{64})\/raw$/;
const WAITING = /^\/mempool\/txids$/;
const RAW_TRANSACTION = /^\/tx\/([0-9a-f]{64})\/hex$/;

const ok = (body: EsploraAnswer['body']): EsploraAnswer => ({ status: 200, body });
const notFound: EsploraAnswer = { status: 404, body: 'Block not found' };

/** What is said instead at one kind of path; `asked` is the part of the path that names a thing. */
type RpcFault = (asked: string, truth: () => Promise<EsploraAnswer>, harness: EsploraHarness) => unknown;

/** Lies at the paths of some kinds; true everywhere else. */
function esploraFault(
  name: string,
  faults: readonly (readonly [kind: RegExp, tale: RpcFault])[],
  meanwhile: Fault['meanwhile'] = 'waits',
): Fault<EsploraHarness> {
  const begin = (harness: EsploraHarness) => {
    const fault: EsploraFault = async (path, truth) => {
      for (const [kind, tale] of faults) {
        const match = kind.exec(path);
        if (match) return tale(match[1] ?? '', truth, harness);
      }
      return null;
    };
    harness.esplora.setFaults(fault);
  };
  return { name, meanwhile, begin };
}

/** The same to every question. */
const always = (name: string, answer: EsploraAnswer | symbol) => esploraFault(name, [[/^/, () => answer]]);

/** The true answer with its body changed. */
function changed<T extends EsploraAnswer['body']>(change: (body: T) => EsploraAnswer['body']): RpcFault {
  return async (_asked, truth) => {
    const answer = await truth();
    return answer.status === 200 ? { ...answer, body: change(answer.body as T) } : answer;
  };
}

/** One bit of raw bytes is another. */
function flipped(place: number): RpcFault {
  return changed((body: Buffer) => {
    const bytes = Buffer.from(body);
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
    return bytes;
  });
}

async function parentOf(hash: string, { node }: EsploraHarness): Promise<string> {
  const header = await node.rpc<{ previousblockhash: string }>('getblockheader', [hash]);
  return header.previousblockhash;
}

/** Stands where the chain was when it was asked first, and knows nothing above. */
function stale(): Fault<EsploraHarness> {
  let old = 0;
  const fault = esploraFault('is a replica that has fallen behind', [
    [TIP, async (_asked, _truth, { node }) => ok(await node.hashAt(old))],
    [HASH_AT, (asked, truth) => (Number(asked) > old ? notFound : truth())],
  ]);
  const begin = async (harness: EsploraHarness) => {
    old = (await harness.driver.tip()).height - OFF_BY;
    fault.begin(harness);
  };
  return { ...fault, begin };
}

/** Another height under the newest block's hash. */
const misplaced = (by: number): RpcFault =>
  changed((body: { height: number }) => ({ ...body, height: body.height + by }));

/** What any endpoint, or whatever stands in front of it, may answer to any question. */
const ESPLORA_TRANSPORT_FAULTS: readonly Fault<EsploraHarness>[] = [
  always('answers HTTP 500', { status: 500, body: 'oops' }),
  always('answers HTTP 429', { status: 429, body: 'Too Many Requests' }),
  always('answers HTTP 404', notFound),
  always('sends us elsewhere', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }),
  always('answers a web page', ok('<!doctype html><title>Sign in</title>')),
  esploraFault('answers half of everything', [
    [
      /^/,
      changed((body) =>
        halfOf(Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)),
      ),
    ],
  ]),
  always('answers nothing at all', ok('')),
  always('answers more than anybody wants to read', ok(HUGE)),
  always('breaks off in the middle of an answer', RESET),
  always('never answers', HANG),
  always('answers nonsense', ok('nonsense')),
  always('answers null', ok('null')),
];

function halfOf<T extends string | Buffer>(body: T): T {
  return body.slice(0, Math.floor(body.length / 2)) as T;
}

/** What an endpoint may say that is well-formed and not true. */
export const ESPLORA_FAULTS: readonly Fault<EsploraHarness>[] = [
  ...ESPLORA_TRANSPORT_FAULTS,
  esploraFault('sends the block before', [
    [
      RAW_BLOCK,
      async (asked, _truth, harness) =>
        ok(
          Buffer.from(await harness.node.rpc<string>('getblock', [await parentOf(asked, harness), 0]), 'hex'),
        ),
    ],
  ]),
  // Headers are asked for where the chain seems to have forked.
  esploraFault('sends headers of other blocks than it names', [
    [HASH_AT, async (asked, _truth, { node }) => ok(await node.hashAt(Number(asked) - 1))],
    [
      HEADER,
      async (asked, _truth, harness) =>
        ok(await harness.node.rpc<string>('getblockheader', [await parentOf(asked, harness), false])),
    ],
  ]),
  esploraFault('sends blocks with another parent', [[RAW_BLOCK, flipped(IN_PARENT)]]),
  esploraFault('sends blocks with another Merkle root', [[RAW_BLOCK, flipped(IN_ROOT)]]),
  esploraFault('sends blocks with another header', [[RAW_BLOCK, flipped(IN_TIME)]]),
  esploraFault('sends blocks with another transaction', [[RAW_BLOCK, flipped(IN_COINBASE)]]),
  esploraFault('sends blocks without transactions', [
    [RAW_BLOCK, changed((body: Buffer) => Buffer.concat([body.subarray(0, HEADER_LENGTH), Buffer.alloc(1)]))],
  ]),
  esploraFault('sends blocks cut short', [[RAW_BLOCK, changed((body: Buffer) => body.subarray(0, -20))]]),
  esploraFault('has no bytes of any block', [[RAW_BLOCK, () => notFound]]),
  esploraFault('has hashes of no block', [[HASH_AT, () => ok(OTHER_HASH)]]),
  esploraFault('has one hash for all blocks', [
    [HASH_AT, async (_asked, _truth, { node }) => ok(await node.hashAt(await node.height()))],
  ]),
  esploraFault('shows each block one height too high', [
    [HASH_AT, async (asked, _truth, { node }) => ok(await node.hashAt(Number(asked) - 1))],
  ]),
  stale(),
  esploraFault('announces blocks and does not have them', [[HASH_AT, () => notFound]]),
  esploraFault('names a block that does not exist as its newest', [[TIP, () => ok(OTHER_HASH)]]),
  esploraFault(
    'reports blocks that do not exist',
    [
      [TIP, () => ok(OTHER_HASH)],
      [
        BLOCK,
        async (_asked, _truth, { node }) => ok({ id: OTHER_HASH, height: (await node.height()) + OFF_BY }),
      ],
    ],
    'credits',
  ),
  esploraFault('tells too great a height of its newest block', [[BLOCK, misplaced(OFF_BY)]], 'credits'),
  esploraFault('tells too small a height of its newest block', [[BLOCK, misplaced(-OFF_BY)]]),
  esploraFault(
    'lists pending transactions that do not exist',
    [[WAITING, changed((list: string[]) => [...list, OTHER_HASH])]],
    'credits',
  ),
  esploraFault('forgets all that waits', [[WAITING, () => ok([])]], 'credits'),
  esploraFault('lists what waits as no list', [[WAITING, () => ok({ count: 0 })]], 'credits'),
  esploraFault('does not tell what waits', [[WAITING, () => ({ status: 500, body: 'oops' })]], 'credits'),
  esploraFault('has nothing of what waits', [[RAW_TRANSACTION, () => notFound]], 'credits'),
  esploraFault(
    'shows a waiting transaction under the hash of another',
    [
      [
        RAW_TRANSACTION,
        changed((body: string) => {
          const bytes = Buffer.from(body, 'hex');
          bytes.writeUInt8(bytes.readUInt8(IN_OUTPOINT) ^ 1, IN_OUTPOINT);
          return bytes.toString('hex');
        }),
      ],
    ],
    'credits',
  ),
  esploraFault(
    'shows waiting transactions cut short',
    [[RAW_TRANSACTION, changed((body: string) => body.slice(0, -20))]],
    'credits',
  ),
  esploraFault('is of a public network all of a sudden', [
    [/^\/block-height\/0$/, () => ok(BITCOIN_GENESIS)],
    [/^/, () => ({ status: 502, body: 'oops' })],
  ]),
];
