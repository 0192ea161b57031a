import { type Look, PolledChanges } from '@trunkline/server-kit/poll-changes'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { readChecks } from './checks.ts'
import type { GithubSetup } from './github-setup.ts'
import { parseRepo } from './references.ts'

/** Addresses that can change; logs, differences of commits and the like are read when they are needed. */
const watchable = /^github:\/\/([^/]+)\/([^/]+)\/(pull|issue|file)\/([^/]+)(?:\/(.+))?$/

/** The most calls of one look: a pull request, and its checks and statuses. */
const callsPerLook = 3

/** Looks at subscribed pull requests, issues and files, so seldom that a quarter of the calls is enough. */
export function watchedChanges(setup: GithubSetup, changed: (uri: string) => void, everyMs: number) {
  const polled = new PolledChanges({
    changed,
    look: (uri) => look(setup, uri),
    nextRoundMs: (addresses) => setup.api.pauseMs(addresses * callsPerLook, everyMs),
  })
  return { add: (uris: readonly string[]) => polled.add(uris.filter((uri) => watchable.test(uri))) }
}

async function look(setup: GithubSetup, uri: string): Promise<Look> {
  try {
    return { state: await stateOf(setup, uri) }
  } catch (error) {
    if (error instanceof ToolProblem && error.code === 'not_found') return { state: undefined }
    throw error
  }
}

async function stateOf(setup: GithubSetup, uri: string): Promise<string> {
  const [, owner = '', name = '', kind, first = '', rest] = (watchable.exec(uri) ?? []).map(
    (part) => part && decodeURIComponent(part),
  )
  const { repo, ...at } = parseRepo(`${owner}/${name}`, setup.api.webHost)
  const request = setup.api.requestFor(undefined)
  const meant = { ...at, repo, request, isProposed: false }
  if (kind === 'file') {
    const ref = first === 'HEAD' ? {} : { ref: first }
    const { data } = await request('GET /repos/{owner}/{repo}/contents/{path}', {
      ...at,
      repo,
      path: rest ?? '',
      ...ref,
    })
    return Array.isArray(data) ? data.map(({ sha }) => sha).join() : data.sha
  }
  if (kind === 'issue') {
    const { data } = await request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
      ...at,
      repo,
      issue_number: Number(first),
    })
    return `${data.updated_at} ${data.comments}`
  }
  const { data } = await request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...at,
    repo,
    pull_number: Number(first),
  })
  const { state } = await readChecks(meant, data.head.sha)
  return `${data.updated_at} ${data.head.sha} ${data.merged} ${state}`
}
