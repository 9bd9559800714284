import {
  choice,
  count,
  flag,
  instant,
  list,
  nullable,
  object,
  ref,
  type Schemas,
  text,
} from '../../platform/contract/json-schema.js';
import { EXAMPLE_USDC_0 } from '../../money/amount.contract.js';

const HASH = '0x9b3f6a1c0d2e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c';

export const EXAMPLE_CHAIN_REPORT = {
  slug: 'ethereum',
  name: 'Ethereum',
  state: 'ok',
  alert: null,
  acceptsPayments: true,
  head: { height: 21_000_000, hash: HASH, roseAt: '2026-01-15T10:00:00Z' },
  cursor: {
    height: 21_000_000,
    hash: HASH,
    blockTime: '2026-01-15T09:59:59Z',
    movedAt: '2026-01-15T10:00:00Z',
  },
  lag: { blocks: 0, seconds: 0 },
  lease: { holder: '7b0c5f7e-6f5d-4c55-9d0f-2a4f7f1f0f6e', expiresAt: '2026-01-15T10:00:06Z', held: true },
  endpoint: { ok: true, error: null, since: null, checkedAt: '2026-01-15T10:00:00Z' },
  endpoints: [
    {
      position: 1,
      state: 'ok',
      failures: 0,
      lastError: null,
      tipHeight: 21_000_000,
      lagBlocks: 0,
      capabilities: { native: 'trace_block', blockReceipts: true, finalizedTag: true, logRange: 10_000 },
    },
  ],
  reorgs: { count: 2, deepest: 1, lastAt: '2026-01-12T03:14:15Z' },
  halted: null,
  stallSeconds: 120,
};

export const EXAMPLE_RECONCILIATION = {
  consistent: true,
  complete: true,
  startedAt: '2026-01-15T10:00:00Z',
  finishedAt: '2026-01-15T10:00:04Z',
  chains: [{ slug: 'ethereum', height: 21_000_000, hash: HASH, halted: false, problem: null }],
  checked: {
    payments: 1_200,
    statusEntries: 4_500,
    events: 2_300,
    quotes: 1_400,
    transfers: 1_150,
    transfersOnChain: 1_149,
    depositAddresses: 1_180,
    balances: 3_540,
    balancesSpent: 310,
  },
  differenceCount: 0,
  differences: [],
  unattributedCount: 1,
  unattributed: [
    {
      paymentId: '0190f3c2-6d1e-7b3a-9c4f-2f1e6a7b8c9d',
      chain: 'ethereum',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      txHash: HASH,
      ordinal: 'log:3',
      asset: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      currencyCode: 'USDC',
      state: 'confirmed',
      amount: {
        ...EXAMPLE_USDC_0,
        value: 1.5,
        amount: 1_500_000,
        formatted: '1.500000 USDC',
        atomic: '1500000',
      },
    },
  ],
  notChecked: [],
};

