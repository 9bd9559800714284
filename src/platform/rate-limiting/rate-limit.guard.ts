import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimits } from './rate-limits.service.js';

/** Throws the refusal where the route's own filter catches it, so that the response of a page is a page. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  canActivate(context: ExecutionContext): boolean {
    this.limits.requireAdmission(context.switchToHttp().getRequest<Request>());
    return true;
  }
}
