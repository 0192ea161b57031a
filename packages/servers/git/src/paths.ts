import { isAbsolute, relative, resolve, sep } from 'node:path'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Repository } from './repository.ts'

/** Names that lead into the folder of git on some system: Windows knows it by a short name and by its streams, too. */
const folderOfGit = /^(?:\.git|git~\d+)[. ]*(?::.*)?$/i

/** A path as git has it: from the work tree on, with slashes; refuses what lies outside or in the folder of git. */
export function pathInTree({ root }: Pick<Repository, 'root'>, given: string): string {
  const path = relative(root, resolve(root, given)).split(sep).join('/')
  const parts = path.split('/')
  if (given.includes('\0') || isAbsolute(path) || parts[0] === '..')
    throw outsideTree(given, 'it lies outside of the work tree')
  if (parts.some((part) => folderOfGit.test(part.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''))))
    throw outsideTree(given, 'it belongs to git itself')
  return path === '' ? '.' : path
}

/** Paths as the input of `--pathspec-from-file=- --pathspec-file-nul`. */
export function pathList(repository: Repository, given: readonly string[]): string {
  return given.map((path) => `${pathInTree(repository, path)}\0`).join('')
}

function outsideTree(given: string, why: string): ToolProblem {
  return new ToolProblem('refused', `Cannot use ${quoted(given)}: ${why}`)
}
