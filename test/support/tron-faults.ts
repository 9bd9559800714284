import type { Fault } from './engine-harness.js';
import { HANG, RESET } from './rpc-proxy.js';
import type { TronHarness } from './tron-engine.js';
import { type TronFault, TronRaw } from './tron-node.js';
import { type Json, withTransactions } from './tron-shapes.js';

const BLOCK = 'wallet/getblock';
const INFOS = 'wallet/gettransactioninfobyblocknum';
const SOLID = 'walletsolidity/getblock';
/** Blocks that a stale replica is behind. */
const STALE_BY = 3;
/** More than the 32 MiB that an answer may have. */
const HUGE = ' '.repeat(33 * 2 ** 20);
/** Digits of a block's id that are its height. */
const PLACE = 16;

type RpcFaults = Readonly<Record<string, TronFault>>;

function tronFault(
  name: string,
  faults: RpcFaults | ((harness: TronHarness) => RpcFaults),
  meanwhile: Fault['meanwhile'] = 'waits',
): Fault<TronHarness> {
  const begin = (harness: TronHarness) =>
    harness.node.setFaults(typeof faults === 'function' ? faults(harness) : faults);
  return { name, meanwhile, begin };
}

const always = (name: string, answer: unknown) => tronFault(name, { '*': () => answer });

const isEmpty = (answer: unknown) => Object.keys(answer as object).length === 0;
/** `{}` is no block. */
const everyBlock =
  (change: (block: Json) => Json): TronFault =>
  (answer) =>
    isEmpty(answer) ? answer : change(answer as Json);
const everyInfo =
  (change: (info: Json) => Json): TronFault =>
  (answer) =>
    (answer as Json[]).map(change);
/** The id of another block of the same height. */
const otherId = (id: unknown) => `${String(id).slice(0, PLACE)}${'ab'.repeat(24)}`;
const withHeader = (block: Json, change: Json): Json => {
  const header = block['block_header'] as { raw_data: Json };
  return { ...block, block_header: { ...header, raw_data: { ...header.raw_data, ...change } } };
};
const headerOf = (block: Json) => (block['block_header'] as { raw_data: Json }).raw_data;
const withAmount = (amount: unknown) => (transaction: Json) => {
  const raw = transaction['raw_data'] as { contract: { type: string; parameter: { value: Json } }[] };
  const contract = raw.contract.map((one) => ({
    ...one,
    parameter: { ...one.parameter, value: { ...one.parameter.value, amount } },
  }));
  return { raw_data: { ...raw, contract } };
};

/** The word of one call and the word of the next do not agree. */
function flapping(): TronFault {
  let count = 0;
  return everyBlock((block) =>
    count++ % 2 === 1 ? { ...block, blockID: otherId(block['blockID']) } : block,
  );
}

/** Stands where the chain was, and knows nothing above. */
function stale({ node }: TronHarness): RpcFaults {
  const old = node.height - STALE_BY;
  const oldBlock = node.answer(BLOCK, { id_or_num: String(old), detail: false });
  return {
    [BLOCK]: (answer, { id_or_num: asked }) => {
      if (asked === undefined) return oldBlock;
      return Number(asked) > old ? {} : answer;
    },
    [INFOS]: (answer, { num }) => (Number(num) > old ? [] : answer),
  };
}

/** What any node, or whatever stands in front of it, may answer to any question. */
const TRON_TRANSPORT_FAULTS: readonly Fault<TronHarness>[] = [
  always('answers HTTP 500', new TronRaw(500, 'oops')),
  always('answers HTTP 429', new TronRaw(429, '{"Success":false,"Error":"too many requests"}')),
  always('answers HTTP 404', new TronRaw(404, '<html>Not Found</html>')),
  always('answers a web page', new TronRaw(200, '<!doctype html><title>Sign in</title>')),
  always('answers half of the JSON', new TronRaw(200, '{"blockID":"00000')),
  always('answers nothing at all', new TronRaw(200)),
  always('answers more than anybody wants to read', new TronRaw(200, HUGE)),
  always('breaks off in the middle of an answer', RESET),
  always('never answers', HANG),
  always('answers with an error under HTTP 200', { Error: 'class java.lang.Exception : busy' }),
  always('answers nonsense', 'nonsense'),
  always('answers null', new TronRaw(200, 'null')),
  always('answers a list', []),
  always('has nothing', {}),
];

