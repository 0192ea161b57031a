import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Watchers } from '../gateway/watchers.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { EventStreams } from './events.ts'
import { shownQuestion } from './shown-question.ts'

/** Sources of events. */
export interface EventSources {
  readonly inbox: Inbox
  readonly ledger: Ledger
  readonly catalogue: Catalogue
  readonly watchers: Watchers
}

/** Reports events of the host to listeners of the API; they are a door of the inbox, too. */
export function tellEvents({ inbox, ledger, catalogue, watchers }: EventSources, events: EventStreams): void {
  inbox.addDoor({
    name: 'api',
    isLocal: true,
    present: (question) => events.tell({ event: 'question', question: shownQuestion(question, inbox) }),
    change: (question) => events.tell({ event: 'question changed', question: shownQuestion(question, inbox) }),
    withdraw: (id, by) => events.tell({ event: 'withdrawn', id, by }),
  })
  ledger.onLine((line) => events.tell({ event: 'line', line }))
  catalogue.onChange((server) => events.tell({ event: 'catalogue', server }))
  watchers.onResources((server) => events.tell({ event: 'catalogue', server }))
}
