import { AsyncResource } from 'node:async_hooks';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { classify } from '../rate-limiting/rate-limit-category.pure.js';
import { FairQueue } from './fair-queue.pure.js';
import { currentRequest, currentTenant } from '../../kernel/request-context.js';

/**
 * Milliseconds after which a request no longer counts as running: it waits for a chain's node, for a merchant's server,
 * or is a stream. Unless the process was hardly ever idle meanwhile: then it is the processor that it waits for, and more
 * requests would only make all of them slower.
 */
const RUNNING_MS = 100;
const IDLE_MS = 50;
/** However busy the process is, it no longer counts after so many times {@link RUNNING_MS}. */
const MAX_TURNS = 10;
/** Programs need a token before they can be told apart; it has limits of its own. */
const TOKEN_ENDPOINT = /^\/api\/oauth\/token\/?$/i;

/** @param id of a payment or a refund, as the path has it in lower case */
export type IsSigned = (id: string, query: Readonly<Record<string, unknown>>) => boolean;

/**
 * Express middleware: runs a few requests at a time, and the next one of the tenant that runs the fewest
 * (specification/rate-limits.md#fair-shares). It comes before all that costs more than a refusal, such as reading bodies.
 * Health checks never wait. A request counts until its response is closed, {@link RUNNING_MS} have passed, or it has
 * called `freeSlot` of its {@link currentRequest}. One that reads many pages calls `nextTurn` between them.
 * @param isSigned whether a link of a customer is one that the gateway made; what is not is of all strangers
 */
export function limitConcurrency(isSigned: IsSigned = () => false): RequestHandler {
  const queue = new FairQueue();
  return (request: Request, response: Response, next: NextFunction): void => {
    const category = classify(request.path);
    const current = currentRequest();
    if (!current || category.kind === 'unlimited' || TOKEN_ENDPOINT.test(request.path)) return next();
    if (category.kind === 'checkout' && category.paymentId !== null)
      if (isSigned(category.paymentId, request.query)) current.paymentId = category.paymentId;
    const tenant = currentTenant();
    if (tenant === null) return next();
    const came = performance.now();
    let finish = () => {};
    /** It counts as running from now on. */
    const begin = () => {
      finish = once(() => {
        clearTimeout(timer);
        // In the next turn of the event loop, so that what others have sent meanwhile is not behind all that waits.
        setImmediate(() => queue.finish(tenant, performance.now()));
      });
      const begun = performance.eventLoopUtilization();
      let turns = 0;
      const look = () => {
        const { idle } = performance.eventLoopUtilization(begun);
        if (idle >= IDLE_MS || ++turns >= MAX_TURNS) finish();
        else timer.refresh();
      };
      const timer = setTimeout(look, RUNNING_MS).unref();
    };
    const run = () => {
      begin();
      response.once('close', () => finish());
      current.freeSlot = () => finish();
      current.nextTurn = () =>
        new Promise((resolve) => {
          const resume = () => {
            response.off('close', leave);
            begin();
            resolve();
          };
          const leave = () => {
            queue.remove(tenant, resume);
            resolve();
          };
          queue.wait(tenant, resume, came);
          response.once('close', leave);
          finish();
          // Where it had stopped counting, nothing else may run that would start it.
          setImmediate(() => queue.startNext(performance.now()));
        });
      next();
    };
    if (queue.tryStart(tenant, came)) return run();
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