/** What a node of this family may say that is well-formed and not true. */
export const TRON_FAULTS: readonly Fault<TronHarness>[] = [
  ...TRON_TRANSPORT_FAULTS,
  tronFault('has no results', { [INFOS]: () => [] }),
  tronFault('leaves out the result of a transaction', { [INFOS]: (answer) => (answer as Json[]).slice(1) }),
  tronFault('sends results in another order', { [INFOS]: (answer) => (answer as Json[]).toReversed() }),
  tronFault('sends the results of the block before', ({ node }) => ({
    [INFOS]: (_answer, { num }) => node.answer(INFOS, { num: Number(num) - 1 }),
  })),
  tronFault('sends results under another height', {
    [INFOS]: everyInfo((info) => ({ ...info, blockNumber: Number(info['blockNumber']) + 1 })),
  }),
  tronFault('sends results of another time', {
    [INFOS]: everyInfo((info) => ({ ...info, blockTimeStamp: Number(info['blockTimeStamp']) + 3_000 })),
  }),
  tronFault('says in the results alone that what it shows has failed', {
    [INFOS]: everyInfo((info) => ({ ...info, result: 'FAILED' })),
  }),
  tronFault('says in the block alone that what it shows has failed', {
    [BLOCK]: everyBlock((block) => withTransactions(block, () => ({ ret: [{ contractRet: 'REVERT' }] }))),
  }),
  tronFault('does not say whether what it shows has failed', {
    [BLOCK]: everyBlock((block) => withTransactions(block, () => ({ ret: [{}] }))),
  }),
  tronFault('sends blocks without transactions', {
    [BLOCK]: everyBlock(({ transactions: _left, ...block }) => block),
  }),
  tronFault('sends blocks and results without transactions', {
    [BLOCK]: everyBlock(({ transactions: _left, ...block }) => block),
    [INFOS]: () => [],
  }),
  tronFault('leaves out a transaction of its blocks', {
    [BLOCK]: everyBlock((block) => ({
      ...block,
      ...(block['transactions'] !== undefined && {
        transactions: (block['transactions'] as Json[]).slice(1),
      }),
    })),
  }),
  tronFault('shows fractions for amounts', {
    [BLOCK]: everyBlock((block) => withTransactions(block, withAmount(1.5))),
  }),
  tronFault('shows amounts beyond 64 bits', {
    [BLOCK]: everyBlock((block) => withTransactions(block, withAmount(2n ** 63n))),
  }),
  tronFault('has other ids', {
    [BLOCK]: everyBlock((block) => ({ ...block, blockID: otherId(block['blockID']) })),
  }),
  tronFault('has one id for all blocks', ({ node: { tip } }) => ({
    [BLOCK]: everyBlock((block) => ({ ...block, blockID: tip.hash })),
  })),
  tronFault('shows blocks that do not follow each other', {
    [BLOCK]: everyBlock((block) => withHeader(block, { parentHash: otherId(headerOf(block)['parentHash']) })),
  }),
  tronFault('shows blocks under the next height', {
    [BLOCK]: everyBlock((block) => withHeader(block, { number: Number(headerOf(block)['number']) + 1 })),
  }),
  tronFault('sends the block before', ({ node }) => ({
    [BLOCK]: (answer, question) =>
      question['id_or_num'] === undefined
        ? answer
        : node.answer(BLOCK, { ...question, id_or_num: String(Number(question['id_or_num']) - 1) }),
  })),
  tronFault('shows another block each time', () => ({ [BLOCK]: flapping() }), 'either'),
  tronFault('is a replica that has fallen behind', stale),
  tronFault('announces blocks and does not have them', {
    [BLOCK]: (answer, { id_or_num: asked }) => (asked === undefined ? answer : {}),
  }),
  tronFault(
    'reports blocks that do not exist',
    ({ node }) => ({
      [BLOCK]: (answer, { id_or_num: asked }) => {
        if (asked !== undefined) return answer;
        const ahead = (above: number) => otherId((node.height + above).toString(16).padStart(PLACE, '0'));
        const block = { ...(answer as Json), blockID: ahead(5) };
        return withHeader(block, { number: node.height + 5, parentHash: ahead(4) });
      },
    }),
    'credits',
  ),
  tronFault(
    'has solidified another block than the one it showed',
    { [SOLID]: everyBlock((block) => ({ ...block, blockID: otherId(block['blockID']) })) },
    'sees',
  ),
  tronFault(
    'reports a solidified block that does not exist',
    ({ node }) => ({
      [SOLID]: everyBlock((block) => {
        const ahead = (above: number) => otherId((node.height + above).toString(16).padStart(PLACE, '0'));
        return withHeader(
          { ...block, blockID: ahead(50) },
          { number: node.height + 50, parentHash: ahead(49) },
        );
      }),
    }),
    'sees',
  ),
  tronFault(
    'has solidified nothing for a long time',
    ({ node }) => ({ [SOLID]: () => node.answer(BLOCK, { id_or_num: '150', detail: false }) }),
    'sees',
  ),
  tronFault('has solidified nothing at all', { [SOLID]: () => ({}) }, 'sees'),
  tronFault('fails to return the solidified block', { [SOLID]: () => new TronRaw(500) }, 'sees'),
  tronFault('never returns the solidified block', { [SOLID]: () => HANG }, 'sees'),
  tronFault(
    'returns invalid data of the solidified block by getnodeinfo',
    { [SOLID]: () => new TronRaw(404), 'wallet/getnodeinfo': () => ({ solidityBlock: 'Num:12,ID:?' }) },
    'sees',
  ),
];
