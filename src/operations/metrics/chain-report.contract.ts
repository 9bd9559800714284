import { CatchUpContract } from '../../chains/catch-up.contract.js';
import { CHAIN_STATES, type ChainState } from '../../chains/chain-health.pure.js';
import { Contract, exampleOf } from '../../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  Flag,
  Instant,
  Nested,
  NestedList,
  Text,
  TextList,
} from '../../platform/web/contract/fields.js';

const EXAMPLE_HEIGHT = 21_000_000;
const EXAMPLE_HASH = '0x9b3f6a1c0d2e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c';
const EXAMPLE_TIME = '2026-01-15T10:00:00Z';

const ENDPOINT_STATES = ['unasked', 'ok', 'lagging', 'limited', 'resting', 'refused'] as const;
const NATIVE_TRANSFERS = ['trace_block', 'debug_traceBlockByHash', 'transactions'] as const;

@Contract('EndpointCapabilities', 'The features of an endpoint.')
export class EndpointCapabilitiesContract {
  @Choice(NATIVE_TRANSFERS, { about: 'How transfers of the native coin are found.' })
  native: (typeof NATIVE_TRANSFERS)[number];

  @Flag({ about: 'It supports `eth_getBlockReceipts`.', example: true })
  blockReceipts: boolean;

  @Flag({ about: 'It names the finalized block.', example: true })
  finalizedTag: boolean;

  @Flag({ about: 'It names the safe block.', example: true })
  safeTag: boolean;

  @Count({ about: 'The largest number of blocks that one `eth_getLogs` was seen to span.', example: 10_000 })
  logRange: number;
}

@Contract('EndpointReport', 'One endpoint of a chain; its address is never shown.')
export class EndpointReportContract {
  @Count({ about: 'Its place in `CHAIN_<SLUG>_RPC_URL`, from 1.', example: 1 })
  position: number;

  @Choice(ENDPOINT_STATES, {
    about:
      '`unasked`: not used yet. `lagging`: does not have the newest blocks. `limited`: limits the rate of requests. ' +
      '`resting`: failed recently, used only when no other responds. `refused`: of another chain.',
    example: 'ok',
  })
  state: (typeof ENDPOINT_STATES)[number];

  @Count({ about: 'Consecutive failures.', example: 0 })
  failures: number;

  @Text({ nullable: true, about: 'Its last failure.' })
  lastError: string | null;

  @Count({ nullable: true, about: 'Its newest block.', example: EXAMPLE_HEIGHT })
  tipHeight: number | null;

  @Count({ nullable: true, about: 'Blocks behind the best endpoint.', example: 0 })
  lagBlocks: number | null;

  @Nested(() => EndpointCapabilitiesContract, {
    nullable: true,
    about: 'Null before it was probed.',
    example: exampleOf(EndpointCapabilitiesContract, 'response'),
  })
  capabilities: EndpointCapabilitiesContract | null;

  @TextList({
    about:
      'What the operator has to provide: methods or data that the node, or the plan of its provider, lacks.',
  })
  needs: readonly string[];
}

@Contract('ChainAlert', 'A state that needs attention.')
export class ChainAlertContract {
  @Text({ about: 'The state, or `traces_unread` where only that is left to do.' })
  code: string;

  @Text({ about: 'The same for people.' })
  message: string;
}

@Contract('ChainHead', 'The newest block of the node.')
export class ChainHeadContract {
  @Count({ about: 'Its height.', example: EXAMPLE_HEIGHT })
  height: number;

  @Text({ about: 'Its hash.', example: EXAMPLE_HASH })
  hash: string;

  @Instant({ nullable: true, about: 'When the highest block so far was first seen.', example: EXAMPLE_TIME })
  roseAt: string | null;
}

@Contract('ChainCursor', 'The newest block that the gateway has applied.')
export class ChainCursorContract {
  @Count({ about: 'Its height.', example: EXAMPLE_HEIGHT })
  height: number;

  @Text({ about: 'Its hash.', example: EXAMPLE_HASH })
  hash: string;

  @Instant({ nullable: true, about: 'The time in the block.', example: '2026-01-15T09:59:59Z' })
  blockTime: string | null;

  @Instant({ nullable: true, about: 'When it was applied.', example: EXAMPLE_TIME })
  movedAt: string | null;
}

@Contract('ChainLag', 'What is still to be applied.')
export class ChainLagContract {
  @Count({ about: 'Blocks between cursor and head.', example: 0 })
  blocks: number;

  @Count({
    nullable: true,
    about: "The age of the cursor's block while blocks wait, else 0.",
    example: 0,
  })
  seconds: number | null;
}

@Contract('ChainLease', 'The process that follows the chain.')
export class ChainLeaseContract {
  @Text({ about: 'Its name.', example: '7b0c5f7e-6f5d-4c55-9d0f-2a4f7f1f0f6e' })
  holder: string;

