import type { Caller } from '@trunkline/mcp'
import type { Act, Principal } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import { type ActStackParts, actStacks } from '../acts/act-stack.ts'
import { govern } from '../acts/govern.ts'
import { judgeWatch } from '../acts/judge-watch.ts'
import type { CountAct } from '../acts/limit.ts'
import { Gateway } from '../gateway/gateway.ts'
import { ownOffers } from '../gateway/own-offers.ts'
import { sealingKey, spilledAddresses } from '../gateway/sealing-key.ts'
import { SignalledCalls } from '../gateway/signalled-calls.ts'
import type { Watchers } from '../gateway/watchers.ts'
import type { Taints } from '../policy/taints.ts'
import type { CallerProjects } from '../projects/caller-projects.ts'
import type { OpenCalls } from '../relay/open-calls.ts'
import type { Instance } from '../servers/server-instances.ts'
import { tasksAt } from '../store/tables/task-tables.ts'
import type { HostOptions } from './host-options.ts'
import type { HostServices } from './host-services.ts'

/** The version of the host, as callers and servers are told. */
export const version = '0.1.0'

const usualMaxResultBytes = 8 * 1024 ** 2

/** Parts of the host that the gateway works with, besides its services. */
export interface HostGatewayParts extends HostServices {
  readonly taints: Taints
  readonly calls: OpenCalls
  readonly watchers: Watchers
  readonly projects: CallerProjects
  readonly countAct: CountAct
  /** Asks a server for its offers. */
  learn(server: ServerKey): Promise<void>
}

/** Functions of the host that the gateway calls. */
export interface HostGatewayCalls extends Pick<ActStackParts, 'commandOf' | 'upstream' | 'callsAt'> {
  principalOf(caller: Caller): Principal
  /** Asks servers that were never seen for their offers. */
  learn(servers: readonly ServerKey[]): Promise<void>
  /** The instance of a server that works for a caller. */
  instanceOf(server: ServerKey, caller: Caller): Instance
}

/** The gateway of a host: the offers for callers, and the stack of their acts. */
export function hostGateway(host: HostGatewayParts, options: HostOptions, calls: HostGatewayCalls): Gateway {
  const { principalOf, learn, instanceOf, ...does } = calls
  const { inbox, grants, ledger, catalogue, spills, taints, projects, pipes, store } = host
  const { record: levelOf = () => 'full' as const, limits, ask, always, onError, tasks } = options
  const policy = (act: Act) => (act.workingIn && options.workplaces?.denying(act)) ?? projects.of(act.project).policy
  const mayList = (act: Act) => policy(act).judge(act).effect !== 'deny'
  const { maxResultBytes = () => usualMaxResultBytes } = options
  const stacks = actStacks({
    ...{ inbox, grants, ledger, catalogue, spills, taints, levelOf },
    ...does,
    relearn: (server) => void host.learn(server).catch(() => {}),
    policy,
    policyVersion: ({ project }) => projects.of(project).policyVersion,
    isStrict: ({ project }) => projects.of(project).isStrict,
    countAct: host.countAct,
    maxResultBytes,
    isUnattended: options.unattended === true,
    ...(limits && { limits }),
    ...(ask && { ask }),
    ...(always && { always }),
  })
  return new Gateway({
    wire: host.wire,
    ...{ catalogue, calls: host.calls, watchers: host.watchers, version, principalOf, learn, instanceOf },
    stack: stacks.servers,
    judgeWatch: (act) => judgeWatch({ ledger, policy }, act),
    mayList,
    unknown: stacks.unknown,
    spilled: spilledAddresses(store),
    signalled: new SignalledCalls({ upstream: does.upstream, own: stacks.own }),
    own: ownOffers(
      {
        ...{ catalogue, spills, taints, pipes, calls: host.calls, step: stacks.step, learn, mayList, maxResultBytes },
        pipeLimits: (project) => projects.of(project).limits?.pipe,
      },
      stacks,
    ),
    govern: (doing, acts) => govern({ outcomes: host.outcomes, upstream: does.upstream }, doing, acts),
    keys: [sealingKey(store)],
    projectIn: ({ project }, caller) => projects.projectIn(project, caller),
    scopeOf: (caller) => projects.scopeOf(caller),
    openScope: (request) => projects.openScope(request),
    usualScope: projects.usual,
    tasksAt: (path) => ({ ...tasks, store: tasksAt(path, store) }),
    ...(onError && { onError }),
  })
}
