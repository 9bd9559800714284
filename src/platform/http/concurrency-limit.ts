import { AsyncResource } from 'node:async_hooks';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { classify } from '../rate-limiting/rate-limit-category.pure.js';
import { FairQueue } from './fair-queue.pure.js';
import { currentTenant } from './request-context.js';

/**
 * Milliseconds after which a request no longer counts as running: it waits for a chain's node, for a merchant's server,
 * or is a stream.
 */
const RUNNING_MS = 250;

/**
 * Express middleware: runs few requests of one tenant at a time while others are active
 * (specification/rate-limits.md#fair-shares). Health checks never wait.
 */
export function limitConcurrency(): RequestHandler {
  const queue = new FairQueue();
  return (request: Request, response: Response, next: NextFunction): void => {
    const tenant = currentTenant();
    if (tenant === null || classify(request.path).kind === 'unlimited') return next();
    const finish = once(() => queue.finish(tenant, performance.now()));
    let timer: NodeJS.Timeout | undefined;
    const run = () => {
      timer = setTimeout(finish, RUNNING_MS).unref();
      next();
    };
    // One that has to wait is started by another request. (AsyncResource.bind() is many times slower.)
    const scope = new AsyncResource('WaitingRequest');
    const start = () => scope.runInAsyncScope(run);
    response.once('close', () => {
      if (!timer) return void queue.remove(tenant, start);
      clearTimeout(timer);
      finish();
    });
    queue.add(tenant, performance.now(), start);
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
