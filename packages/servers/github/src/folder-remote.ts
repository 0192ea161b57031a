import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type AllowedFolders, insidePath, liesIn } from '@trunkline/server-kit/folders'
import { parseRepo, type RepoName } from './references.ts'

/** Proposal of a folder: the repository of its remote, and the branch that is checked out. */
export interface FolderProposal {
  readonly repo: RepoName
  readonly branch?: string
}

const maxConfigBytes = 1024 ** 2

/**
 * The repository at a host that the remote of a folder names. Two files of `.git` are read; no program starts, includes
 * are not followed, and nothing outside of the allowed folders is read.
 */
export async function proposalOf(
  allowed: AllowedFolders,
  folder: string,
  host: string,
): Promise<FolderProposal | undefined> {
  try {
    const found = await gitFolder(allowed, await insidePath(allowed, folder))
    if (found === undefined) return undefined
    const repo = remoteRepo(await textOf(allowed, join(found.common, 'config')), host)
    if (repo === undefined) return undefined
    const head = await textOf(allowed, join(found.own, 'HEAD')).catch(() => '')
    const branch = /^ref: refs\/heads\/(\S+)/.exec(head)?.[1]
    return { repo, ...(branch !== undefined && { branch }) }
  } catch {
    // a folder that cannot be read proposes nothing
    return undefined
  }
}

/** The folder of a repository's own files, and that of the files it shares with its work trees. */
async function gitFolder(allowed: AllowedFolders, from: string): Promise<{ own: string; common: string } | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    if (!allowed.folders.some((one) => liesIn(one, folder))) return undefined
    const path = join(folder, '.git')
    const entry = await stat(path).catch(() => undefined)
    if (entry?.isDirectory()) return { own: path, common: path }
    if (entry?.isFile()) {
      const own = resolve(folder, (await textOf(allowed, path)).replace(/^gitdir: /, '').trim())
      const common = await textOf(allowed, join(own, 'commondir')).catch(() => '.')
      return { own, common: resolve(own, common.trim()) }
    }
    if (dirname(folder) === folder) return undefined
  }
}

async function textOf(allowed: AllowedFolders, path: string): Promise<string> {
  const real = await insidePath(allowed, path)
  const { size } = await stat(real)
  if (size > maxConfigBytes) throw new Error('Cannot read settings of this size')
  return readFile(real, 'utf8')
}

/** The repository of the remote `origin`, or of the only one. */
export function remoteRepo(config: string, host: string): RepoName | undefined {
  const remotes = new Map<string, string>()
  let section = ''
  for (const line of config.split('\n')) {
    const [, name] = /^\s*\[\s*remote\s+"([^"]+)"\s*\]/i.exec(line) ?? []
    if (/^\s*\[/.test(line)) section = name ?? ''
    const [, url] = /^\s*url\s*=\s*"?([^"\s]+)"?\s*$/i.exec(line) ?? []
    if (section !== '' && url !== undefined && !remotes.has(section)) remotes.set(section, url)
  }
  const url = remotes.get('origin') ?? (remotes.size === 1 ? [...remotes.values()][0] : undefined)
  return url === undefined ? undefined : repoOfRemote(url, host)
}

function repoOfRemote(url: string, host: string): RepoName | undefined {
  const [, at = '', path = ''] =
    /^(?:https?:\/\/|ssh:\/\/)(?:[^@/]*@)?([^/]+)\/(.+)$/.exec(url) ?? /^(?:[^@/:]*@)?([^/:]+):(.+)$/.exec(url) ?? []
  if (at.toLowerCase() !== host.toLowerCase()) return undefined
  try {
    return parseRepo(path.replace(/\/$/, '').replace(/\.git$/, ''), host)
  } catch {
    return undefined
  }
}
