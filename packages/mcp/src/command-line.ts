import { type ServeOptions, serve } from './serve.ts'
import type { Servable } from './server/connections.ts'
import { isLoopback } from './transports/http/server/guard.ts'
import { McpError } from './wire/errors.ts'
import { didYouMean } from './wire/near-name.ts'

/** Options of {@link serveFromCommandLine}. */
export interface CommandLineOptions extends Omit<ServeOptions, 'http'> {
  /** The arguments of the command line. @default process.argv.slice(2) */
  readonly args?: readonly string[]
}

/** The flags and their values. */
const flags = { http: '[host:]port', 'allowed-hosts': 'names', help: undefined } as const

type Flag = keyof typeof flags
type Given = { readonly [Name in Flag]?: string }

const help = `Serves MCP over standard input and output, which is how clients start it.

  --http [host:]port     serve over HTTP instead; the host is 127.0.0.1 unless you say another
  --allowed-hosts names  names by which clients address the server, separated by commas;
                         unless you say, those of this machine
  --help                 print this
`

/**
 * Serves over stdio, or over HTTP with `--http [host:]port`, as the command line says. Answers `--help`, and refuses
 * unknown flags. Resolves when the server has ended.
 */
export async function serveFromCommandLine(server: Servable, options: CommandLineOptions = {}): Promise<void> {
  const { args = globalThis.process?.argv.slice(2) ?? [], ...rest } = options
  const given = parsed(args)
  if (given instanceof McpError) return refuse(given)
  if (given.help !== undefined) return console.log(help.trimEnd())
  if (given.http === undefined) {
    // a program that is protected over HTTP may be started by its own user
    const { auth: _, ...local } = rest
    return serve(server, local)
  }
  const hosts = given['allowed-hosts']?.split(',').map((name) => name.trim()) ?? rest.hosts
  try {
    const running = await serve(server, { ...rest, ...(await reach(given.http, hosts)), http: given.http })
    console.error(`Serving MCP at ${running.url}`)
    await running.whenClosed
  } catch (error) {
    if (!(error instanceof McpError) || error.code !== 'Misuse') throw error
    refuse(error)
  }
}

/** The allowed host names of a server that listens on every address: the names and addresses of this machine. */
async function reach(http: string, hosts: ServeOptions['hosts']): Promise<Pick<ServeOptions, 'hosts'>> {
  if (hosts !== undefined) return { hosts }
  const { ownHosts } = await import('#node')
  const [, host = '127.0.0.1'] = /^\[?(.+?)\]?:\d+$/.exec(http) ?? []
  if (isLoopback(host)) return {}
  const own = ownHosts()
  console.error(`Others can reach this server, as ${own.join(', ')}; say --allowed-hosts for other names`)
  return { hosts: own }
}

function parsed(args: readonly string[]): Given | McpError {
  const given: { [name: string]: string } = {}
  for (let at = 0; at < args.length; at++) {
    const [word = '', value] = cut(args[at] ?? '')
    const name = word === '-h' ? 'help' : word.slice(2)
    if (!word.startsWith('-')) return misuse(`"${word}" is not a flag`)
    if (!isFlag(name)) return misuse(`there is no flag "${word}"${suggestion(word)}`)
    const takes = flags[name]
    if (takes === undefined && value !== undefined) return misuse(`"${word}" takes nothing`)
    const next = value ?? (takes === undefined ? '' : args[++at])
    if (takes !== undefined && (next === undefined || next === '' || next.startsWith('--')))
      return misuse(`"${word}" takes ${takes}`)
    given[name] = next ?? ''
  }
  if (given['allowed-hosts'] !== undefined && given.http === undefined)
    return misuse('"--allowed-hosts" is for "--http"')
  return given
}

/** Splits `--name=value`. */
function cut(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=')
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function isFlag(name: string): name is Flag {
  return Object.hasOwn(flags, name)
}

function suggestion(word: string): string {
  const names = Object.keys(flags).map((name) => `--${name}`)
  return didYouMean(word, names)
}

function misuse(problem: string): McpError {
  return new McpError('Misuse', `Cannot start: ${problem}`)
}

function refuse({ message }: McpError): void {
  console.error(`${message}\n\n${help.trimEnd()}`)
  process.exitCode = 2
}
