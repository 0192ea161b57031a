import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { GithubSetup, MeantRepo } from './github-setup.ts'
import { hiddenText } from './outsiders.ts'

/** A file of a repository, or the entries of a folder. */
export type RepoFile =
  | { readonly kind: 'file'; readonly sha: string; readonly bytes: Buffer }
  | { readonly kind: 'folder'; readonly entries: readonly string[] }

/** A place in a repository. */
export interface FilePlace {
  readonly path: string
  readonly ref: string | undefined
}

/** Reads a file as a ref has it; refuses what is neither a file nor a folder. */
export async function readRepoFile(setup: GithubSetup, meant: MeantRepo, { path, ref }: FilePlace): Promise<RepoFile> {
  const { owner, repo, request } = meant
  if (await isOutsideRef(setup, meant, ref))
    throw new ToolProblem('refused', `Cannot show ${quoted(path)} at ${quoted(ref ?? '')}: ${hiddenText}`)
  const at = { owner, repo, path, ...(ref && { ref }) }
  const { data } = await request('GET /repos/{owner}/{repo}/contents/{path}', at)
  if (Array.isArray(data)) {
    const entries = data.map(({ name, type, size }) => (type === 'dir' ? `${name}/` : `${name} (${size})`))
    return { kind: 'folder', entries }
  }
  if (data.type !== 'file')
    throw new ToolProblem('refused', `Cannot read ${quoted(path)}: it is a ${data.type}, and links are not followed`)
  const { sha, content, encoding } = data as { sha: string; content: string; encoding: string }
  if (encoding === 'base64') return { kind: 'file', sha, bytes: Buffer.from(content, 'base64') }
  // larger files come without their content
  const blob = await request('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', { owner, repo, file_sha: sha })
  return { kind: 'file', sha, bytes: Buffer.from(blob.data.content, 'base64') }
}

/** The text of a file; undefined for bytes that are none. */
export function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString()
  return !bytes.includes(0) && Buffer.from(text).equals(bytes) ? text : undefined
}

/** True if texts of outsiders are hidden and a ref may hold one: a pull request, or a commit of an outsider. */
async function isOutsideRef({ outsiders }: GithubSetup, meant: MeantRepo, ref: string | undefined): Promise<boolean> {
  if (outsiders.rule !== 'hide' || ref === undefined) return false
  if (/^(?:refs\/)?pull\//.test(ref)) return true
  if (!/^[0-9a-f]{7,64}$/i.test(ref)) return false
  const { owner, repo, request } = meant
  const { data } = await request('GET /repos/{owner}/{repo}/commits/{ref}', { owner, repo, ref })
  const login = data.author && 'login' in data.author ? data.author.login : undefined
  return outsiders.isOutside(request, meant, { user: login === undefined ? undefined : { login: `${login}` } })
}
