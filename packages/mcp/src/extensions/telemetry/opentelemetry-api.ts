/** The part of OpenTelemetry that is the same whichever SDK a program registers. */
export type Api = typeof import('@opentelemetry/api')

/** Loads the API, where the program brings it. */
export async function loadApi(): Promise<Api | undefined> {
  return import('@opentelemetry/api').catch(() => undefined)
}
