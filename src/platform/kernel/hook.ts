/**
 * A call against the import arrows: whoever imports this module may take part in what it does, in the same transaction. An
 * error of a listener rolls that back. docs/architecture.md#hooks lists every hook and who listens.
 */
export class Hook<T> {
  private readonly listeners: ((value: T) => Promise<void>)[] = [];

  /** Call it while the module starts. */
  listen(listener: (value: T) => Promise<void>): void {
    this.listeners.push(listener);
  }

  async call(value: T): Promise<void> {
    for (const listener of this.listeners) await listener(value);
  }
}
