import type { Implementation } from '@trunkline/mcp'
import type { ServerKey } from '../act/server-key.ts'
import type { Profile, View } from './view.ts'

/** Servers and settings of the callers of one project. */
export interface ProjectScope {
  /** The directory of the project; undefined for callers that are in none. */
  readonly project: string | undefined
  /** The keys of its servers, in order. */
  servers(): readonly ServerKey[]
  /** A profile by its name. */
  profile(name: string): Profile | undefined
}

/** Makes the view of an address for the callers of a project. */
export type ViewOf = (scope: ProjectScope) => View

/** Makes each view once, since every call needs one. */
export function rememberViews(viewOf: ViewOf): ViewOf {
  const views = new WeakMap<ProjectScope, View>()
  return (scope) => {
    const known = views.get(scope)
    if (known) return known
    const { project } = scope
    const view = { ...viewOf(scope), ...(project !== undefined && { project }) }
    views.set(scope, view)
    return view
  }
}

/** An address of the gateway. */
export interface FrontOptions {
  readonly name: string
  readonly viewOf: ViewOf
  /** The name and version that callers are told; undefined while they are not known. @default `name` and that of the host */
  info?: (() => Implementation | undefined) | undefined
}