export const operatorSchemas: Schemas = {
  EndpointReport: object('EndpointReport', 'One endpoint of a chain; its address is never shown.', {
    position: count('Its place in `CHAIN_<SLUG>_RPC_URL`, from 1.'),
    state: choice(
      '`resting`: failed lately, asked only when no other answers; `refused`: of another chain.',
      ['unasked', 'ok', 'resting', 'refused'],
    ),
    failures: count('In a row.'),
    lastError: nullable(text('What it last did wrong.')),
    tipHeight: nullable(count('Its newest block.')),
    lagBlocks: nullable(count('Blocks behind the best endpoint.')),
    capabilities: nullable(
      object('EndpointCapabilities', 'What it offers.', {
        native: choice('How transfers of the native coin are found.', [
          'trace_block',
          'debug_traceBlockByHash',
          'transactions',
        ]),
        blockReceipts: flag('It answers `eth_getBlockReceipts`.'),
        finalizedTag: flag('It names the finalized block.'),
        logRange: count('Blocks that one `eth_getLogs` may span, as far as was tried.'),
      }),
      'Null before it was asked.',
    ),
  }),
  ChainReport: object('ChainReport', 'How a chain is doing.', {
    slug: text('E.g. `ethereum`.'),
    name: text('Its name in English.'),
    state: choice('The worst that can be said of it now; docs/how-to/operations.md says what to do.', [
      'ok',
      'unknown',
      'stalled',
      'unwatched',
      'unreachable',
      'halted',
    ]),
    alert: nullable(
      object('ChainAlert', 'What asks for attention.', {
        code: text('The state.'),
        message: text('The same for people.'),
      }),
      'Null while there is nothing to do.',
    ),
    acceptsPayments: flag('Customers are asked to pay on it.'),
    head: nullable(
      object('ChainHead', 'The newest block of the node.', {
        height: count('Its height.'),
        hash: text('Its hash.'),
        roseAt: nullable(instant('When a block last came that was higher than all before.')),
      }),
      'Null before the first look.',
    ),
    cursor: nullable(
      object('ChainCursor', 'The newest block that the gateway has applied.', {
        height: count('Its height.'),
        hash: text('Its hash.'),
        blockTime: nullable(instant('Its own time.')),
        movedAt: nullable(instant('When it was applied.')),
      }),
      'Null before the first block.',
    ),
    lag: nullable(
      object('ChainLag', 'What is still to be applied.', {
        blocks: count('Blocks between cursor and head.'),
        seconds: nullable(count("The age of the cursor's block while blocks wait, else 0.")),
      }),
      'Null before both are known.',
    ),
    lease: nullable(
      object('ChainLease', 'Which process watches the chain.', {
        holder: text('Its name.'),
        expiresAt: nullable(instant('Until when, unless it renews the lease.')),
        held: flag('It holds the lease now; false: nobody does.'),
      }),
      'Null where nobody has watched yet.',
    ),
    endpoint: nullable(
      object('ChainEndpoint', 'How the node last answered.', {
        ok: flag('As it should.'),
        error: nullable(text('What was wrong.')),
        since: nullable(instant('Since when.')),
        checkedAt: nullable(instant('When it was last asked.')),
      }),
      'Null before the first look.',
    ),
    endpoints: list(
      'Each endpoint of an EVM chain as the watcher last found it; other chains are read through one.',
      ref('EndpointReport'),
    ),
    reorgs: object('ChainReorgs', 'Blocks that were applied and taken back.', {
      count: count('How often.'),
      deepest: count('The most blocks at once.'),
      lastAt: nullable(instant('When last.')),
    }),
    halted: nullable(
      object('ChainHalt', 'Why the chain stands still until an operator decides.', {
        since: nullable(instant('Since when.')),
        reason: text('Why.'),
      }),
      'Null while it goes on.',
    ),
    stallSeconds: nullable(
      count('Seconds without a higher block after which the chain counts as stalled.'),
      'Null where that is not judged.',
    ),
  }),
  Reconciliation: object('Reconciliation', 'What the books say against the chains and the facts.', {
    consistent: flag('Everything was compared, and nothing differs.'),
    complete: flag('Everything was compared.'),
    startedAt: instant('When it began.'),
    finishedAt: instant('When it ended.'),
    chains: list(
      'How far each chain was compared.',
      object('ReconciledChain', 'One chain.', {
        slug: text('E.g. `ethereum`.'),
        height: nullable(count('Height of the cursor.')),
        hash: nullable(text('Its block.')),
        halted: flag('The chain waits for an operator.'),
        problem: nullable(text('Why it could not be compared.')),
      }),
    ),
    checked: object('ReconciliationCounts', 'How much was compared.', {
      payments: count('Payments.'),
      statusEntries: count('Entries of status histories.'),
      events: count('Events.'),
      quotes: count('Rate locks.'),
      transfers: count('Recorded transfers.'),
      transfersOnChain: count('Of these, those that were looked up on their chain.'),
      depositAddresses: count('Deposit addresses.'),
      balances: count('Balances: an address and an asset each.'),
      balancesSpent: count('Of these, those of addresses that have spent.'),
    }),
    differenceCount: count('All differences.'),
    differences: list('The first of them.', ref('ReconciliationDifference')),
    unattributedCount: count('All unattributed deposits.'),
    unattributed: list('The first of them.', ref('UnattributedDeposit')),
    notChecked: list('Why something was left out.', { type: 'string' }),
  }),
  ReconciliationDifference: object('ReconciliationDifference', 'Something that the books have wrong.', {
    check: text('The kind of check that found it; docs/how-to/operations.md lists them.'),
    chain: nullable(text('Its chain.')),
    paymentId: nullable(text('Its payment.')),
    subject: text('What it is about.'),
    expected: text('What follows from the chain or from the facts.'),
    found: text('What the books say.'),
  }),
  UnattributedDeposit: object('UnattributedDeposit', 'Funds in an asset that nobody was asked to pay.', {
    paymentId: text('The payment whose address they came to.'),
    chain: text('The chain.'),
    address: text('The deposit address.'),
    txHash: text('The transaction.'),
    ordinal: text('The place in it.'),
    asset: text('`native`, or the token contract.'),
    currencyCode: text('The currency.'),
    state: choice('Whether it is deep enough.', ['pending', 'confirmed']),
    amount: ref('Amount'),
  }),
};
