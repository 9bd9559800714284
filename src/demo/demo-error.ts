/** The development profile cannot start; the message contains the remedy, a stack trace would not help. */
export class DemoError extends Error {
  /** Marks it as expected, as the codes of system errors do. */
  readonly code: string = 'DEMO';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
