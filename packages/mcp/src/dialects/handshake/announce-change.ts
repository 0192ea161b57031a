import type { Change } from '../../model/types.ts'
import type { Notify } from '../../rpc/outgoing-calls.ts'
import { changeKey, encodeChange } from '../change-notifications.ts'
import { ChangeNotifier } from '../change-notifier.ts'

/**
 * Notifies a client of changes: merged while it does not read; those with a number one by one, because their order says which of
 * them another process has announced already.
 */
export function changeAnnouncer(notify: Notify | undefined): (change: Change) => void {
  const notifier = new ChangeNotifier<Change>((change) => notify?.(...encodeChange(change)))
  return (change) => {
    if (change.number === undefined) return notifier.announce(changeKey(change), change)
    notify?.(...encodeChange(change), { change: change.number })?.catch(() => {})
  }
}
