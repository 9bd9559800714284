import { AsyncLocalStorage } from 'node:async_hooks';

type Values = Readonly<Record<symbol, unknown>>;

/** One for all variables: on Node 20, each AsyncLocalStorage in use adds a property to every promise of the process. */
const storage = new AsyncLocalStorage<Values>();

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

  /** @param value undefined hides the value of an outer `run` from `work` */
  run<R>(value: T | undefined, work: () => R): R {
    // Not `storage.exit` for undefined, which switches the hooks of all promises off and on.
    return storage.run({ ...storage.getStore(), [this.key]: value }, work);
  }
}
