/** The one shape of everything optional: it gets what comes next and returns what to call instead. */
export type Interceptor<Handler> = (next: Handler) => Handler

/** Stacks interceptors around a handler so that the first in the list is the outermost. */
export function compose<Handler>(interceptors: readonly Interceptor<Handler>[], handler: Handler): Handler {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), handler)
}
