import { shortDate } from './commits.ts'
import type { Repository } from './repository.ts'

/** Kinds of refs that can be listed. */
export const refKinds = ['branch', 'remote', 'tag', 'stash'] as const

/** One of {@link refKinds}. */
export type RefKind = (typeof refKinds)[number]

/** A ref in a list. */
export interface ListedRef {
  readonly name: string
  readonly sha: string
  readonly date: string
  readonly upstream?: string
  readonly ahead?: number
  readonly behind?: number
  readonly subject?: string
  readonly author?: string
}

const folders = { branch: 'refs/heads', remote: 'refs/remotes', tag: 'refs/tags' } as const
const format = ['refname', 'objectname', 'creatordate:iso-strict', 'upstream:short', 'contents:subject', 'authorname']
  .map((name) => `%(${name})`)
  .join('%00')

/** All refs of a kind whose names hold a text, the newest first. */
export async function readRefs(repository: Repository, kind: RefKind, text: string): Promise<readonly ListedRef[]> {
  const found = kind === 'stash' ? await readStashes(repository) : await readByFolder(repository, folders[kind])
  return found.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
}

/** Adds how many commits branches are ahead and behind of theirs upstream. */
export async function withTracking(repository: Repository, refs: readonly ListedRef[]): Promise<readonly ListedRef[]> {
  const tracked = refs.filter(({ upstream }) => upstream !== undefined).map(({ name }) => `refs/heads/${name}`)
  if (tracked.length === 0) return refs
  const args = ['for-each-ref', '--format=%(refname:lstrip=2)%00%(upstream:track)', '--', ...tracked]
  const lines = (await repository.run(args)).toString().split('\n').filter(Boolean)
  const tracks = new Map(lines.map((line) => line.split('\0') as [string, string]))
  return refs.map((ref) => {
    const track = tracks.get(ref.name)
    if (ref.upstream === undefined || track === undefined || track === '[gone]') return ref
    const [ahead, behind] = [/ahead (\d+)/.exec(track)?.[1], /behind (\d+)/.exec(track)?.[1]]
    return { ...ref, ahead: Number(ahead ?? 0), behind: Number(behind ?? 0) }
  })
}

async function readByFolder(repository: Repository, folder: string): Promise<readonly ListedRef[]> {
  const args = ['for-each-ref', '--sort=-creatordate', `--format=${format}`, folder]
  const lines = (await repository.run(args)).toString().split('\n').filter(Boolean)
  return lines.map((line) => {
    const [refname = '', sha = '', date = '', upstream = '', subject = '', author = ''] = line.split('\0')
    const name = refname.slice(folder.length + 1)
    return { name, sha, date: shortDate(date), ...(upstream !== '' && { upstream }), subject, author }
  })
}

async function readStashes(repository: Repository): Promise<readonly ListedRef[]> {
  const { code } = await repository.try(['rev-parse', '--verify', '--quiet', 'refs/stash'])
  if (code !== 0) return []
  const output = await repository.run([
    'log',
    '-g',
    '-z',
    '-s',
    '--format=tformat:%gd%x00%H%x00%cI%x00%gs%x00%an',
    'refs/stash',
    '--',
  ])
  const parts = output.toString().split('\0')
  const found: ListedRef[] = []
  for (let at = 0; at + 5 <= parts.length; at += 5) {
    const [name = '', sha = '', date = '', subject = '', author = ''] = parts.slice(at, at + 5)
    found.push({ name, sha, date: shortDate(date), subject, author })
  }
  return found
}
