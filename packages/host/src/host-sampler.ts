import type { Caller } from '@trunkline/mcp'
import type { Principal } from './acts/act.ts'
import { sampler } from './acts/sample.ts'
import type { HostOptions } from './host-options.ts'
import type { HostProjects } from './host-projects.ts'

type SampleParts = Parameters<typeof sampler>[0]

/** What a sampler works with. */
export interface HostSamplerParts extends Pick<SampleParts, 'models' | 'inbox' | 'grants' | 'ledger'> {
  readonly projects: HostProjects
}

/** What answers sampling requests of servers: a model of the host, under the policy of the caller's project. */
export function hostSampler(
  { models, inbox, grants, ledger, projects }: HostSamplerParts,
  { record: levelOf = () => 'full' as const, always, unattended: isUnattended = false }: HostOptions,
  principalOf: (caller: Caller) => Principal,
) {
  return sampler({
    ...{ models, inbox, grants, ledger, levelOf, isUnattended },
    policy: ({ project }) => projects.of(project).policy,
    callerOf: ({ caller }) => ({ principal: principalOf(caller), project: projects.projectOf(caller) }),
    ...(always && { always }),
  })
}
