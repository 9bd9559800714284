import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.pure.js';
import { type FailingEndpoint, FailingEndpointRepository } from './failing-endpoint.repository.js';

/** A restart of a shop is no outage. */
const SHORTEST_MS = 15 * 60_000;

/** Endpoints of shops that cannot be reached, or answer with errors, for a quarter of an hour. */
@Injectable()
export class FailingEndpoints {
  constructor(
    private readonly rows: FailingEndpointRepository,
    private readonly clock: Clock,
  ) {}

  list(): Promise<FailingEndpoint[]> {
    return this.rows.list(new Date(this.clock.now().getTime() - SHORTEST_MS));
  }

  /** Ids of the applications, of those given, whose endpoint took an event since then. */
  listRecovered(failing: readonly { applicationId: string; since: Date }[]): Promise<string[]> {
    return this.rows.listRecovered(failing);
  }
}
