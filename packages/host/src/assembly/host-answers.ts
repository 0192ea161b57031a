import type { Caller } from '@trunkline/mcp'
import type { Principal } from '../act/act.ts'
import { type ElicitParts, elicitor } from '../acts/elicit.ts'
import type { CountAct } from '../acts/limit.ts'
import { localAnswers } from '../acts/local-answers.ts'
import { sampler } from '../acts/sample.ts'
import type { CallerProjects } from '../projects/caller-projects.ts'
import type { LocalAnswers } from '../relay/server-questions.ts'
import type { ServerTable } from '../servers/server-table.ts'
import type { HostOptions } from './host-options.ts'
import type { HostServices } from './host-services.ts'

/** Parts of the host that answer a server, besides its services. */
export interface HostAnswerParts extends HostServices {
  readonly projects: CallerProjects
  readonly servers: ServerTable
  readonly countAct: CountAct
}

/** Answers the forms, pages and sampling requests of servers, under the policy of the caller's project. */
export function hostAnswers(
  host: HostAnswerParts,
  { record: levelOf = () => 'full' as const, always, unattended: isUnattended = false }: HostOptions,
  principalOf: (caller: Caller) => Principal,
): LocalAnswers {
  const { models, inbox, grants, ledger, projects, countAct } = host
  const parts: ElicitParts = {
    ...{ inbox, ledger, levelOf, isUnattended, countAct },
    policy: ({ project }) => projects.of(project).policy,
    callerOf: ({ caller }) => ({ principal: principalOf(caller), project: projects.projectOf(caller) }),
  }
  return localAnswers({
    elicit: elicitor(parts),
    sample: sampler({ ...parts, models, grants, ...(always && { always }) }),
    projectOf: (server, caller) => host.servers.find(server)?.spec.project ?? (caller && projects.projectOf(caller)),
    rootsOf: (project) => projects.of(project).roots,
    addLine: (server, text, level) => host.servers.find(server)?.note(text, level),
  })
}
