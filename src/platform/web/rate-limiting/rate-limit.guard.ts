import { type CanActivate, Injectable } from '@nestjs/common';
import { RateLimits } from './rate-limits.service.js';

/** Throws the refusal where the route's own filter catches it, so that the response of a page is a page. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  canActivate(): boolean {
    this.limits.requireAdmission();
    return true;
  }
}
