/** The OpenTelemetry API. */
export type Api = typeof import('@opentelemetry/api')

/** Loads the API, if it is installed. */
export async function loadApi(): Promise<Api | undefined> {
  return import('@opentelemetry/api').catch(() => undefined)
}
