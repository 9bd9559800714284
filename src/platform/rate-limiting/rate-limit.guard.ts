import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimits } from './rate-limits.service.js';

/** Throws where a route's own filter sees it: a page that is asked for too often is refused by a page. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  canActivate(context: ExecutionContext): boolean {
    this.limits.requireAdmission(context.switchToHttp().getRequest<Request>());
    return true;
  }
}
