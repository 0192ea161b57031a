import { Failure } from '../failure/failure.ts'
import { type Line, styled } from '../output/span.ts'
import { classLines } from './class-review.ts'
import type { HostLink } from './host-link.ts'
import type { ServerSummary } from './show.ts'

/** Result of accepting one server. */
export interface Accepted {
  readonly accepted: string
  readonly setAside: readonly { readonly original: string; readonly why?: string | undefined }[]
  readonly signInAt?: string
  /** A sandbox that leaves it what its tools say they touch. */
  readonly proposes?: string
  readonly tools: readonly { readonly name: string; readonly class: string }[]
  /** Install scripts that have to be seen first; it was not accepted yet. */
  readonly scripts?: readonly string[]
  /** Reason why it could not be accepted. */
  readonly problem?: string
}

/** All that a person accepts of a server before it runs: the exact command, where, the names of what it is given, and its files. */
export function launchLines({
  name,
  command,
  folder,
  variables,
  data,
  runs = [],
  differences = [],
}: ServerSummary): readonly Line[] {
  return [
    styled('strong', `Server "${name}" would run:`),
    command,
    ...(folder === undefined ? [] : [styled('faint', `in ${folder}`)]),
    ...(variables.length === 0 ? [] : [styled('faint', `with ${variables.join(', ')}`)]),
    ...(data === undefined ? [] : [styled('faint', `its data are marked ${data}`)]),
    ...runs.map((line) => styled('faint', line)),
    ...differences.map((line) => styled('warning', `not as you accepted it: ${line}`)),
  ]
}

/** Accepts servers that a person has seen, starts them and pins what they offer; one that fails does not keep back the others. */
export async function acceptServers(
  call: HostLink['call'],
  servers: readonly ServerSummary[],
  onDone: (name: string) => void = () => {},
): Promise<readonly Accepted[]> {
  const outcomes = await Promise.allSettled(
    servers.map((server) => accept(call, server).finally(() => onDone(server.name))),
  )
  const [first] = outcomes
  if (first?.status === 'rejected' && outcomes.every(({ status }) => status === 'rejected')) {
    throw withDoctor(first.reason, servers)
  }
  return outcomes.map((outcome, at) => {
    if (outcome.status === 'fulfilled') return outcome.value
    const said = outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason)
    const server = servers[at]
    const fix = server && installFix(said, server)
    const problem = fix === undefined ? said : `${said}. ${fix}`
    return { accepted: server?.name ?? '', setAside: [], tools: [], problem }
  })
}

/** Adds the hint to run `trunkline doctor` for a server that cannot be started. */
function withDoctor(error: unknown, servers: readonly ServerSummary[]): unknown {
  if (!(error instanceof Failure)) return error
  const { message, code, exit, data } = error
  const [server] = servers
  const fix = server && installFix(message, server)
  const hint = error.hint ?? fix ?? `Find out why: trunkline doctor ${servers.map(({ name }) => name).join(' ')}`
  return new Failure(message, { code, exit, data, hint })
}

/** Names the next step after a failed install; the doctor is none, since it starts only accepted servers. */
function installFix(message: string, { name, source }: ServerSummary): string | undefined {
  if (!message.startsWith('Cannot install')) return undefined
  if (!message.endsWith('the registry has no such package')) return `Mend that, then: trunkline accept ${name}`
  const place = source === undefined ? 'the configuration' : source
  return `Correct the name of the package in ${place}, or take the server out: trunkline remove ${name}`
}

async function accept(call: HostLink['call'], { name, commandHash }: ServerSummary): Promise<Accepted> {
  const { setAside, proposes, scripts } = await call('acceptServer', { server: name, commandHash })
  if (scripts) return { accepted: name, setAside: [], tools: [], scripts }
  const [{ items }, { items: offered }] = await Promise.all([call('servers'), call('catalogue')])
  const signInAt = items.find((one) => one.name === name)?.signInAt
  const tools = offered
    .filter(({ server, kind, standing }) => server === name && kind === 'tool' && standing === 'usable')
    .map((entry) => ({ name: entry.original, class: entry.class }))
  const more = { ...(signInAt !== undefined && { signInAt }), ...(proposes !== undefined && { proposes }) }
  return { accepted: name, setAside, ...more, tools }
}

/** Install scripts that wait for a person, and what to type about them. */
function scriptLines(name: string, scripts: readonly string[]): readonly Line[] {
  return [
    styled('warning', `Server "${name}" is not accepted yet. Its package wants to run:`),
    ...scripts,
    styled('warning', `Let it: trunkline accept ${name}`),
  ]
}

/** Accepted servers, and one table of the classes of all their tools. */
export function acceptedLines(accepted: readonly Accepted[], width: number): readonly Line[] {
  const each = accepted.flatMap(
    ({ accepted: name, setAside, signInAt, proposes, scripts, problem }): readonly Line[] => [
      ...(scripts ? scriptLines(name, scripts) : []),
      ...(scripts || problem !== undefined ? [] : [`Server "${name}" is accepted`]),
      ...(problem === undefined ? [] : [styled('warning', problem)]),
      ...(signInAt === undefined ? [] : [styled('warning', `Sign in at ${signInAt} next: trunkline login ${name}`)]),
      ...(proposes === undefined ? [] : [proposes]),
      ...setAside.map(({ original, why }) => styled('warning', `${original} was set aside: ${why}`)),
    ],
  )
  return [...each, ...classLines(accepted, width)]
}
