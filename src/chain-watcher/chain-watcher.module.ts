import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChainsModule } from '../chains/chains.module.js';
import { ChainsService } from '../chains/chains.service.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { AdminChainHaltsController } from './admin-chain-halts.controller.js';
import { AgreementService } from './agreement.service.js';
import { NewBlockListenerService } from './new-block-listener.service.js';
import { BlockMatcher } from './block-matcher.service.js';
import { BlockReader } from './block-reader.service.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { BlockApplierService } from './block-applier.service.js';
import { ChainFinalityService } from './chain-finality.service.js';
import { ChainBlockEntity } from './chain-block.entity.js';
import { ChainCursorEntity } from './chain-cursor.entity.js';
import { ChainLeaseEntity } from './chain-lease.entity.js';
import { ChainLeaseRepository } from './chain-lease.repository.js';
import { ChainLeaseService } from './chain-lease.service.js';
import { ChainStartService } from './chain-start.service.js';
import { ChainWatcherService } from './chain-watcher.service.js';
import { DeepForkService } from './deep-fork.service.js';
import { DetectionLatencyService } from './detection-latency.service.js';
import { IdleChainService } from './idle-chain.service.js';
import { MempoolWatcher } from './mempool-watcher.service.js';
import { NodeStatusService } from './node-status.service.js';
import { PollPaceService } from './poll-pace.service.js';
import { PaymentLoopsService } from './payment-loops.service.js';
import { ChainHaltService } from './chain-halt.service.js';
import { RescanService } from './rescan.service.js';
import { StartHeightService } from './start-height.service.js';
import { PrunedBlocksRecords, PrunedBlocksService } from './pruned-blocks.service.js';
import { ReorgService } from './reorg.service.js';
import { TransactionSearch } from './transaction-search.service.js';
import { UnreadTraceEntity } from './unread-trace.entity.js';
import { UnreadTraceReader } from './unread-trace-reader.service.js';
import { UnreadTraceRepository } from './unread-trace.repository.js';
import { UnreadTraces } from './unread-traces.service.js';
import { UnminedTransactionsService } from './unmined-transactions.service.js';
import { WaitingTransfersService } from './waiting-transfers.service.js';

const entities = [ChainBlockEntity, ChainCursorEntity, ChainLeaseEntity, UnreadTraceEntity];

/** A customer waits for the result. */
const SEARCH_INTERVAL_MS = 2_000;

/** As often as the first attempt is due. */
const UNREAD_INTERVAL_MS = 10_000;

/** Follows every configured chain and records transfers to deposit addresses. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), ChainsModule, PaymentsModule, WalletsModule],
  controllers: [AdminChainHaltsController],
  providers: [
    ChainWatcherService,
    ChainCursorRepository,
    ChainFinalityService,
    ChainLeaseRepository,
    ChainLeaseService,
    BlockMatcher,
    BlockReader,
    NewBlockListenerService,
    IdleChainService,
    MempoolWatcher,
    BlockApplierService,
    ChainStartService,
    DeepForkService,
    DetectionLatencyService,
    NodeStatusService,
    PaymentLoopsService,
    PollPaceService,
    PrunedBlocksRecords,
    PrunedBlocksService,
    ReorgService,
    RescanService,
    ChainHaltService,
    StartHeightService,
    TransactionSearch,
    UnminedTransactionsService,
    UnreadTraceReader,
    UnreadTraceRepository,
    UnreadTraces,
    AgreementService,
    WaitingTransfersService,
  ],
  exports: [ChainWatcherService, RescanService, ChainHaltService, StartHeightService],
})
export class ChainWatcherModule implements OnApplicationBootstrap {
  constructor(
    @Inject(ChainsService) private readonly chains: ChainsService,
    @Inject(PollPaceService) private readonly pace: PollPaceService,
    @Inject(TransactionSearch) private readonly search: TransactionSearch,
    @Inject(UnreadTraceReader) private readonly unread: UnreadTraceReader,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      { name: LoopName.ReportedTransactions, role: 'watcher', intervalMs: SEARCH_INTERVAL_MS },
      () => this.search.runOnce(),
    );
    this.loops.start({ name: LoopName.UnreadTraces, role: 'watcher', intervalMs: UNREAD_INTERVAL_MS }, () =>
      this.unread.runOnce(),
    );
    for (const { slug } of this.chains.list()) {
      this.loops.start(
        {
          name: LoopName.ChainWatcher,
          scope: slug,
          role: 'watcher',
          intervalMs: this.pace.tickMs(slug),
        },
        () => this.pace.runIfDue(slug),
      );
    }
  }
}
