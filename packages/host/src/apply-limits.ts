import type { HostSettings } from './config/schema/settings.ts'
import { usualValue } from './config/schema/settings.ts'
import type { Host } from './host.ts'
import type { PipeLimits } from './pipe/limits.ts'

/** Puts the limits of a configuration in force; what it does not say has its usual value. */
export function applyLimits(host: Host, { host: own = {}, ledger = {}, pipe = {} }: HostSettings): void {
  host.maxCallsPerMinute = own.callsPerMinute ?? usual('host', 'callsPerMinute')
  host.servers.maxStarts = own.startsAtOnce ?? usual('host', 'startsAtOnce')
  host.retention.limits = {
    keepDays: ledger.keepDays ?? usual('ledger', 'keepDays'),
    maxMb: ledger.maxMb ?? usual('ledger', 'maxMb'),
    chainDays: ledger.chainDays ?? usual('ledger', 'chainDays'),
  }
  host.pipes.setLimits(pipeLimits(pipe))
}

/** The limits of plans in the units that plans count in. */
function pipeLimits(own: NonNullable<HostSettings['pipe']>): Required<PipeLimits> {
  const of = (name: keyof typeof own): number => own[name] ?? usual('pipe', name)
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

function usual(...path: string[]): number {
  return usualValue(path) as number
}
