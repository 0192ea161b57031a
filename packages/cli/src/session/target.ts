import type { SpawnTarget } from '@trunkline/mcp/stdio'
import { type Failure, usageFailure } from '../failure/failure.ts'

/** A server to talk to: at a URL, or a program to start. */
export type ServerTarget =
  | { readonly kind: 'url'; readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'program'; readonly program: SpawnTarget }

/** Finds the server that is configured under a name; the names there are when there is none of that one. */
export type TargetResolver = (
  name: string,
) => Promise<ServerTarget | { readonly kind: 'unknown'; readonly names: readonly string[] }>

/** Server as a command line names it. */
export interface NamedServer {
  readonly words: readonly string[]
  readonly program: readonly string[] | undefined
  readonly resolveTarget: TargetResolver
}

/** The server that a command line names, and the words that are left. */
export interface TargetAndWords {
  readonly target: ServerTarget
  readonly words: readonly string[]
}

/** Finds the server: what follows `--`, else the first word. */
export async function takeTarget({ words, program, resolveTarget }: NamedServer): Promise<TargetAndWords> {
  if (program !== undefined) {
    const [command, ...args] = program
    if (!command) throw usageFailure('Cannot start a server: nothing follows "--"', tryThis)
    return { target: { kind: 'program', program: { command, args } }, words }
  }
  const [first, ...rest] = words
  if (first === undefined) throw usageFailure('Cannot tell which server is meant: none is named', tryThis)
  const url = await serverAddress(first)
  if (url !== undefined) return { target: { kind: 'url', url }, words: rest }
  const target = await resolveTarget(first)
  if (target.kind === 'unknown') throw await noServer(first, target.names)
  return { target, words: rest }
}

const tryThis = 'Name a server by its URL (https://…), or start one: -- node server.js'

/** A word as the address of a server; undefined for one that has no scheme, and so may be a name. */
export async function serverAddress(
  word: string,
  schemes: readonly string[] = ['https', 'http', 'wss', 'ws'],
): Promise<string | undefined> {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(word) ?? []
  if (scheme === undefined) return undefined
  if (!schemes.includes(scheme.toLowerCase())) throw await wrongScheme(word, scheme, schemes)
  if (!URL.canParse(word)) throw usageFailure(`Cannot use "${word}": it is not a URL`, tryThis)
  return word
}

async function wrongScheme(word: string, scheme: string, schemes: readonly string[]): Promise<Failure> {
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const near = nearName(scheme.toLowerCase(), schemes)
  const guess = near === undefined ? '' : `; did you mean "${near}${word.slice(scheme.length)}"?`
  const known = schemes.map((one) => `${one}://`).join(', ')
  return usageFailure(
    `Cannot use "${word}": no server has an address with "${scheme}://"${guess}`,
    `There are: ${known}`,
  )
}

async function noServer(word: string, names: readonly string[]): Promise<Failure> {
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const near = nearName(word, names)
  const said = near === undefined ? guess(word) : `did you mean "${near}"?`
  const hint =
    names.length === 0 ? tryThis : `There are: ${names.join(', ')}. Or name a URL, or start one: -- node server.js`
  return usageFailure(`Cannot find a server "${word}": ${said}`, hint)
}

function guess(word: string): string {
  if (/^(?:localhost|[\w.-]+\.[a-z]{2,}|\d+(?:\.\d+){3})(?::\d+)?(?:\/|$)/i.test(word) && !/\.[cm]?[jt]s$/.test(word))
    return `did you mean "http://${word}"?`
  if (/\.[cm]?[jt]s$/.test(word)) return `to start a program, write -- node ${word}`
  if (/\.py$/.test(word)) return `to start a program, write -- python ${word}`
  return 'no server of that name is configured'
}
