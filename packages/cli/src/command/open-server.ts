import type { Client, ClientOptions, LogLevel } from '@trunkline/mcp/client'
import { answersOf } from '../asking/answers.ts'
import { usageFailure } from '../failure/failure.ts'
import { logLine } from '../output/log-line.ts'
import { openSession, type ServerSessionOptions } from '../session/session.ts'
import { type ServerTarget, takeTarget } from '../session/target.ts'
import type { Invocation } from './command.ts'
import type { serverOptions } from './shared-options.ts'

/** A server that a command talks to, and the words of the command line that are not about which. */
export interface OpenServer extends AsyncDisposable {
  readonly client: Client
  readonly words: readonly string[]
}

/** Connects to the server that a command line names. */
export async function openServer(
  invocation: Invocation<typeof serverOptions>,
  client: ServerSessionOptions['client'] = {},
): Promise<OpenServer> {
  const { options, output, signal, onWire } = invocation
  if (invocation.client) return { client: invocation.client, words: invocation.words, async [Symbol.asyncDispose]() {} }
  const { target, words } = await takeTarget(invocation)
  const connection = await openSession({
    target: completed(target, options),
    revision: options.revision,
    timeoutMs: timeoutOf(options.timeout),
    signal,
    onWire,
    onWarning: (message) => output.warn(message),
    onStderr: invocation.onStderr ?? (options.stderr ? (text) => output.note(text.replace(/\n$/, '')) : undefined),
    auth: await authorizerFor(invocation),
    client: { ...answersOf({ ...invocation, given: options.answer }), ...logsOf(invocation), ...client },
  })
  return { client: connection, words, [Symbol.asyncDispose]: () => connection.close() }
}

/** Authorizer for a server at a URL: sends the kept tokens, and signs in if the terminal is interactive. */
async function authorizerFor({ options, output, terminal, words, program }: Invocation<typeof serverOptions>) {
  const isUrl = program === undefined && /^https?:/i.test(words[0] ?? '')
  const hasToken = options.header?.some((header) => /^authorization\s*:/i.test(header))
  if (!isUrl || hasToken) return undefined
  const { terminalSignIn } = await import('../session/sign-in.ts')
  return terminalSignIn({ output, isInteractive: terminal.isInteractive, trusted: options.trust })
}

function logsOf({ options, output }: Invocation<typeof serverOptions>): Pick<ClientOptions, 'logLevel' | 'onLog'> {
  if (options.log === undefined) return {}
  return { logLevel: options.log as LogLevel, onLog: (message) => output.note(logLine(message)) }
}

/** A time that was given in seconds, in milliseconds. */
export function timeoutOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined
  const ms = Math.round(Number(written) * 1000)
  if (written.trim() !== '' && ms >= 1 && ms <= maxTimeoutMs) return ms
  throw usageFailure(`Cannot use "--timeout=${written}": it takes seconds, such as 0.5 or 30`)
}

const maxTimeoutMs = 86_400_000

type Given = Invocation<typeof serverOptions>['options']

function completed(target: ServerTarget, { header = [], env = [], cwd }: Given): ServerTarget {
  if (target.kind === 'url') {
    if (env.length > 0 || cwd !== undefined) throw usageFailure('Cannot use --env or --cwd: the server is at a URL')
    return { ...target, headers: { ...target.headers, ...Object.fromEntries(header.map(headerOf)) } }
  }
  if (header.length > 0) throw usageFailure('Cannot use --header: the server is a program; give it variables by --env')
  const { program } = target
  return {
    kind: 'program',
    program: {
      ...program,
      env: { ...program.env, ...Object.fromEntries(env.map(variableOf)) },
      ...(cwd !== undefined && { cwd }),
    },
  }
}

function headerOf(written: string): [string, string] {
  const at = written.indexOf(':')
  if (at < 1) throw usageFailure(`Cannot use "--header=${written}": write it as NAME:VALUE`)
  return [written.slice(0, at).trim(), written.slice(at + 1).trim()]
}

function variableOf(written: string): [string, string] {
  const at = written.indexOf('=')
  const name = at < 0 ? written : written.slice(0, at)
  const value = at < 0 ? process.env[name] : written.slice(at + 1)
  if (value === undefined) throw usageFailure(`Cannot use "--env=${name}": ${name} is not set; write ${name}=VALUE`)
  return [name, value]
}
