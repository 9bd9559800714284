/** Where the development profile reports; a pino or a Nest-like logger fits. */
export interface DemoLogger {
  info(message: string): void;
  warn(message: string): void;
}
