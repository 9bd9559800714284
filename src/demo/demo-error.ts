/** The development profile cannot start. The message contains the remedy and is shown without a stack trace. */
export class DemoError extends Error {
  /** Marks the error as expected, like the codes of system errors. */
  readonly code: string = 'DEMO';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
