import type { EffectiveConfig } from '../config/effective.ts'
import type { RecordLevel } from '../ledger/payloads.ts'
import type { PipeLimits } from '../pipe/pipe-limits.ts'
import type { CallerLimits } from './host-project.ts'

export type Resolves = Pick<EffectiveConfig, 'resolve'>

/** The limits for the callers of one project. */
export function projectLimits(config: Resolves): CallerLimits {
  return {
    callsPerMinute: numberIn(config, 'host.callsPerMinute'),
    maxResultBytes: numberIn(config, 'host.maxResultKb') * 1024,
    record: config.resolve(['ledger', 'record']).value as RecordLevel,
    pipe: pipeLimits(config),
  }
}

/** The limits of plans in the units that plans count in. */
export function pipeLimits(config: Resolves): Required<PipeLimits> {
  const of = (name: string): number => numberIn(config, `pipe.${name}`)
  return {
    maxSteps: of('maxSteps'),
    maxNesting: of('maxNesting'),
    maxPlanBytes: of('maxPlanKb') * 1024,
    maxItems: of('maxItems'),
    maxCalls: of('maxCalls'),
    maxParallel: of('maxParallel'),
    maxKeptBytes: of('maxKeptMb') * 1024 ** 2,
    maxTotalMs: of('maxMinutes') * 60_000,
    maxRunsPerPrincipal: of('maxRuns'),
    maxRemembered: of('maxRemembered'),
  }
}

/** A setting that is a number, by its key. */
export function numberIn(config: Resolves, key: string): number {
  return Number(config.resolve(key.split('.')).value)
}
