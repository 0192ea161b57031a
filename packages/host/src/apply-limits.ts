import type { HostSettings } from './config/schema/settings.ts'
import { usualValue } from './config/schema/settings.ts'
import type { Host } from './host.ts'

/** Puts the limits of a configuration in force; what it does not say has its usual value. */
export function applyLimits(host: Host, { host: own = {}, ledger = {} }: HostSettings): void {
  host.maxCallsPerMinute = own.callsPerMinute ?? usual('host', 'callsPerMinute')
  host.servers.maxStarts = own.startsAtOnce ?? usual('host', 'startsAtOnce')
  host.retention.limits = {
    keepDays: ledger.keepDays ?? usual('ledger', 'keepDays'),
    maxMb: ledger.maxMb ?? usual('ledger', 'maxMb'),
    chainDays: ledger.chainDays ?? usual('ledger', 'chainDays'),
  }
}

function usual(...path: string[]): number {
  return usualValue(path) as number
}
