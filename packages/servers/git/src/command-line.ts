import type { GitServerOptions } from './git-server.ts'

/** Options of the server from a command line, and the flags that the library reads. */
export interface GitCommandLine {
  readonly options: GitServerOptions
  readonly rest: readonly string[]
}

/** The flags of this program; the others are the library's. */
export const gitUsage = `trunkline-git [directory…]
  --read-only          offers no tool that writes
  --hooks accepted     runs the hooks of a repository whose exact text you accepted
  --accept-hook HASH   accepts a text by its SHA-256; previews and results tell it
  --resolve sample     asks the client's model to propose resolutions of conflicts
`

/** Reads the words of a command line; throws an error that says which one is wrong. */
export function readGitCommandLine(words: readonly string[], cwd: string): GitCommandLine {
  const directories: string[] = []
  const rest: string[] = []
  const acceptHooks: string[] = []
  const chosen: { readOnly?: boolean; hooks?: 'none' | 'accepted'; resolve?: 'ask' | 'sample' } = {}
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--read-only') chosen.readOnly = true
    else if (word === '--hooks') chosen.hooks = oneOf(word, words[++at], ['none', 'accepted'])
    else if (word === '--resolve') chosen.resolve = oneOf(word, words[++at], ['ask', 'sample'])
    else if (word === '--accept-hook') acceptHooks.push(hash(words[++at]))
    // a value of a flag of the library stands behind it
    else if (word.startsWith('-') || rest.length > 0) rest.push(word)
    else directories.push(word)
  }
  return { options: { directories: directories.length === 0 ? [cwd] : directories, acceptHooks, ...chosen }, rest }
}

function oneOf<Word extends string>(flag: string, value: string | undefined, words: readonly Word[]): Word {
  const found = words.find((word) => word === value)
  if (found === undefined) throw new Error(`Cannot start: "${flag}" takes ${words.join(' or ')}\n\n${gitUsage}`)
  return found
}

function hash(value: string | undefined): string {
  if (value === undefined || !/^[0-9a-f]{64}$/i.test(value))
    throw new Error(`Cannot start: "--accept-hook" takes the 64 hexadecimal digits of a SHA-256\n\n${gitUsage}`)
  return value
}
