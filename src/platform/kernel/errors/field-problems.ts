import { type FieldErrors, ValidationError } from './errors.pure.js';

/**
 * Collects what is wrong with the fields of one request, so that a single response names all of it
 * (specification/errors.md#body). Each message begins with the name of its field, e.g. "The amount field must be at
 * least 1.".
 */
export class FieldProblems {
  private readonly errors = new Map<string, string[]>();

  constructor(
    errors: FieldErrors = {},
    /** One sentence about all of them; see {@link ValidationError}. */
    private readonly hint?: string,
  ) {
    this.addAll(errors);
  }

  add(field: string, message: string): void {
    this.errors.set(field, [...new Set([...(this.errors.get(field) ?? []), message])]);
  }

  /** Replaces the messages of a field by a more precise one. */
  replace(field: string, message: string): void {
    this.errors.set(field, [message]);
  }

  addAll(errors: FieldErrors): void {
    for (const [field, messages] of Object.entries(errors))
      for (const message of messages) this.add(field, message);
  }

  /** True also when only an item of it is wrong, e.g. `currencyWhitelist.0` for `currencyWhitelist`. */
  has(field: string): boolean {
    for (const name of this.errors.keys()) if (name === field || name.startsWith(`${field}.`)) return true;
    return false;
  }

  /** The result of a check, or null when it throws a ValidationError, whose messages are added. */
  async collect<T>(check: () => T | Promise<T>): Promise<T | null> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof ValidationError) || error.code !== 'validation_failed') throw error;
      this.addAll(error.extra.errors ?? {});
      return null;
    }
  }

  /** @throws ValidationError with all that was found, if anything was */
  throwIfAny(): void {
    if (this.errors.size > 0)
      throw new ValidationError(Object.fromEntries(this.errors), 'validation_failed', this.hint);
  }
}
