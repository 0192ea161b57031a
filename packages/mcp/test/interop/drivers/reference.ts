import type { Driver } from '../driver.ts'

/** The reference to complete, as both official SDKs want it spelled. */
export function spelled(ref: Parameters<Driver['complete']>[0]) {
  return 'prompt' in ref
    ? { type: 'ref/prompt' as const, name: ref.prompt }
    : { type: 'ref/resource' as const, uri: ref.template }
}
