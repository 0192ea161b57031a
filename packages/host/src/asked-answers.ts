import type { Caller } from '@trunkline/mcp'
import type { Principal } from './acts/act.ts'
import { type ElicitParts, elicitor } from './acts/elicit.ts'
import { sampler } from './acts/sample.ts'
import type { HostOptions } from './host-options.ts'
import type { HostProjects } from './host-projects.ts'

type SampleParts = Parameters<typeof sampler>[0]

/** Dependencies of the answers. */
export interface AskedAnswerParts extends Pick<SampleParts, 'models' | 'inbox' | 'grants' | 'ledger' | 'countAct'> {
  readonly projects: HostProjects
}

/** What answers the forms, pages and sampling requests of servers, under the policy of the caller's project. */
export function askedAnswers(
  { models, inbox, grants, ledger, projects, countAct }: AskedAnswerParts,
  { record: levelOf = () => 'full' as const, always, unattended: isUnattended = false }: HostOptions,
  principalOf: (caller: Caller) => Principal,
) {
  const parts: ElicitParts = {
    ...{ inbox, ledger, levelOf, isUnattended, countAct },
    policy: ({ project }) => projects.of(project).policy,
    callerOf: ({ caller }) => ({ principal: principalOf(caller), project: projects.projectOf(caller) }),
  }
  return {
    elicit: elicitor(parts),
    sample: sampler({ ...parts, models, grants, ...(always && { always }) }),
  }
}
