import type { GithubSetup, Request } from './github-setup.ts'
import { fullName, type RepoName } from './references.ts'

type Others = { readonly [name: string]: string }

const maxOffered = 100

/** Completion of the variables of addresses; nothing is suggested where GitHub cannot be asked. */
export function completers(setup: GithubSetup) {
  const orNothing = async (start: string, work: (request: Request) => Promise<readonly string[]>) => {
    const found = await work(setup.api.requestFor(undefined)).catch(() => [])
    return [...new Set(found)]
      .filter((value) => value.toLowerCase().startsWith(start.toLowerCase()))
      .slice(0, maxOffered)
  }
  const within = (
    start: string,
    { owner, repo }: Others,
    work: (request: Request, at: RepoName) => Promise<readonly string[]>,
  ) => (owner === undefined || repo === undefined ? [] : orNothing(start, (request) => work(request, { owner, repo })))
  const repositories = async (request: Request): Promise<readonly string[]> => {
    const { data } = await request('GET /user/repos', { per_page: 100, sort: 'pushed' })
    const named = setup.repos.filter((pattern) => !pattern.includes('*'))
    return [...named, ...data.map(({ owner, name }) => fullName({ owner: owner.login, repo: name }))]
  }
  const items = (kind: 'issues' | 'pulls') => (start: string, others: Others) =>
    within(start, others, async (request, at) => {
      const listed =
        kind === 'pulls'
          ? await request('GET /repos/{owner}/{repo}/pulls', { ...at, per_page: 50 })
          : await request('GET /repos/{owner}/{repo}/issues', { ...at, per_page: 50 })
      return (listed.data as readonly { number: number; pull_request?: unknown }[])
        .filter((item) => kind === 'pulls' || item.pull_request === undefined)
        .map(({ number }) => `${number}`)
    })
  return {
    owner: (start: string) =>
      orNothing(start, async (request) => (await repositories(request)).map((name) => part(name, 0))),
    repo: (start: string, { owner }: Others) =>
      orNothing(start, async (request) => {
        const names = (await repositories(request)).filter((name) => owner === undefined || part(name, 0) === owner)
        return names.map((name) => part(name, 1))
      }),
    pull: items('pulls'),
    issue: items('issues'),
    sha: (start: string, others: Others) =>
      within(start, others, async (request, at) => {
        const { data } = await request('GET /repos/{owner}/{repo}/commits', { ...at, per_page: 50 })
        return data.map(({ sha }) => sha)
      }),
    ref: (start: string, others: Others) =>
      within(start, others, async (request, at) => {
        const { data } = await request('GET /repos/{owner}/{repo}/branches', { ...at, per_page: 100 })
        return ['HEAD', ...data.map(({ name }) => name)]
      }),
    path: (start: string, others: Others) =>
      within(start, others, async (request, at) => {
        const folder = start.slice(0, start.lastIndexOf('/') + 1)
        const ref = others.ref === undefined || others.ref === 'HEAD' ? {} : { ref: others.ref }
        const { data } = await request('GET /repos/{owner}/{repo}/contents/{path}', {
          ...at,
          path: folder.slice(0, -1),
          ...ref,
        })
        const entries = Array.isArray(data) ? data : []
        return entries.map(({ name, type }) => `${folder}${name}${type === 'dir' ? '/' : ''}`)
      }),
  }
}

function part(name: string, at: 0 | 1): string {
  return name.split('/')[at] ?? ''
}
