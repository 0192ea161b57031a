import { quoted } from '@trunkline/server-kit/preview'
import { nearestNames, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { isRefName } from './refs.ts'
import type { Repository } from './repository.ts'
import type { GitOutcome } from './run-git.ts'

/** A remote that the repository has by name. */
export interface Remote {
  readonly name: string
  /** Addresses that are reached: several only for a push to several. */
  readonly addresses: readonly string[]
  /** Its addresses without passwords. */
  readonly shownUrl: string
}

/** Ways to reach a remote; the local file system and helpers such as `ext::` are none of them. */
export const remoteProtocols = ['https', 'http', 'ssh', 'git'] as const

/** Settings of a run that reaches a remote. */
export function reaching({ limits }: Repository) {
  return { env: { GIT_ALLOW_PROTOCOL: remoteProtocols.join(':') }, maxMs: limits.maxRemoteMs }
}

/** A remote by its name, never by an address, as git fetches from it or pushes to it; refuses those that are reached in other ways. */
export function remoteNamed(repository: Repository, name: string, direction: 'fetch' | 'push'): Remote {
  repository.allow('network')
  const urls = repository.settings.filter(({ key }) => key === `remote.${name}.url` || key === `remote.${name}.pushurl`)
  if (!isRefName(name) || urls.length === 0) {
    const names = repository.settings.flatMap(({ key }) => /^remote\.(.*)\.url$/s.exec(key)?.[1] ?? [])
    throw new ToolProblem('not_found', `Cannot find the remote ${quoted(name)}`, {
      nearest: nearestNames(name, names).map((each) => quoted(each)),
      next: 'Add it: git remote add NAME ADDRESS',
    })
  }
  for (const { value } of urls) {
    const protocol = protocolOf(value)
    if (protocol === undefined)
      throw new ToolProblem(
        'refused',
        `Cannot reach the remote ${quoted(name)}: its address is none of ${remoteProtocols.join(', ')}`,
      )
  }
  const valuesOf = (end: string) => urls.filter(({ key }) => key.endsWith(end)).map(({ value }) => value)
  const [plain, forPush] = [valuesOf('.url'), valuesOf('.pushurl')]
  const pushed = forPush.length > 0 ? forPush : plain
  const addresses = direction === 'push' ? pushed : plain.slice(0, 1)
  const shownUrl = addresses.map((url) => url.replace(/^(\w+:\/\/)[^@/]*@/, '$1')).join(' and ')
  return { name, addresses, shownUrl }
}

function protocolOf(url: string): string | undefined {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url) ?? []
  if (scheme !== undefined) return remoteProtocols.find((each) => each === scheme.toLowerCase())
  // host:path is ssh; two colons are a helper, a slash before the colon a path, a dash an option
  return /^[^-:/\\][^:/\\]*:(?!:)/.test(url) && !/^[a-z]:/i.test(url) ? 'ssh' : undefined
}

/** The refs of a remote that the repository knows, with their ids. */
export async function knownRefs(repository: Repository, name: string): Promise<ReadonlyMap<string, string>> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', `refs/remotes/${name}/`, 'refs/tags/']
  const lines = (await repository.run(args)).toString().split('\n').filter(Boolean)
  return new Map(lines.map((line) => line.split(' ') as [string, string]))
}

/** The problem that git met on the way to a remote. */
export function remoteProblem(verb: string, { name, shownUrl }: Remote, { complaint }: GitOutcome): ToolProblem {
  const where = `${quoted(name)} (${quoted(shownUrl)})`
  if (
    /Authentication failed|could not read (?:Username|Password)|Permission denied|HTTP (?:401|403)|error: (?:401|403)/i.test(
      complaint,
    )
  )
    return new ToolProblem('not_signed_in', `Cannot ${verb} ${where}: it wants a sign-in`, {
      next: `Sign in once in a terminal: git ${verb === 'push to' ? 'push' : 'fetch'} ${name}`,
    })
  if (
    /Could not resolve host|Failed to connect|Connection refused|Network is unreachable|timed out|Could not connect/i.test(
      complaint,
    )
  )
    return new ToolProblem('unavailable', `Cannot ${verb} ${where}: it cannot be reached`, { next: 'Try again later' })
  const [line = complaint.trim()] = complaint.split('\n').filter((each) => /^(?:fatal|error|remote):/.test(each))
  return new ToolProblem('refused', `Cannot ${verb} ${where}: git says ${quoted(line, 300)}`)
}
