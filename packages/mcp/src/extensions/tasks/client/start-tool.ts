import type { ClientHost } from '../../../client/extension.ts'
import type { Progress } from '../../../rpc/pending-call.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { ClientTask } from './client-task.ts'
import type { TaskStartOptions } from './client-task-options.ts'
import { LocalTask } from './local-task.ts'
import { marked, type StartMarker } from './start-marker.ts'

/** Starts a tool: resolves with a handle as soon as there is one, here or on the server. */
export function startTool(
  host: ClientHost,
  call: { readonly name: string; readonly input: Fields; readonly givesHandles: boolean },
  options: TaskStartOptions,
): Promise<ClientTask> {
  const { ttlMs, onDispose = 'cancel', answer, signal, ...rest } = options
  const stop = new AbortController()
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  return new Promise((resolve, reject) => {
    let want = (): void => {}
    const isWanted = new Promise<void>((wanted) => {
      want = wanted
    })
    const marker: StartMarker = {
      ttlMs,
      onDispose,
      ...(answer && { answer }),
      isWanted,
      started: resolve,
      result() {
        want()
        return final
      },
    }
    const final = host.callTool(call.name, call.input, marked({ ...rest, signal: either, onProgress }, marker))
    const local = new LocalTask(final, stop, onDispose)
    final.then(() => resolve(local), reject)
    if (!call.givesHandles) resolve(local)

    function onProgress(progress: Progress): void {
      if (progress.message !== undefined) local.tell(progress.message)
      rest.onProgress?.(progress)
    }
  })
}
