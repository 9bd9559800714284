import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Clock, toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import type { CursorPage } from '../../platform/web/http/cursor-page.js';
import { pageBackwards } from '../../platform/web/http/cursor-query.js';
import {
  type AnsweredRequest,
  AnsweredRequests,
  type ServerToken,
} from '../../platform/web/observability/answered-requests.js';
import { MOST_CHARACTERS, shownBody, shownKey, shownPath } from './logged-request.pure.js';
import type { ListRequestLogQuery, LoggedRequestContract } from './request-log.contract.js';
import type { RequestLogEntity } from './request-log.entity.js';
import { type ListedRequest, RequestLogRepository } from './request-log.repository.js';

/** Days, rows and bytes of one account (specification/authentication.md#request-log). */
const KEPT_MS = 7 * 24 * 3_600 * 1_000;
const MOST = { rows: 10_000, bytes: 8 * 1024 * 1024 };

/** Writes what merchants' servers have asked, off the path of requests, and shows it to them. */
@Injectable()
export class RequestLog implements BeforeApplicationShutdown {
  /** Rows of one statement. */
  static readonly BATCH = 500;
  /** Rows of an account after which its oldest ones are deleted: what finds them reads all of its rows. */
  static readonly TRIM_AFTER = 2_000;
  /** Of how many accounts that is counted in memory; when there are more, it begins anew. */
  private static readonly MOST_COUNTED = 10_000;
  private readonly logger = new Logger('RequestLog');
  /** Rows of an account since the oldest ones were deleted; it has at most so many more than it may. */
  private readonly sinceTrim = new Map<string, number>();

  constructor(
    private readonly answered: AnsweredRequests,
    private readonly log: RequestLogRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Writes one batch. True if there is more. A batch that cannot be written is lost. */
  async writeOnce(): Promise<boolean> {
    const { requests, leftOut } = this.answered.take(RequestLog.BATCH);
    if (leftOut > 0) this.logger.warn({ leftOut }, 'requests left out of the request log');
    if (requests.length === 0) return false;
    const rows = await this.rowsOf(requests);
    if (rows.length > 0) await this.log.insert(rows);
    for (const userId of this.dueForTrim(rows)) await this.log.trim(userId, MOST);
    return requests.length === RequestLog.BATCH;
  }

  /** Deletes one batch of what is too old. True if there may be more. */
  purge(): Promise<boolean> {
    return this.log.purge(new Date(this.clock.now().getTime() - KEPT_MS), RequestLog.BATCH);
  }

  /** Deletes what the servers of an account have asked; what they ask afterwards has no account. */
  forget(userId: string): Promise<void> {
    return this.log.deleteAll(userId);
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.config.loops) return;
    try {
      while (await this.writeOnce()) continue;
    } catch (error) {
      this.logger.warn({ err: error }, 'the last requests are not in the request log');
    }
  }

  /** Newest first. */
  async list(userId: string, query: ListRequestLogQuery): Promise<CursorPage<LoggedRequestContract>> {
    const filter = {
      userId,
      statusClass: query.status === undefined ? null : Number(query.status[0]),
      method: query.method ?? null,
      applicationId: query.paymentApplicationId ?? null,
      tokenId: query.tokenId ?? null,
      path: query.path ?? null,
      requestId: query.requestId ?? null,
      since: query.since ?? null,
    };
    const found = await this.log.list(filter, query.after, query.limit + 1);
    const places = found.map((row) => ({ at: row.at, id: row.requestId, row }));
    return pageBackwards(places, query, ({ row }) => present(row));
  }

  private async rowsOf(requests: readonly AnsweredRequest[]): Promise<RequestLogEntity[]> {
    const hashes = requests.flatMap(({ by }) => ('tokenHash' in by ? [by.tokenHash] : []));
    const owners = hashes.length > 0 ? await this.log.listOwners(hashes) : [];
    const byHash = new Map(owners.map((owner) => [owner.tokenHash.toString('hex'), owner]));
    return requests.flatMap((request) => {
      const { by } = request;
      const owner = 'tokenHash' in by ? byHash.get(by.tokenHash.toString('hex')) : by;
      return owner ? [toRow(request, { oauthClientId: null, ...owner })] : [];
    });
  }

  /** Those of whom there may be too many: the first time, since nobody knows, and then after some rows. */
  private dueForTrim(rows: readonly RequestLogEntity[]): string[] {
    if (this.sinceTrim.size > RequestLog.MOST_COUNTED) this.sinceTrim.clear();
    const due = new Set<string>();
    for (const { userId } of rows) {
      const count = (this.sinceTrim.get(userId) ?? RequestLog.TRIM_AFTER) + 1;
      if (count > RequestLog.TRIM_AFTER) due.add(userId);
      this.sinceTrim.set(userId, count > RequestLog.TRIM_AFTER ? 1 : count);
    }
    return [...due];
  }
}

function toRow(request: AnsweredRequest, by: ServerToken): RequestLogEntity {
  return {
    userId: by.userId,
    at: request.at,
    requestId: request.requestId,
    applicationId: by.applicationId,
    tokenId: by.tokenId,
    oauthClientId: by.oauthClientId,
    method: request.method,
    route: request.route.slice(0, MOST_CHARACTERS.route),
    path: shownPath(request.url),
    status: request.status,
    durationMs: request.durationMs,
    idempotencyKey: shownKey(request.idempotencyKey),
    address: request.address,
    errorCode: request.errorCode,
    errorBody: shownBody(request.errorBody),
  };
}

function present(row: ListedRequest): LoggedRequestContract {
  const { userId: _userId, applicationId, at, ...shown } = row;
  return { ...shown, at: toIsoSeconds(at), paymentApplicationId: applicationId };
}
