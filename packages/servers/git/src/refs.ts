import { quoted } from '@trunkline/server-kit/preview'
import { nearestNames, ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Repository } from './repository.ts'

const fullId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** True for a full id of an object. */
export function isObjectId(text: string): boolean {
  return fullId.test(text)
}

/** True for a name that `git check-ref-format --allow-onelevel` accepts and no command takes for an option. */
export function isRefName(name: string): boolean {
  if (name === '' || name === '@' || name.startsWith('-') || /[/.]$/.test(name) || name.length > 1_000) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids them in names
  if (/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//.test(name)) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** The full id of the commit that a ref, an id or `HEAD~2` names; only ids go on to other commands. */
export async function commitId(repository: Repository, ref: string): Promise<string> {
  const [, name = '', steps = ''] = /^([^~^]*)((?:[~^]\d{0,6})*)$/.exec(ref) ?? []
  if (!isRefName(name)) throw notARef(ref)
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}${steps}^{commit}`]
  const { code, output } = await repository.try(args)
  const id = output.toString().trim()
  if (code === 0 && isObjectId(id)) return id
  if (ref === 'HEAD') throw new ToolProblem('not_found', 'Cannot read "HEAD": the branch has no commit yet')
  const names = (await repository.run(['for-each-ref', '--count=2000', '--format=%(refname:short)'])).toString()
  throw new ToolProblem('not_found', `Cannot find ${quoted(ref)}: no branch, tag or commit has that name`, {
    nearest: nearestNames(ref, names.split('\n').filter(Boolean)).map((each) => quoted(each)),
    next: 'List them with list_refs',
  })
}

/** The id of HEAD; undefined on a branch without commits. */
export async function headId(repository: Repository): Promise<string | undefined> {
  const { code, output } = await repository.try(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  return code === 0 ? output.toString().trim() : undefined
}

/** The name of the branch that is checked out; undefined on a detached HEAD. */
export async function branchName(repository: Repository): Promise<string | undefined> {
  const { code, output } = await repository.try(['symbolic-ref', '--quiet', 'HEAD'])
  const name = output.toString().trim()
  return code === 0 && name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : undefined
}

/** The id of the tree without files, in the hash of the repository. */
export async function emptyTree(repository: Repository): Promise<string> {
  return (await repository.run(['hash-object', '-t', 'tree', '--stdin'], { input: '' })).toString().trim()
}

function notARef(ref: string): ToolProblem {
  return new ToolProblem('refused', `Cannot use ${quoted(ref)} as a ref: git allows no such name`, {
    next: 'Write a branch, a tag, an id, or one of them with ~2',
  })
}
