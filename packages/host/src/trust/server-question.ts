import { canonicalJson } from '@trunkline/mcp'
import { hashOf } from '../catalogue/definition-hash.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { commandHash, type Launch, showLaunch } from '../servers/launch.ts'
import { updatesOfPackage } from '../servers/program-updates.ts'
import { needsInWords } from '../servers/requirements/check-needs.ts'
import { whatItMay } from '../servers/sandbox/sandbox.ts'
import { type ServerKey, serverNameOf } from '../servers/server-key.ts'
import type { ServerSpec, Unresolved } from '../servers/server-spec.ts'

/** How long a server may wait to be accepted; it is asked about again when the host starts. */
const openMs = 30 * 24 * 3_600_000

/** A server that nobody accepted yet, as a person is asked about it. */
export interface Unaccepted {
  readonly spec: ServerSpec
  readonly launch: Launch
}

/** The key of the question whether a server may be started with exactly this command. */
export function serverQuestionKey(name: ServerKey, launch: Launch): string {
  return hashOf(['start', name, commandHash(launch)])
}

/** Asks whether a server may be started: the command in full, with what surrounds it. Resolves to whether it may. */
export async function askToStart(inbox: Inbox, { spec, launch }: Unaccepted): Promise<boolean> {
  const key = serverQuestionKey(spec.name, launch)
  if (inbox.wasRefused(key)) return false
  const { settled } = await inbox.ask({
    kind: 'start',
    key,
    server: serverNameOf(spec.name),
    target: showLaunch(launch),
    principal: 'configuration',
    principalId: 'configuration',
    project: spec.project,
    why: `server "${serverNameOf(spec.name)}" is configured${spec.source ? ` at ${spec.source}` : ''} and was not accepted yet`,
    detail: { ...detailOf(launch), hash: commandHash(launch) },
    by: 'local',
    openMs,
  })
  const settlement = await settled
  return settlement.state === 'answered' && settlement.answer.choice !== 'refuse'
}

/** Withdraws questions about servers that are not configured any more, or not with that command. */
export async function withdrawStartQuestions(inbox: Inbox, specs: readonly ServerSpec[]): Promise<void> {
  const wanted = new Set(
    specs.flatMap(({ name, launch }) => (launch.kind === 'unresolved' ? [] : [serverQuestionKey(name, launch)])),
  )
  const stale = inbox.open.filter(({ kind, key }) => kind === 'start' && !wanted.has(key))
  await Promise.all(stale.map(({ id }) => inbox.withdraw(id, 'the server is not configured like this any more')))
}

/** Everything that a person accepts with a server; values of variables and headers are secrets and stay out. */
function detailOf(launch: Launch): { readonly [key: string]: unknown } {
  if (launch.kind === 'remote') return { url: launch.url, headers: Object.keys(launch.headers).sort() }
  const { command, args, cwd, env, sandbox } = launch
  const confined = sandbox && { sandbox: whatItMay(sandbox) }
  const needs = needsInWords(launch)
  const updates = updatesOfPackage(launch)
  return {
    ...{ command, args, cwd, environment: Object.keys(env).sort(), ...confined },
    ...(needs.length > 0 && { needs }),
    ...(updates !== undefined && { updates }),
  }
}

/** What a server that waits to be accepted says when somebody wants to use it. */
export function notAccepted({ name }: ServerSpec, launch: Launch): Unresolved {
  return {
    kind: 'unresolved',
    needs: `it was not accepted yet, and would run ${canonicalJson(showLaunch(launch))}`,
    hint: `accept it with "trunkline accept ${serverNameOf(name)}"`,
  }
}
