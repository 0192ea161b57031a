import type { Keyword } from './draft.ts'
import { expectString, refuseSchema } from './expect-keyword.ts'

/** `$ref`. */
export const ref: Keyword = (site) => site.reference(expectString(site, '$ref'), 'static')

/** `$dynamicRef`. */
export const dynamicRef: Keyword = (site) => site.reference(expectString(site, '$dynamicRef'), 'dynamic')

/** `$recursiveRef`, which knows no other place than the root. */
export const recursiveRef: Keyword = (site) =>
  site.schema.$recursiveRef === '#' ? site.reference('#', 'dynamic') : refuseSchema('$recursiveRef', '"#"')
