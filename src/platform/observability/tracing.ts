import { createRequire } from 'node:module';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { routeTemplate } from './logger.js';
import { traceWith } from './spans.js';
import { VERSION } from '../runtime/version.js';
import { environment } from '../../config.js';

/*
 * OpenTelemetry, where a collector is named; nothing of it is even read otherwise. main.ts imports this file before
 * any other: libraries are changed as they are loaded. It loads synchronously for that reason, since modules beside
 * one that awaits do not wait for it.
 */

/** Nothing else leaves the process: addresses, queries and error texts may hold what must stay here. */
const ATTRIBUTES = new Set([
  'http.request.method',
  'http.method',
  'http.response.status_code',
  'http.status_code',
  'http.route',
  'db.system',
  'db.system.name',
  // Static text with $n: values are sent apart, and not traced.
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

/** Takes out of each span what is not in the list. */
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
  // No propagation: incoming trace headers are not trusted, and endpoints and nodes do not receive ours.
  provider.register({ propagator: null });
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        disableOutgoingRequestInstrumentation: true,
        // Polled every few seconds by monitors.
        ignoreIncomingRequestHook: ({ url = '' }) => /^\/(api\/health\/|metrics)/.test(url),
        applyCustomAttributesOnSpan: (span, request) => {
          const route =
            'baseUrl' in request ? routeTemplate(request as Parameters<typeof routeTemplate>[0]) : null;
          if (route === null) return;
          span.setAttribute(ATTR_HTTP_ROUTE, route);
          span.updateName(`${(request as { method?: string }).method ?? ''} ${route}`);
        },
      }),
      // Statements of requests and of our own spans; loops that find nothing to do are no story.
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

/** Sends what is still to be sent. */
export const stopTracing: () => Promise<void> = isConfigured ? start() : async () => {};
