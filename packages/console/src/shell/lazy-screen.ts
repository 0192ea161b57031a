import { lazyRouteComponent } from '@tanstack/react-router'

/** Error of a screen whose script could not be loaded: the host is gone, or was replaced by another version. */
export class ScreenNotLoaded extends Error {
  override readonly name = 'ScreenNotLoaded'
}

/**
 * Component of a screen that is loaded when it is first opened. The router would reload the page when that fails, and a
 * person would lose it while the host is gone.
 */
export function lazyScreen<Screens extends Record<string, unknown>, Name extends keyof Screens>(
  load: () => Promise<Screens>,
  name: Name,
) {
  const loaded = () =>
    load().catch((cause: unknown) => {
      throw new ScreenNotLoaded('This screen could not be loaded', { cause })
    })
  return lazyRouteComponent(loaded, name)
}
