import type { GithubServerOptions } from './github-server.ts'

/** Options of the server from a command line, and the flags that the library reads. */
export interface GithubCommandLine {
  readonly options: GithubServerOptions
  readonly rest: readonly string[]
}

/** The flags of this program; the others are the library's. */
export const githubUsage = `trunkline-github [directory…]      the token is in GITHUB_TOKEN, or an app in GITHUB_APP_ID and GITHUB_APP_KEY; remotes of the directories propose a repository
  --repo 'OWNER/NAME'              may be written to; * stands for any part; again for more
  --outsiders mark|hide            text of people without push access
  --api URL                        REST interface of your own GitHub, such as https://github.example.com/api/v3
  --read-only                      offers only tools that read
`

const valued = new Set(['--repo', '--outsiders', '--api'])

/** Reads the words of a command line; throws an error that says which one is wrong. */
export function readGithubCommandLine(words: readonly string[], cwd: string): GithubCommandLine {
  const directories: string[] = []
  const repos: string[] = []
  const rest: string[] = []
  let [outsiders, apiUrl]: [string, string | undefined] = ['mark', undefined]
  for (let at = 0; at < words.length; at++) {
    const [word = '', value] = [words[at], words[at + 1]]
    if (word === '--read-only') continue
    if (!valued.has(word)) {
      // a value of a flag of the library stands behind it
      if (word.startsWith('-') || rest.length > 0) rest.push(word)
      else directories.push(word)
      continue
    }
    if (value === undefined) throw new Error(`Cannot start: "${word}" takes a value\n\n${githubUsage}`)
    at++
    if (word === '--repo') repos.push(value)
    if (word === '--outsiders') outsiders = value
    if (word === '--api') apiUrl = value
  }
  if (outsiders !== 'mark' && outsiders !== 'hide')
    throw new Error(`Cannot start: "--outsiders ${outsiders}" is neither mark nor hide`)
  if (apiUrl !== undefined && !isSafeUrl(apiUrl))
    throw new Error(`Cannot start: "${apiUrl}" is no address of GitHub; it begins with https://`)
  return {
    options: {
      directories: directories.length === 0 ? [cwd] : directories,
      repos,
      outsiders,
      readOnly: words.includes('--read-only'),
      ...(apiUrl !== undefined && { apiUrl }),
    },
    rest,
  }
}

/** True for an address that a token may go to: encrypted, or on this machine. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}
