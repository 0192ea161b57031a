/** Steps that tests of changes take with the fixture `changing`. */
import type { Change } from '../../../src/index.ts'
import type { Fields } from '../../../src/wire/messages.ts'
import { gate } from '../../gate.ts'
import type { RawEnd } from './raw-end.ts'

export const updated = 'notifications/resources/updated'

/** The lists that change. */
export const kinds = ['tools', 'prompts', 'resources'] as const

/** Makes an item of a list come or go. */
export function toggle(end: RawEnd, kind: (typeof kinds)[number]): Promise<Fields> {
  return end.result('tools/call', { name: 'toggle', arguments: { kind } })
}

/** Makes the contents of a resource change. */
export function touch(end: RawEnd, uri: string): Promise<Fields> {
  return end.result('tools/call', { name: 'touch', arguments: { uri } })
}

/** Keeps the changes a client hears of, and waits for the next one. */
export function notebook() {
  const changes: Change[] = []
  let next = gate<Change>()
  const write = (change: Change): void => {
    changes.push(change)
    next.open(change)
    next = gate()
  }
  return { changes, write, next: () => next.promise }
}
