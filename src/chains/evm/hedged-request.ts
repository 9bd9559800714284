import { nextStep } from './endpoint-selection.js';

/** One question put to one endpoint. `lost` is called when another was faster by the whole delay. */
export interface HedgedCall<T> {
  run(): Promise<T | null>;
  onOvertaken(): void;
}

/** An answer and the place of who gave it among those that could be asked. */
export interface Answer<T> {
  value: T;
  index: number;
}

/**
 * Puts a question to one after the other until the first good answer: see {@link nextStep}. What comes later is
 * ignored, errors included. Null: there is no such thing.
 * @param fit how many of the asks may be made to be faster; the others only when all of these failed
 * @throws the first error when nobody answered
 */
export function hedged<T>(
  asks: readonly HedgedCall<T>[],
  fit: number,
  hedgeDelayMs: number,
): Promise<Answer<T> | null> {
  return new Promise((resolve, reject) => {
    const pending = new Map<number, HedgedCall<T>>();
    const errors: unknown[] = [];
    let [asked, nothing] = [0, 0];
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;

    const settle = (finish: () => void): void => {
      isSettled = true;
      clearTimeout(timer);
      finish();
    };
    const won = (value: T, index: number): void => {
      // Only who was asked before the winner had its chance.
      for (const [other, ask] of pending) if (other < index) ask.onOvertaken();
      settle(() => resolve({ value, index }));
    };
    const goOn = (waitedMs: number): void => {
      if (isSettled) return;
      const standing = { total: asks.length, fit, asked, nothing, failed: errors.length, waitedMs };
      switch (nextStep(standing, hedgeDelayMs)) {
        case 'ask':
          return putNext();
        case 'wait':
          return;
        case 'nothing':
          return settle(() => resolve(null));
        case 'fail':
          return settle(() => reject(errors[0] instanceof Error ? errors[0] : new Error('nobody to ask')));
      }
    };
    const putNext = (): void => {
      const index = asked++;
      const ask = asks[index];
      if (!ask) return;
      pending.set(index, ask);
      clearTimeout(timer);
      timer = setTimeout(() => goOn(hedgeDelayMs), hedgeDelayMs);
      ask.run().then(
        (value) => {
          pending.delete(index);
          if (isSettled) return;
          if (value !== null) return won(value, index);
          nothing++;
          goOn(0);
        },
        (error: unknown) => {
          pending.delete(index);
          if (isSettled) return;
          errors.push(error);
          goOn(0);
        },
      );
    };
    goOn(0);
  });
}

/**
 * Asks all at once and answers with those that came until everybody has, or until one has and the delay is over.
 * @param late called for each that was too slow
 * @throws the first error when nobody answered
 */
export function quorum<T>(asks: readonly HedgedCall<T>[], delayMs: number): Promise<Answer<T | null>[]> {
  return new Promise((resolve, reject) => {
    const answers: Answer<T | null>[] = [];
    const errors: unknown[] = [];
    const pending = new Set(asks);
    let [isSettled, isOver] = [false, false];
    const goOn = (): void => {
      if (isSettled || (pending.size > 0 && !(isOver && answers.length > 0))) return;
      isSettled = true;
      clearTimeout(timer);
      for (const ask of pending) ask.onOvertaken();
      if (answers.length > 0) resolve(answers.toSorted((a, b) => a.index - b.index));
      else reject(errors[0] instanceof Error ? errors[0] : new Error('nobody to ask'));
    };
    const timer = setTimeout(() => {
      isOver = true;
      goOn();
    }, delayMs);
    asks.forEach((ask, index) => {
      ask.run().then(
        (value) => {
          pending.delete(ask);
          answers.push({ value, index });
          goOn();
        },
        (error: unknown) => {
          pending.delete(ask);
          errors.push(error);
          goOn();
        },
      );
    });
    goOn();
  });
}
