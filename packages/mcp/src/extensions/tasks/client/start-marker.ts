import type { CallToolResult } from '../../../model/types.ts'
import type { ClientTask, TaskFollowOptions } from './client-task.ts'

/** Goes with a call whose caller wants a handle instead of waiting. */
export interface StartMarker extends TaskFollowOptions {
  readonly ttlMs: number | undefined
  /** Told of the handle. */
  started(task: ClientTask): void
  /** Resolves when somebody wants the result after all. */
  readonly isWanted: Promise<void>
  /** The result as the call ends with it: checked, like that of any call. */
  result(): Promise<CallToolResult>
}

const key = Symbol('start')

/** The options of a call, marked. */
export function marked<Options extends object>(options: Options, marker: StartMarker): Options {
  return { ...options, [key]: marker }
}

/** The mark of a call, if it has one. */
export function markerOf(options: object): StartMarker | undefined {
  return (options as { readonly [key]?: StartMarker })[key]
}
