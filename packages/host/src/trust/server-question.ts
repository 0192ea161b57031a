import { canonicalJson, type Fields } from '@trunkline/mcp'
import { serverNameOf } from '../act/server-key.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { commandHash, type Launch, showLaunch } from '../servers/launch.ts'
import { updatesOfPackage } from '../servers/program-updates.ts'
import { needsInWords } from '../servers/requirements/check-needs.ts'
import { whatItMay } from '../servers/sandbox/sandbox.ts'
import type { ServerSpec, Unresolved } from '../servers/server-spec.ts'
import { hashOf } from '../text/json-hash.ts'

/** Time that a server may wait to be accepted; it is asked about again when the host starts. */
const openMs = 30 * 24 * 3_600_000

/** A server that is not accepted, or not as it is now, as a person is asked about it. */
export interface Unaccepted {
  readonly spec: ServerSpec
  readonly launch: Launch
  /** The hash of all that is accepted with an answer. */
  readonly seen: string
  /** The files that it would run. */
  readonly runs: readonly string[]
  /** Differences from the accepted state; empty if it was not accepted at all. */
  readonly differences: readonly string[]
}

/** The key of the question about a server: a refusal counts for its command, and of an accepted one for its present files. */
export function serverQuestionKey({ spec: { name }, launch, seen, differences }: Unaccepted): string {
  return differences.length === 0
    ? hashOf(['start', name, commandHash(launch)])
    : hashOf(['start', name, commandHash(launch), seen])
}

/** Asks if a server may be started: the command in full, with its context; true if it may. */
export async function askToStart(inbox: Inbox, unaccepted: Unaccepted): Promise<boolean> {
  const { spec, launch, seen } = unaccepted
  const key = serverQuestionKey(unaccepted)
  if (inbox.wasRefused(key)) return false
  // the question must show exactly what an answer accepts
  const stale = inbox.open.filter((question) => question.key === key && question.detail.seen !== seen)
  for (const { id } of stale) await inbox.withdraw(id, 'the server would run something else by now')
  const { settled } = await inbox.ask({
    kind: 'start',
    key,
    server: serverNameOf(spec.name),
    target: showLaunch(launch),
    principal: 'configuration',
    principalId: 'configuration',
    project: spec.project,
    why: whyOf(unaccepted),
    detail: detailOf(unaccepted),
    by: 'local',
    openMs,
  })
  const settlement = await settled
  return settlement.state === 'answered' && settlement.answer.choice !== 'refuse'
}

/** Withdraws questions about servers that are not configured any more, or not with that command. */
export async function withdrawStartQuestions(inbox: Inbox, specs: readonly ServerSpec[]): Promise<void> {
  const wanted = new Set(
    specs.flatMap(({ name, launch }) => (launch.kind === 'unresolved' ? [] : [`${name} ${commandHash(launch)}`])),
  )
  const isWanted = ({ key, hash }: Fields) => wanted.has(`${key} ${hash}`)
  const stale = inbox.open.filter(({ kind, detail }) => kind === 'start' && !isWanted(detail))
  await Promise.all(stale.map(({ id }) => inbox.withdraw(id, 'the server is not configured like this any more')))
}

function whyOf({ spec: { name, source }, differences }: Unaccepted): string {
  const server = `server "${serverNameOf(name)}"`
  if (differences.length > 0)
    return `${server} would run something else than what you accepted: ${differences.join('; ')}`
  return `${server} is configured${source ? ` at ${source}` : ''} and was not accepted yet`
}

/** Everything that a person accepts with a server; values of variables and headers are secrets and stay out. */
function detailOf({ spec, launch, seen, runs, differences }: Unaccepted): Fields {
  const hashes = { key: spec.name, hash: commandHash(launch), seen }
  if (launch.kind === 'remote') return { url: launch.url, headers: Object.keys(launch.headers).sort(), ...hashes }
  const { command, args, cwd, env, sandbox, mine } = launch
  const confined = sandbox && { sandbox: whatItMay(sandbox) }
  const needs = needsInWords(launch)
  const updates = updatesOfPackage(launch)
  return {
    ...{ command, args, cwd, environment: Object.keys(env).sort(), ...confined },
    ...(needs.length > 0 && { needs }),
    ...(updates !== undefined && { updates }),
    ...(runs.length > 0 && { runs }),
    ...(mine && { mine: 'you write it yourself: changes to its files do not ask you' }),
    ...(differences.length > 0 && { differences }),
    ...hashes,
  }
}

/** The reason why a server that waits to be accepted cannot be used; its program and its paths are for the person alone. */
export function notAccepted({ name }: ServerSpec, launch: Launch): Unresolved {
  return {
    kind: 'unresolved',
    needs: 'it was not accepted yet',
    hint: `it would run ${canonicalJson(showLaunch(launch))}; accept it with "trunkline accept ${serverNameOf(name)}"`,
  }
}

/** The reason why a server whose files are not those that were accepted cannot be started. */
export function notAsAccepted({ name }: ServerSpec, differences: readonly string[]): Unresolved {
  return {
    kind: 'unresolved',
    needs: 'it is not what was accepted',
    hint: `${differences.join('; ')}; look at that, then accept it with "trunkline accept ${serverNameOf(name)}"`,
  }
}
