import { McpError } from '../wire/errors.ts'
import type { ServerOffers } from './extension.ts'

const refuse = (): never => {
  throw new McpError('Misuse', 'Cannot switch on this extension on a relay: it offers resources, and a relay has none')
}

/** The offers of a relay itself: none. */
export const noOffers: ServerOffers = {
  resource: refuse,
  template: refuse,
  resources: { has: () => false, remove: refuse, updated: refuse },
  templates: { has: () => false, remove: refuse, listChanged: refuse },
}
