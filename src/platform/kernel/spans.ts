/** Attributes of a span: never a secret, a personal address or a statement's parameter. */
export type SpanAttributes = Readonly<Record<string, string | number>>;
type Tracer = <T>(name: string, attributes: SpanAttributes, work: () => Promise<T>) => Promise<T>;

let tracer: Tracer | null = null;

/** Called by tracing.ts, once, where traces are configured. */
export function traceWith(chosen: Tracer): void {
  tracer = chosen;
}

/** Runs `work` in a span of its own, or without one when tracing is off. */
export function span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  return tracer ? tracer(name, attributes, work) : work();
}
