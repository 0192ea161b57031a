import type { ViewDomains } from '../app-meta.ts'
import { isOrigin } from '../origin-text.ts'

/**
 * The policy of a view: it reaches what its server declared, and nothing else. What is no origin is left out, so that no text of a
 * server can add a word to the policy.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function contentSecurityPolicy(csp: ViewDomains): string {
  const resources = origins(csp.resourceDomains)
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'unsafe-inline'", ...resources],
    'style-src': ["'unsafe-inline'", ...resources],
    'img-src': ['data:', ...resources],
    'font-src': ['data:', ...resources],
    'media-src': ['data:', ...resources],
    'connect-src': orNone(origins(csp.connectDomains)),
    'frame-src': [frameSources(csp)],
    'base-uri': orNone(origins(csp.baseUriDomains)),
    'object-src': ["'none'"],
    'worker-src': ["'none'"],
    'form-action': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}

/** Origins that a view may go to, and may frame. */
export function frameSources(csp: ViewDomains): string {
  return orNone(origins(csp.frameDomains)).join(' ')
}

function origins(given: readonly string[] | undefined): readonly string[] {
  return (given ?? []).filter(isOrigin)
}

function orNone(sources: readonly string[]): readonly string[] {
  return sources.length === 0 ? ["'none'"] : sources
}
