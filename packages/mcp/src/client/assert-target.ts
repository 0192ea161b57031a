import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { isObject } from '../wire/messages.ts'

const wanted = 'give a URL, { command, args } of a program to start, a server of this process, or a channel'

/** Refuses an invalid target, and says what was expected. */
export function assertTarget(target: unknown): void {
  if (typeof target === 'string' || target instanceof URL) {
    if (!isServerUrl(String(target))) throw misuse(JSON.stringify(String(target)), noUrl(String(target)))
    return
  }
  if (typeof target === 'function') return
  const { command, answering, open } = isObject(target) ? target : {}
  if (typeof command === 'string' || typeof answering === 'function' || typeof open === 'function') return
  throw misuse(kindOf(target), noTarget(target))
}

function noTarget(target: unknown): string {
  if (!isObject(target)) return wanted
  if (typeof target.then === 'function') return 'await it first'
  if (typeof target.url === 'string') return `give the URL itself, as in connect(${JSON.stringify(target.url)})`
  if ('command' in target) return `its "command" must be a string, not ${kindOf(target.command)}`
  return wanted
}

function misuse(shown: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot connect to ${shown}: ${problem}`)
}

/** True if a text is the URL of a server. */
function isServerUrl(text: string): boolean {
  return URL.canParse(text) && protocols.has(new URL(text).protocol)
}

const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:'])

const interpreters: readonly [file: RegExp, command: string][] = [
  [/\.[cm]?[jt]s$/, 'node'],
  [/\.py$/, 'python3'],
]

function noUrl(text: string): string {
  if (text.trim() === '') return wanted
  if (/^(?:localhost|[\w-]+(?:\.[\w-]+)+|\d+(?:\.\d+){3}|\[[\da-f:]+\])(?::\d+)?(?:\/|$)/i.test(text) && !isFile(text))
    return `it is not a URL; did you mean "http://${text}"?`
  const [program = '', ...args] = words(text)
  const command = JSON.stringify(program)
  const list = args.map((word) => JSON.stringify(word)).join(', ')
  return `it is no http, https, ws or wss URL; to start a program, give { command: ${command}, args: [${list}] }`
}

const isFile = (text: string): boolean => interpreters.some(([file]) => file.test(text))

function words(text: string): readonly string[] {
  const path = text.replace(/^file:\/\//, '')
  const parts = path.trim().split(/\s+/)
  if (parts.length > 1) return parts
  const [, command] = interpreters.find(([file]) => file.test(path)) ?? []
  return command === undefined ? parts : [command, path]
}
