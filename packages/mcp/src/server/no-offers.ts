import { McpError } from '../wire/errors.ts'
import type { ServerOffers } from './extension.ts'

const refuse = (): never => {
  throw new McpError(
    'Misuse',
    'Cannot enable this extension on a relay: it adds resources, and a relay has none of its own',
  )
}

/** The offers of a relay itself: none. */
export const noOffers: ServerOffers = {
  resource: refuse,
  template: refuse,
  resources: { has: () => false, remove: refuse, updated: refuse },
  templates: { has: () => false, remove: refuse, listChanged: refuse },
}
