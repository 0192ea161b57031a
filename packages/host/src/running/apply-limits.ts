import type { Host } from '../assembly/host.ts'
import { numberIn, pipeLimits, type Resolves } from '../projects/project-limits.ts'

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
