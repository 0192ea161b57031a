import type { CallToolResult } from '../../../model/types.ts'
import type { ClientTask, TaskFollowOptions } from './client-task.ts'

/** Marks a call whose caller wants a handle instead of the result. */
export interface StartMarker extends TaskFollowOptions {
  readonly ttlMs: number | undefined
  /** Receives the handle. */
  started(task: ClientTask): void
  /** Resolves when the result is requested. */
  readonly isWanted: Promise<void>
  /** The checked result of the call. */
  result(): Promise<CallToolResult>
}

const key = Symbol('start')

/** Adds a marker to the options of a call. */
export function marked<Options extends object>(options: Options, marker: StartMarker): Options {
  return { ...options, [key]: marker }
}

/** The marker of a call, if it has one. */
export function markerOf(options: object): StartMarker | undefined {
  return (options as { readonly [key]?: StartMarker })[key]
}
