/** Wraps a handler: gets the next handler and returns the one to call instead. */
export type Interceptor<Handler> = (next: Handler) => Handler

/** Composes interceptors around a handler; the first in the list is the outermost. */
export function compose<Handler>(interceptors: readonly Interceptor<Handler>[], handler: Handler): Handler {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), handler)
}
