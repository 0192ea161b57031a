import type { ApiClient, HostEvent } from '@trunkline/host/api'
import { type Line, styled } from '../output/span.ts'

export interface Following<Item> {
  readonly host: Pick<ApiClient, 'events'>
  /** Existing items, oldest first. */
  list(): Promise<readonly Item[]>
  /** Items that an event adds. */
  added(event: HostEvent): readonly Item[]
  /** Called when the host had to leave out events, because they were not read fast enough. */
  onMissed(count: number): void
  readonly signal: AbortSignal
}

/** Existing items and then new ones, each once: the stream opens before the list is read, so nothing falls between the two. */
export async function* listAndFollow<Item extends { readonly number: number }>(
  following: Following<Item>,
): AsyncGenerator<Item> {
  const { host, list, added, onMissed, signal } = following
  let onOpen = (): void => {}
  const opened = new Promise<void>((resolve) => {
    onOpen = resolve
  })
  const events = host.events(signal, onOpen)
  const read = () => {
    const event = events.next()
    // a reader that stops following does not wait for it
    event.catch(() => {})
    return event
  }
  let next = read()
  // fails when the stream cannot be opened at all
  await Promise.race([opened, next])
  const listed = await list()
  yield* listed
  const last = listed.at(-1)?.number ?? 0
  for (;;) {
    const { value: event, done } = await next
    if (done) return
    next = read()
    if (event.event === 'missed') onMissed(event.count)
    for (const item of added(event)) if (item.number > last) yield item
  }
}

/** Warning about events that the host left out. */
export function missedLine(count: number): Line {
  return styled('warning', `${count} came faster than they could be shown, and are left out`)
}
