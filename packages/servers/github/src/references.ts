import { quoted } from '@trunkline/server-kit/preview'
import { isLink, linkParts } from '@trunkline/server-kit/product-link'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'

/** A repository by its owner and name. */
export interface RepoName {
  readonly owner: string
  readonly repo: string
}

/** An issue or a pull request; without a repository that of the caller's folder is meant. */
export interface ItemReference {
  readonly repo?: RepoName
  readonly number: number
}

/** A file, and where a link says more, its repository and ref. */
export interface FileReference {
  readonly repo?: RepoName
  readonly ref?: string
  readonly path: string
}

/** `owner/name` of a repository. */
export function fullName({ owner, repo }: RepoName): string {
  return `${owner}/${repo}`
}

/** The address of something in a repository; a slash within a part is escaped. */
export function githubUri({ owner, repo }: RepoName, ...parts: readonly (string | number)[]): string {
  return `github://${[owner, repo, ...parts].map((part) => encodeURIComponent(part)).join('/')}`
}

/** Reads `owner/name` or a link. */
export function parseRepo(given: string, host: string): RepoName {
  const parts = isLink(given) ? linkParts(given, host) : given.trim().split('/')
  const found = isLink(given) || parts.length === 2 ? repoOf(parts) : undefined
  if (found !== undefined) return found
  throw new ToolProblem('refused', `Cannot use ${quoted(given)} as a repository`, {
    next: 'Write owner/name or a link',
  })
}

/** Reads `7`, `#7`, `owner/name#7` or the link of an issue or pull request. */
export function parseItem(given: string | number, host: string): ItemReference {
  const text = `${given}`.trim()
  if (isLink(text)) {
    const [owner = '', repo = '', kind = '', number = ''] = linkParts(text, host)
    const found = repoOf([owner, repo])
    if (found && /^(?:pull|issues)$/.test(kind) && isNumber(number)) return { repo: found, number: Number(number) }
  } else {
    const [, before = '', number = ''] = /^(?:([^#\s]+)?#)?(\d{1,9})$/.exec(text) ?? []
    if (isNumber(number)) return { ...(before && { repo: parseRepo(before, host) }), number: Number(number) }
  }
  throw new ToolProblem('refused', `Cannot use ${quoted(text)} as an issue or pull request`, {
    next: `Write its number, owner/name#number or its link at https://${host}/`,
  })
}

/** Reads a path, or the link of a file: `…/blob/REF/PATH`, where the ref has no slash. */
export function parseFile(given: string, host: string): FileReference {
  if (!isLink(given)) return { path: cleanPath(given) }
  const [owner = '', repo = '', kind = '', ref, ...path] = linkParts(given, host)
  const found = repoOf([owner, repo])
  if (found === undefined || !/^(?:blob|tree|raw)$/.test(kind) || ref === undefined)
    throw new ToolProblem('refused', `Cannot use ${quoted(given)} as a file`, {
      next: 'Write a path or a link of a file',
    })
  return { repo: found, ref, path: cleanPath(path.join('/')) }
}

/** Refuses refs that could be read as another part of an address. */
export function checkedRef(ref: string): string {
  if (ref.length <= 250 && /^[^\s~^:?*[\\\p{Cc}]+$/u.test(ref) && !ref.includes('..') && !/^[-/]|\/$/.test(ref))
    return ref
  throw new ToolProblem('refused', `Cannot use ${quoted(ref)} as a ref`, { next: 'Write a branch, a tag or a commit' })
}

/** True if a name is that of one of the patterns; a star stands for any part of an owner or a name. */
export function isAmong(name: RepoName, patterns: readonly string[]): boolean {
  const wanted = fullName(name).toLowerCase()
  return patterns.some((pattern) => {
    const parts = pattern
      .toLowerCase()
      .split('*')
      .map((part) => part.replaceAll(/[.\\+?^${}()|[\]]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^/]*')}$`).test(wanted)
  })
}

function repoOf([owner = '', name = '']: readonly string[]): RepoName | undefined {
  const repo = name.replace(/\.git$/, '')
  const isOwner = /^[A-Za-z0-9][\w-]{0,99}$/.test(owner)
  return isOwner && /^[\w.-]{1,100}$/.test(repo) && !/^\.{1,2}$/.test(repo) ? { owner, repo } : undefined
}

function isNumber(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text)
}

function cleanPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..') || path.includes('\0'))
    throw new ToolProblem('refused', `Cannot use ${quoted(path)}: paths begin at the root of the repository`)
  return parts.join('/')
}