  @Instant({
    nullable: true,
    about: 'When the lease expires, unless it is renewed.',
    example: '2026-01-15T10:00:06Z',
  })
  expiresAt: string | null;

  @Flag({ about: 'Whether it holds the lease now; false: no process does.', example: true })
  held: boolean;
}

@Contract('ChainEndpoint', 'The last response of the node.')
export class ChainEndpointContract {
  @Flag({ about: 'Whether it was correct.', example: true })
  ok: boolean;

  @Text({ nullable: true, about: 'What was wrong.' })
  error: string | null;

  @Instant({ nullable: true, about: 'Since when.' })
  since: string | null;

  @Instant({ nullable: true, about: 'When it was last polled.', example: EXAMPLE_TIME })
  checkedAt: string | null;
}

@Contract('ChainReorgs', 'Applied blocks that were reverted by a reorganization of the chain.')
export class ChainReorgsContract {
  @Count({ about: 'How often.', example: 2 })
  count: number;

  @Count({ about: 'The most blocks at once.', example: 1 })
  deepest: number;

  @Instant({ nullable: true, about: 'When last.', example: '2026-01-12T03:14:15Z' })
  lastAt: string | null;
}

@Contract('ChainHalt', 'Why the chain is halted until an operator decides.')
export class ChainHaltContract {
  @Instant({ nullable: true, about: 'Since when.' })
  since: string | null;

  @Text({ about: 'The reason.' })
  reason: string;
}

/** One entry of GET /api/admin/chains (specification/operations.md#operator-views). */
@Contract('ChainReport', 'The condition of a chain.')
export class ChainReportContract {
  @Text({ about: 'E.g. `ethereum`.', example: 'ethereum' })
  slug: string;

  @Text({ about: 'Its name in English.', example: 'Ethereum' })
  name: string;

  @Choice(CHAIN_STATES, {
    about: 'The most severe state that applies now; docs/how-to/watch-chains.md says what to do.',
  })
  state: ChainState;

  @Nested(() => ChainAlertContract, { nullable: true, about: 'Null while nothing needs attention.' })
  alert: ChainAlertContract | null;

  @Nested(() => CatchUpContract, { nullable: true, about: 'What is left; null unless it is `catching_up`.' })
  catchUp: CatchUpContract | null;

  @Flag({ about: 'Whether checkout offers it.', example: true })
  acceptsPayments: boolean;

  @Nested(() => ChainHeadContract, {
    nullable: true,
    about: 'Null before the first poll.',
    example: exampleOf(ChainHeadContract, 'response'),
  })
  head: ChainHeadContract | null;

  @Nested(() => ChainCursorContract, {
    nullable: true,
    about: 'Null before the first block.',
    example: exampleOf(ChainCursorContract, 'response'),
  })
  cursor: ChainCursorContract | null;

  @Nested(() => ChainLagContract, {
    nullable: true,
    about: 'Null before both are known.',
    example: exampleOf(ChainLagContract, 'response'),
  })
  lag: ChainLagContract | null;

  @Nested(() => ChainLeaseContract, {
    nullable: true,
    about: 'Null where no process has followed the chain yet.',
    example: exampleOf(ChainLeaseContract, 'response'),
  })
  lease: ChainLeaseContract | null;

  @Nested(() => ChainEndpointContract, {
    nullable: true,
    about: 'Null before the first poll.',
    example: exampleOf(ChainEndpointContract, 'response'),
  })
  endpoint: ChainEndpointContract | null;

  @NestedList(() => EndpointReportContract, {
    about: 'Each endpoint of an EVM chain as the watcher last found it; other chains are read through one.',
  })
  endpoints: readonly EndpointReportContract[];

  @Choice(['offered', 'not_traceable'], {
    about:
      '`not_traceable`: no endpoint shows payments by contracts, so checkout does not offer the native coin (`CHAIN_<SLUG>_NATIVE`).',
    example: 'offered',
  })
  nativeCoin: 'offered' | 'not_traceable';

  @Nested(() => ChainReorgsContract)
  reorgs: ChainReorgsContract;

  @Nested(() => ChainHaltContract, { nullable: true, about: 'Null unless it is halted.' })
  halted: ChainHaltContract | null;

  @Count({
    about:
      'Large transfers that are recorded, and do not count before a second endpoint or their block confirms them.',
    example: 0,
  })
  awaitingAgreement: number;

  @Count({
    about:
      'Applied blocks of an EVM chain in which payments by contracts may be missing, because the traces could not be read yet. ' +
      'They are read again, and then credited.',
    example: 0,
  })
  unreadTraces: number;

  @Count({
    nullable: true,
    about:
      'Seconds without a higher block after which the chain counts as stalled. Null: this is not checked.',
    example: 120,
  })
  stallSeconds: number | null;
}
