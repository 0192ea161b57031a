/** A real SDK whose spans and metrics stay in this process. */
import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

class OnDemand extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const exporter = new InMemorySpanExporter()
const reader = new OnDemand()

context.setGlobalContextManager(new AsyncLocalStorageContextManager())
propagation.setGlobalPropagator(
  new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
)
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))

/** The spans that ended since they were last taken. */
export function takeSpans(): readonly ReadableSpan[] {
  const spans = exporter.getFinishedSpans()
  exporter.reset()
  return spans
}

/** Everything that was measured so far. */
export async function allMetrics(): Promise<object> {
  return (await reader.collect()).resourceMetrics.scopeMetrics
}

/** Counts of measured durations, by attributes. */
export async function counts(metric: string): Promise<readonly { unit: string; attributes: object; count: number }[]> {
  const { resourceMetrics } = await reader.collect()
  return resourceMetrics.scopeMetrics
    .flatMap((scope) => scope.metrics)
    .filter(({ descriptor }) => descriptor.name === metric)
    .flatMap((data) => {
      if (data.dataPointType !== DataPointType.HISTOGRAM) throw new Error(`"${metric}" is no histogram`)
      const { unit } = data.descriptor
      return data.dataPoints.map(({ attributes, value: { count } }) => ({ unit, attributes, count }))
    })
}
