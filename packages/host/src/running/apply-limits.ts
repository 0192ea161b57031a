import type { EffectiveConfig } from '../config/effective.ts'
import type { Host } from '../assembly/host.ts'
import type { CallerLimits } from '../projects/host-projects.ts'
import type { RecordLevel } from '../ledger/payloads.ts'
import type { PipeLimits } from '../pipe/limits.ts'

type Resolves = Pick<EffectiveConfig, 'resolve'>

/** Puts the limits of the whole host in force. */
export function applyHostLimits(host: Host, config: Resolves): void {
  host.servers.maxStarts = numberIn(config, 'host.startsAtOnce')
  host.retention.limits = {
    keepDays: numberIn(config, 'ledger.keepDays'),
    maxMb: numberIn(config, 'ledger.maxMb'),
    chainDays: numberIn(config, 'ledger.chainDays'),
  }
  host.pipes.setLimits(pipeLimits(config))
}

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
function pipeLimits(config: Resolves): Required<PipeLimits> {
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

function numberIn(config: Resolves, key: string): number {
  return Number(config.resolve(key.split('.')).value)
}
