import { AsyncResource } from 'node:async_hooks';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { classify } from '../rate-limiting/rate-limit-category.pure.js';
import { FairQueue } from './fair-queue.pure.js';
import { currentRequest, currentTenant } from '../../kernel/request-context.js';

/**
 * Milliseconds after which a request no longer counts as running: it waits for a chain's node, for a merchant's server,
 * or is a stream.
 */
const RUNNING_MS = 100;

/**
 * Express middleware: runs a few requests at a time, and the next one of the tenant that runs the fewest
 * (specification/rate-limits.md#fair-shares). Health checks never wait. A request counts until its response is closed,
 * {@link RUNNING_MS} have passed, or it has called `freeSlot` of its {@link currentRequest}.
 */
export function limitConcurrency(): RequestHandler {
  const queue = new FairQueue();
  return (request: Request, response: Response, next: NextFunction): void => {
    const category = classify(request.path);
    const current = currentRequest();
    if (!current || category.kind === 'unlimited') return next();
    if (category.kind === 'checkout' && category.paymentId !== null) current.paymentId = category.paymentId;
    const tenant = currentTenant();
    if (tenant === null) return next();
    const run = () => {
      const finish = once(() => {
        clearTimeout(timer);
        queue.finish(tenant);
      });
      const timer = setTimeout(finish, RUNNING_MS).unref();
      response.once('close', finish);
      current.freeSlot = finish;
      next();
    };
    if (queue.tryStart(tenant)) return run();
    // It is started by another request. (AsyncResource.bind() is many times slower.)
    const scope = new AsyncResource('WaitingRequest');
    const start = () => {
      response.off('close', leave);
      scope.runInAsyncScope(run);
    };
    const leave = () => queue.remove(tenant, start);
    response.once('close', leave);
    queue.wait(tenant, start);
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
