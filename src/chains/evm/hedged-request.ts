import { nextStep } from './endpoint-selection.js';

/** A request to one endpoint. `onOvertaken` is called when another endpoint was faster by the whole hedge delay. */
export interface HedgedCall<T> {
  run(): Promise<T | null>;
  onOvertaken(): void;
}

/** A response, with the index of its call. */
export interface Response<T> {
  value: T;
  index: number;
}

/**
 * Sends a request to one endpoint after the other until the first good response (see {@link nextStep}); ignores later
 * responses and errors.
 * @param fit number of calls that may be sent to save time; the others are sent only when all of these failed
 * @returns null when the requested object does not exist
 * @throws Error the first one, when no endpoint responded
 */
export function hedged<T>(
  calls: readonly HedgedCall<T>[],
  fit: number,
  hedgeDelayMs: number,
): Promise<Response<T> | null> {
  return new Promise((resolve, reject) => {
    const pending = new Map<number, HedgedCall<T>>();
    const errors: unknown[] = [];
    let [sent, missing] = [0, 0];
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;

    const settle = (finish: () => void): void => {
      isSettled = true;
      clearTimeout(timer);
      finish();
    };
    const won = (value: T, index: number): void => {
      // Calls sent after the winner had less time, so they were not overtaken.
      for (const [other, call] of pending) if (other < index) call.onOvertaken();
      settle(() => resolve({ value, index }));
    };
    const proceed = (waitedMs: number): void => {
      if (isSettled) return;
      const progress = { total: calls.length, fit, sent, missing, failed: errors.length, waitedMs };
      switch (nextStep(progress, hedgeDelayMs)) {
        case 'send':
          return sendNext();
        case 'wait':
          return;
        case 'missing':
          return settle(() => resolve(null));
        case 'fail':
          return settle(() =>
            reject(errors[0] instanceof Error ? errors[0] : new Error('no endpoint to call')),
          );
      }
    };
    const sendNext = (): void => {
      const index = sent++;
      const call = calls[index];
      if (!call) return;
      pending.set(index, call);
      clearTimeout(timer);
      timer = setTimeout(() => proceed(hedgeDelayMs), hedgeDelayMs);
      call.run().then(
        (value) => {
          pending.delete(index);
          if (isSettled) return;
          if (value !== null) return won(value, index);
          missing++;
          proceed(0);
        },
        (error: unknown) => {
          pending.delete(index);
          if (isSettled) return;
          errors.push(error);
          proceed(0);
        },
      );
    };
    proceed(0);
  });
}

/**
 * Sends a request to all endpoints and returns the responses once all have arrived, or once one has and the delay is over.
 * Those that were too slow get `onOvertaken`.
 * @throws Error the first one, when no endpoint responded
 */
export function quorum<T>(calls: readonly HedgedCall<T>[], delayMs: number): Promise<Response<T | null>[]> {
  return new Promise((resolve, reject) => {
    const responses: Response<T | null>[] = [];
    const errors: unknown[] = [];
    const pending = new Set(calls);
    let [isSettled, isOver] = [false, false];
    const proceed = (): void => {
      if (isSettled || (pending.size > 0 && !(isOver && responses.length > 0))) return;
      isSettled = true;
      clearTimeout(timer);
      for (const call of pending) call.onOvertaken();
      if (responses.length > 0) resolve(responses.toSorted((a, b) => a.index - b.index));
      else reject(errors[0] instanceof Error ? errors[0] : new Error('no endpoint to call'));
    };
    const timer = setTimeout(() => {
      isOver = true;
      proceed();
    }, delayMs);
    calls.forEach((call, index) => {
      call.run().then(
        (value) => {
          pending.delete(call);
          responses.push({ value, index });
          proceed();
        },
        (error: unknown) => {
          pending.delete(call);
          errors.push(error);
          proceed();
        },
      );
    });
    proceed();
  });
}
