// Spans of orders by OpenTelemetry. Loaded only with OTEL_EXPORTER_OTLP_ENDPOINT; its other variables are OpenTelemetry's own.
import { trace as api, ROOT_CONTEXT, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

const named = resourceFromAttributes({ "service.name": "order-cost" });
const provider = new BasicTracerProvider({
  resource: defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
const tracer = provider.getTracer("order-cost");
const propagator = new W3CTraceContextPropagator();

const headersOf = { get: (request, name) => request.headers.get(name) ?? undefined, keys: () => [] };

/** @type {NonNullable<import("../service/service.js").Platform["trace"]>} */
export async function trace(name, request, run) {
  const above = propagator.extract(ROOT_CONTEXT, request, headersOf);
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, above);
  const carrier = {};
  propagator.inject(api.setSpan(above, span), carrier, { set: (to, key, value) => (to[key] = value) });
  try {
    return await run({
      traceparent: carrier.traceparent,
      set(attributes) {
        span.setAttributes(attributes);
        if (attributes["http.response.status_code"] >= 500)
          span.setStatus({ code: SpanStatusCode.ERROR, message: attributes["error.type"] });
      },
    });
  } finally {
    span.end();
  }
}

/** Sends what has not been sent, before the process ends. */
export const flush = () => provider.shutdown().catch(() => {});
