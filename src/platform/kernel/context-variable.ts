import { AsyncLocalStorage } from 'node:async_hooks';

type Values = Readonly<Record<symbol, unknown>>;

/** One for all variables: on Node 20, each AsyncLocalStorage in use adds a property to every promise of the process. */
const storage = new AsyncLocalStorage<Values>();

/** Runs that have not ended. */
let open = 0;

/**
 * On Node 20 a storage in use slows every promise and socket of the process (a quarter of what undici takes for a
 * request), and stays in use until it is disabled: so it is while nothing runs that could read it.
 */
function end(): void {
  open--;
  if (open === 0) storage.disable();
}

/** A value that everything called inside {@link run} can read, also after an `await`. */
export class ContextVariable<T> {
  private readonly key: symbol;

  /** @param name for debuggers */
  constructor(name: string) {
    this.key = Symbol(name);
  }

  /** The value of the innermost {@link run} around the caller; undefined outside of any. */
  get(): T | undefined {
    return storage.getStore()?.[this.key] as T | undefined;
  }

  /**
   * @param value undefined hides the value of an outer `run` from `work`
   * @param work what it returns tells when it has ended; what is no promise, as that of a middleware, may still be at it
   */
  run<R>(value: T | undefined, work: () => R): R {
    const outer = storage.getStore();
    if (value === undefined) {
      if (outer?.[this.key] === undefined) return work();
      // Not `storage.exit`, which switches the hooks of all promises off and on.
      return storage.run({ ...outer, [this.key]: undefined }, work);
    }
    open++;
    try {
      const result = storage.run({ ...outer, [this.key]: value }, work);
      if (result instanceof Promise) result.then(end, end);
      return result;
    } catch (error) {
      end();
      throw error;
    }
  }
}
