/** Spans, metrics and trace context by OpenTelemetry. */
export { clientTelemetry } from './extensions/telemetry/client.ts'
export { telemetry } from './extensions/telemetry/server.ts'
export { storeTelemetry } from './extensions/telemetry/stores.ts'
