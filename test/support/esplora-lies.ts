import type { Lie } from './engine-world.js';
import type { EsploraAnswer, EsploraLie } from './esplora.js';
import type { EsploraWorld } from './esplora-engine.js';
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
type Tale = (asked: string, truth: () => Promise<EsploraAnswer>, world: EsploraWorld) => unknown;

/** Lies at the paths of some kinds; true everywhere else. */
function esploraLie(
  name: string,
  tales: readonly (readonly [kind: RegExp, tale: Tale])[],
  meanwhile: Lie['meanwhile'] = 'waits',
): Lie<EsploraWorld> {
  const begin = (world: EsploraWorld) => {
    const lie: EsploraLie = async (path, truth) => {
      for (const [kind, tale] of tales) {
        const match = kind.exec(path);
        if (match) return tale(match[1] ?? '', truth, world);
      }
      return null;
    };
    world.esplora.tell(lie);
  };
  return { name, meanwhile, begin };
}

/** The same to every question. */
const always = (name: string, answer: EsploraAnswer | symbol) => esploraLie(name, [[/^/, () => answer]]);

/** The true answer with its body changed. */
function changed<T extends EsploraAnswer['body']>(change: (body: T) => EsploraAnswer['body']): Tale {
  return async (_asked, truth) => {
    const answer = await truth();
    return answer.status === 200 ? { ...answer, body: change(answer.body as T) } : answer;
  };
}

/** One bit of raw bytes is another. */
function flipped(place: number): Tale {
  return changed((body: Buffer) => {
    const bytes = Buffer.from(body);
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
    return bytes;
  });
}

async function parentOf(hash: string, { node }: EsploraWorld): Promise<string> {
  const header = await node.rpc<{ previousblockhash: string }>('getblockheader', [hash]);
  return header.previousblockhash;
}

/** Stands where the chain was when it was asked first, and knows nothing above. */
function stale(): Lie<EsploraWorld> {
  let old = 0;
  const lie = esploraLie('is a replica that has fallen behind', [
    [TIP, async (_asked, _truth, { node }) => ok(await node.hashAt(old))],
    [HASH_AT, (asked, truth) => (Number(asked) > old ? notFound : truth())],
  ]);
  const begin = async (world: EsploraWorld) => {
    old = (await world.hand.tip()).height - OFF_BY;
    lie.begin(world);
  };
  return { ...lie, begin };
}

/** Another height under the newest block's hash. */
const misplaced = (by: number): Tale =>
  changed((body: { height: number }) => ({ ...body, height: body.height + by }));

/** What any endpoint, or whatever stands in front of it, may answer to any question. */
const ESPLORA_TRANSPORT_LIES: readonly Lie<EsploraWorld>[] = [
  always('answers HTTP 500', { status: 500, body: 'oops' }),
  always('answers HTTP 429', { status: 429, body: 'Too Many Requests' }),
  always('answers HTTP 404', notFound),
  always('sends us elsewhere', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }),
  always('answers a web page', ok('<!doctype html><title>Sign in</title>')),
  esploraLie('answers half of everything', [
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
export const ESPLORA_LIES: readonly Lie<EsploraWorld>[] = [
  ...ESPLORA_TRANSPORT_LIES,
  esploraLie('sends the block before', [
    [
      RAW_BLOCK,
      async (asked, _truth, world) =>
        ok(Buffer.from(await world.node.rpc<string>('getblock', [await parentOf(asked, world), 0]), 'hex')),
    ],
  ]),
  // Headers are asked for where the chain seems to have forked.
  esploraLie('sends headers of other blocks than it names', [
    [HASH_AT, async (asked, _truth, { node }) => ok(await node.hashAt(Number(asked) - 1))],
    [
      HEADER,
      async (asked, _truth, world) =>
        ok(await world.node.rpc<string>('getblockheader', [await parentOf(asked, world), false])),
    ],
  ]),
  esploraLie('sends blocks with another parent', [[RAW_BLOCK, flipped(IN_PARENT)]]),
  esploraLie('sends blocks with another Merkle root', [[RAW_BLOCK, flipped(IN_ROOT)]]),
  esploraLie('sends blocks with another header', [[RAW_BLOCK, flipped(IN_TIME)]]),
  esploraLie('sends blocks with another transaction', [[RAW_BLOCK, flipped(IN_COINBASE)]]),
  esploraLie('sends blocks without transactions', [
    [RAW_BLOCK, changed((body: Buffer) => Buffer.concat([body.subarray(0, HEADER_LENGTH), Buffer.alloc(1)]))],
  ]),
  esploraLie('sends blocks cut short', [[RAW_BLOCK, changed((body: Buffer) => body.subarray(0, -20))]]),
  esploraLie('has no bytes of any block', [[RAW_BLOCK, () => notFound]]),
  esploraLie('has hashes of no block', [[HASH_AT, () => ok(OTHER_HASH)]]),
  esploraLie('has one hash for all blocks', [
    [HASH_AT, async (_asked, _truth, { node }) => ok(await node.hashAt(await node.height()))],
  ]),
  esploraLie('shows each block one height too high', [
    [HASH_AT, async (asked, _truth, { node }) => ok(await node.hashAt(Number(asked) - 1))],
  ]),
  stale(),
  esploraLie('announces blocks and does not have them', [[HASH_AT, () => notFound]]),
  esploraLie('names a block that nobody has made as its newest', [[TIP, () => ok(OTHER_HASH)]]),
  esploraLie(
    'announces blocks that nobody has made',
    [
      [TIP, () => ok(OTHER_HASH)],
      [
        BLOCK,
        async (_asked, _truth, { node }) => ok({ id: OTHER_HASH, height: (await node.height()) + OFF_BY }),
      ],
    ],
    'credits',
  ),
  esploraLie('tells too great a height of its newest block', [[BLOCK, misplaced(OFF_BY)]], 'credits'),
  esploraLie('tells too small a height of its newest block', [[BLOCK, misplaced(-OFF_BY)]]),
  esploraLie(
    'lists waiting transactions that nobody made',
    [[WAITING, changed((list: string[]) => [...list, OTHER_HASH])]],
    'credits',
  ),
  esploraLie('forgets all that waits', [[WAITING, () => ok([])]], 'credits'),
  esploraLie('lists what waits as no list', [[WAITING, () => ok({ count: 0 })]], 'credits'),
  esploraLie('does not tell what waits', [[WAITING, () => ({ status: 500, body: 'oops' })]], 'credits'),
  esploraLie('has nothing of what waits', [[RAW_TRANSACTION, () => notFound]], 'credits'),
  esploraLie(
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
  esploraLie(
    'shows waiting transactions cut short',
    [[RAW_TRANSACTION, changed((body: string) => body.slice(0, -20))]],
    'credits',
  ),
  esploraLie('is of a public network all of a sudden', [
    [/^\/block-height\/0$/, () => ok(BITCOIN_GENESIS)],
    [/^/, () => ({ status: 502, body: 'oops' })],
  ]),
];
