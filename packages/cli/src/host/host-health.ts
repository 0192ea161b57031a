import { findPlaces, type RecordedEnvironment, recordedEnvironment, thisMachine } from '@trunkline/host/api'
import { type Line, styled } from '../output/span.ts'
import type { HostLink } from './host-link.ts'
import { ago } from './show.ts'

/** The recorded environment without values that may hold secrets, such as the addresses of proxies. */
export interface ShownEnvironment {
  readonly at: number
  readonly path?: string
  readonly names: readonly string[]
}

/** A part of the host that is damaged, with the command that mends it. */
export interface Damage {
  readonly part: 'environment' | 'proof'
  readonly why: string
  readonly command: string
}

/** State of the host itself, beside its servers. */
export interface HostHealth {
  readonly environment?: ShownEnvironment
  readonly damages: readonly Damage[]
}

/** Looks at what was recorded for hosts that clients start, and at the proof of the person. */
export async function hostHealth({ call }: Pick<HostLink, 'call'>): Promise<HostHealth> {
  const damages: Damage[] = []
  const recorded = await recordedEnvironment(findPlaces(thisMachine())).catch((error: Error) => {
    damages.push({ part: 'environment', why: error.message, command: 'trunkline up' })
    return undefined
  })
  const { state, why = '' } = await call('proof')
  if (state === 'damaged') {
    const told = `${why}; nothing that needs it is decided until it is restored or reset`
    damages.push({ part: 'proof', why: told, command: 'trunkline proof reset --forgotten' })
  }
  return { ...(recorded && { environment: shownEnvironment(recorded) }), damages }
}

function shownEnvironment({ at, variables }: RecordedEnvironment): ShownEnvironment {
  const { PATH: path } = variables
  return { at, ...(path !== undefined && { path }), names: namesOf(variables) }
}

/** The recorded names, the search path first. */
function namesOf({ PATH, ...others }: RecordedEnvironment['variables']): readonly string[] {
  return [...(PATH === undefined ? [] : ['PATH']), ...Object.keys(others)]
}

/** The variables that hosts get which clients start, and since when. */
export function environmentLines(recorded: RecordedEnvironment | undefined): readonly Line[] {
  return shownEnvironmentLines(recorded && shownEnvironment(recorded))
}

function shownEnvironmentLines(shown: ShownEnvironment | undefined): readonly Line[] {
  if (!shown) return [styled('faint', 'No search path is recorded for hosts that a client starts: trunkline up does')]
  const names = shown.names.join(', ')
  return [styled('faint', `A host that a client starts has ${names} as recorded ${ago(shown.at)} ago`)]
}

/** The state of the host for a person, with the recorded search path. */
export function healthLines({ environment, damages }: HostHealth): readonly Line[] {
  const isUnreadable = damages.some(({ part }) => part === 'environment')
  return [
    ...(isUnreadable ? [] : shownEnvironmentLines(environment)),
    ...(environment?.path === undefined ? [] : [styled('faint', `  PATH ${environment.path}`)]),
    ...damages.flatMap(({ part, why, command }): readonly Line[] => [
      [styled('name', part), ' ', styled('bad', 'damaged'), `: ${why}`],
      ['  ', styled('strong', command)],
    ]),
  ]
}
