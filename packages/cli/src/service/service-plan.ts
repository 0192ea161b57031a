import { hostNodeFlags } from './host-flags.ts'

/** Files and commands that install the host as a service. */
export interface ServicePlan {
  /** The manager of services, as people know it. */
  readonly manager: string
  readonly file: string
  readonly text: string
  /** Encoding of the file. @default 'utf8' */
  readonly encoding?: 'utf8' | 'utf16le'
  /** Commands that end an earlier service before the new one starts; they fail where there is none, which is no matter. */
  readonly before?: readonly (readonly string[])[]
  /** Commands to run after the file was written, in order. */
  readonly start: readonly (readonly string[])[]
  /** Commands to run before the file is removed. */
  readonly stop: readonly (readonly string[])[]
  /** Commands to run after the file was removed. */
  readonly after: readonly (readonly string[])[]
  /** Ends with 0 while the service runs. */
  readonly query: readonly string[]
  /** Something worth knowing. */
  readonly note?: string
}

/** Home, environment and launcher of a service. */
export interface ServiceContext {
  readonly home: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** The absolute path of Node and that of the command; nothing is looked up on the search path. */
  readonly launcher: readonly [node: string, program: string]
  /** The number of the user, where users have one. */
  readonly userId: number | undefined
}

/** Stands in every file, so that only what was written here is removed. */
export const marker = 'Written by "trunkline service install"'

/** The variables that say where configuration and state are; without them a service would look elsewhere. */
export function placeVariables({ environment }: ServiceContext): readonly (readonly [string, string])[] {
  const names = ['TRUNKLINE_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']
  return names.flatMap((name) => {
    const value = environment[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
}

/** Command line of the service. */
export function hostCommandLine({ launcher: [node, program] }: ServiceContext): readonly string[] {
  return [node, ...hostNodeFlags, program, 'up']
}
