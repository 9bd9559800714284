import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { prometheusContentType } from 'prom-client';
import { Operation, plain } from '../../platform/web/contract/operation.js';
import { Public } from '../../platform/web/security/auth.js';
import { NotFoundError, UnauthenticatedError } from '../../platform/kernel/errors/errors.pure.js';
import { sha256 } from '../../platform/kernel/hmac.pure.js';
import { bearerToken } from '../../platform/web/rate-limiting/rate-limit-category.pure.js';
import { RateLimits } from '../../platform/web/rate-limiting/rate-limits.service.js';
import { CONFIG, type Config } from '../../config.js';
import { MetricsService } from './metrics.service.js';

const NO_TOKEN =
  'Metrics have a token of their own; send Authorization: Bearer <token> with the METRICS_TOKEN of the gateway.';

/** For Prometheus, at the path that it expects; with a token of its own, because Prometheus does not sign in. */
@Controller('metrics')
@Public()
export class MetricsController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: MetricsService,
    private readonly limits: RateLimits,
  ) {}

  @Get()
  @Operation({
    id: 'getMetrics',
    tag: 'Operator',
    summary: 'Metrics for Prometheus',
    description: 'With the bearer token of `METRICS_TOKEN`; 404 where none is configured.',
    returns: plain(
      { 'text/plain': { type: 'string' } },
      'The text format 0.0.4; docs/how-to/metrics.md lists the names.',
    ),
    errors: ['unauthenticated', 'not_found'],
  })
  async scrape(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    const { metricsToken } = this.config;
    if (metricsToken === null) throw new NotFoundError();
    const token = bearerToken(request.headers.authorization);
    if (token === null) throw new UnauthenticatedError('unauthenticated', { description: NO_TOKEN });
    // Hashes are compared, so that the duration reveals neither content nor length.
    if (!timingSafeEqual(sha256(token), sha256(metricsToken))) {
      await this.limits.refuseToken(request);
      throw new UnauthenticatedError('unauthenticated', {
        error: 'invalid_token',
        description: 'This is not the METRICS_TOKEN of this gateway.',
      });
    }
    const text = await this.metrics.render();
    response.setHeader('Content-Type', prometheusContentType);
    return text;
  }
}
