import { createRequire } from 'node:module';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { routeTemplate } from './logger.js';
import { traceWith } from '../../kernel/spans.js';
import { VERSION } from '../../kernel/version.js';
import { environment } from '../../../config.js';

/*
 * OpenTelemetry, if a collector is configured; otherwise nothing of it is loaded. main.ts imports this file before any
 * other, because libraries are instrumented while they are loaded. It loads synchronously: sibling modules would not
 * wait for one with a top-level await.
 */

/** Only these attributes are exported: addresses, queries and error texts may contain personal data or secrets. */
const ATTRIBUTES = new Set([
  'http.request.method',
  'http.method',
  'http.response.status_code',
  'http.status_code',
  'http.route',
  'db.system',
  'db.system.name',
  // Static text with $n: values are sent separately and not traced.
  'db.statement',
  'db.query.text',
  'db.operation.name',
  'error.type',
  'chain',
  'from',
  'to',
  'event',
  'attempt',
]);

/** Removes every attribute that is not in the list. */
class Sieve implements SpanProcessor {
  constructor(private readonly next: SpanProcessor) {}

  onStart: SpanProcessor['onStart'] = (span, context) => this.next.onStart(span, context);

  onEnd(span: ReadableSpan): void {
    for (const name of Object.keys(span.attributes)) if (!ATTRIBUTES.has(name)) delete span.attributes[name];
    span.events.length = 0;
    delete span.status.message;
    this.next.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }
}

function start(): () => Promise<void> {
  const load = createRequire(import.meta.url);
  const { SpanStatusCode, trace } = load('@opentelemetry/api') as typeof import('@opentelemetry/api');
  const { BatchSpanProcessor, NodeTracerProvider } = load(
    '@opentelemetry/sdk-trace-node',
  ) as typeof import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = load(
    '@opentelemetry/exporter-trace-otlp-http',
  ) as typeof import('@opentelemetry/exporter-trace-otlp-http');
  const { detectResources, envDetector, resourceFromAttributes } = load(
    '@opentelemetry/resources',
  ) as typeof import('@opentelemetry/resources');
  const { ATTR_HTTP_ROUTE, ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } = load(
    '@opentelemetry/semantic-conventions',
  ) as typeof import('@opentelemetry/semantic-conventions');
  const { registerInstrumentations } = load(
    '@opentelemetry/instrumentation',
  ) as typeof import('@opentelemetry/instrumentation');
  const { HttpInstrumentation } = load(
    '@opentelemetry/instrumentation-http',
  ) as typeof import('@opentelemetry/instrumentation-http');
  const { PgInstrumentation } = load(
    '@opentelemetry/instrumentation-pg',
  ) as typeof import('@opentelemetry/instrumentation-pg');

  const own = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: 'crypto-payment-gateway',
    [ATTR_SERVICE_VERSION]: VERSION,
  });
  const provider = new NodeTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new Sieve(new BatchSpanProcessor(new OTLPTraceExporter()))],
  });
  // No propagation: incoming trace headers are not trusted, and outgoing requests to endpoints and nodes do not carry
  // any.
  provider.register({ propagator: null });
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        disableOutgoingRequestInstrumentation: true,
        // Monitors poll these every few seconds.
        ignoreIncomingRequestHook: ({ url = '' }) => /^\/(api\/health\/|metrics)/.test(url),
        applyCustomAttributesOnSpan: (span, request) => {
          const route =
            'baseUrl' in request ? routeTemplate(request as Parameters<typeof routeTemplate>[0]) : null;
          if (route === null) return;
          span.setAttribute(ATTR_HTTP_ROUTE, route);
          span.updateName(`${(request as { method?: string }).method ?? ''} ${route}`);
        },
      }),
      // Only statements within a request or a span of the gateway; idle loops are not traced.
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
  const tracer = trace.getTracer('crypto-payment-gateway', VERSION);
  traceWith((name, attributes, work) =>
    tracer.startActiveSpan(name, { attributes }, async (span) => {
      try {
        return await work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    }),
  );
  return () => provider.shutdown();
}

const isConfigured =
  Boolean(environment['OTEL_EXPORTER_OTLP_ENDPOINT']) ||
  Boolean(environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);

/** Sends the remaining spans. */
export const stopTracing: () => Promise<void> = isConfigured ? start() : async () => {};
