/** What a span says beside its name and time: never a secret, an address of somebody, or a value of a statement. */
export type SpanAttributes = Readonly<Record<string, string | number>>;
type Tracer = <T>(name: string, attributes: SpanAttributes, work: () => Promise<T>) => Promise<T>;

let tracer: Tracer | null = null;

/** Called by tracing.ts, once, where traces are configured. */
export function traceWith(chosen: Tracer): void {
  tracer = chosen;
}

/** Runs `work` as a span of its own; just runs it where nobody traces. */
export function span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  return tracer ? tracer(name, attributes, work) : work();
}
