import type { ClientHandler, ClientRequest } from '../../../client/client-request.ts'
import type { ClientHost, ClientPart } from '../../../client/extension.ts'
import { partialResults } from '../../../client/partial-results.ts'
import type { ToolTypes } from '../../../model/server-types.ts'
import { McpError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import type { Requirements } from '../server/requirements.ts'
import type { Updates } from '../server/updates.ts'
import type { SettingReport } from '../setting-report.ts'
import { contractId, resultTermsOf } from '../terms.ts'
import { checkContractCallOptions, contractCallOptions } from './check-options.ts'
import type { ContractCallOptions, Preview } from './contract-call-options.ts'
import { ExpectedTools } from './expected-tools.ts'
import { withRepeats } from './repeats.ts'
import { readSettings } from './settings.ts'
import { type SignalTarget, sendSignal } from './signals.ts'
import { type SpilledResult, spilledResult } from './spilled-result.ts'
import { UnvaryingResults } from './unvarying-results.ts'

/** Additions of the contract to the tools of a client. */
export interface ContractTools<Types extends ToolTypes> {
  /** Lists the effects that a call would have, without calling. */
  preview<Name extends keyof Types & string>(name: Name, input: Types[Name]['input']): Promise<Preview>
  /** Sends a signal to a running call: by its `handle`, or by its task. */
  signal(target: SignalTarget, signal: string): Promise<void>
  /** All of a result that was too large to answer with; undefined where it was not. */
  spilled(result: object): SpilledResult | undefined
}

/** Additions of the contract to a client. */
export interface ContractClient {
  /** Needs of the server, as it declares them. */
  readonly requires: Requirements | undefined
  /** The way the program of the server is updated, as it declares it. */
  readonly updates: Updates | undefined
  /** The settings of the server, and where each came from. */
  settings(): Promise<readonly SettingReport[]>
}

/** The client side of the contract. */
export function contractClient(): ClientPart {
  return {
    callOptions: contractCallOptions,
    connected: (host) => {
      const expected = new ExpectedTools(host)
      const unvarying = new UnvaryingResults(host, expected)
      const parts = { host, expected, unvarying }
      return {
        outermost: true,
        intercept: (next) => (request) =>
          request.method === 'tools/call' ? call(parts, request, next) : next(request),
        notified: (method) => {
          if (method !== 'notifications/tools/list_changed') return
          expected.forget()
          unvarying.forget()
        },
        tools: {
          preview: (name: string, input: Fields) => preview(host, name, input),
          signal: async (target: SignalTarget, signal: string) => {
            assertKept(host, `send signal "${signal}"`)
            await sendSignal(host, target, signal)
          },
          spilled: (result: object) => spilledResult(host, result),
        },
        client: {
          requires: declared<Requirements>(host, 'requires'),
          updates: declared<Updates>(host, 'updates'),
          settings: () => readSettings(host),
        },
      }
    },
  }
}

interface ContractParts {
  readonly host: ClientHost
  readonly expected: ExpectedTools
  readonly unvarying: UnvaryingResults
}

const termNames = [
  'want',
  'deadlineMs',
  'deadline',
  'idempotencyKey',
  'plan',
  'expects',
  'cwd',
  'handle',
  'maxAgeMs',
  'dryRun',
] as const

/** Makes a call; one that asks for nothing is sent as it is. */
function call(parts: ContractParts, request: ClientRequest, next: ClientHandler): Promise<Fields> {
  const options = request.options as Partial<ContractCallOptions> & { readonly dryRun?: unknown }
  for (const name of termNames) if (options[name] !== undefined) return callWithTerms(parts, request, next)
  return next(request).then(shown)
}

async function callWithTerms(parts: ContractParts, request: ClientRequest, next: ClientHandler): Promise<Fields> {
  const options = request.options as Partial<ContractCallOptions>
  checkContractCallOptions(options)
  const call = () => callOnTerms(parts, request, next)
  return options.maxAgeMs === undefined ? call() : parts.unvarying.answer(request, call)
}

async function callOnTerms(
  { host, expected }: ContractParts,
  request: ClientRequest,
  next: ClientHandler,
): Promise<Fields> {
  const options = request.options as Partial<ContractCallOptions>
  const deadlineMs = options.deadlineMs ?? (options.deadline && options.deadline.getTime() - Date.now())
  if (deadlineMs !== undefined && !(deadlineMs > 0))
    throw new McpError('Timeout', 'Cannot call the tool: its deadline has passed', { outcome: 'NotSent' })
  if (options.plan !== undefined) assertKept(host, 'hold the call to its plan', ', and would run it all the same')
  const key = options.idempotencyKey === true ? crypto.randomUUID() : options.idempotencyKey
  const terms = {
    ...(options.want && { want: options.want }),
    ...(deadlineMs !== undefined && { deadlineMs: deadlineForServer(deadlineMs) }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(options.plan !== undefined && { plan: options.plan }),
    ...(options.expects && { expects: await expected.hashFor(options.expects) }),
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.handle !== undefined && { handle: options.handle }),
  }
  const asked = Object.keys(terms).length > 0 ? withTerms(request, terms, deadlineMs) : request
  // a server that does not keep the contract runs a repeated call again
  const isSafe = key !== undefined && declaredBy(host) !== undefined
  return shown(await withRepeats(asked, next, { isSafe, attempts: options.attempts, deadlineMs }))
}

/** The result with what it says beside its content as members. */
function shown(result: Fields): Fields {
  const told = resultTermsOf(result)
  if (!told) return result
  const all = { ...told, ...result }
  if (told.leftOut) partialResults.add(all)
  return all
}

/** Longest time that is kept for the answer of a server that gave up. */
const maxMarginMs = 500

/** A fifth less than this side waits, so that the server gives up first and its answer still arrives. */
function deadlineForServer(deadlineMs: number): number {
  return Math.max(1, Math.floor(deadlineMs - Math.min(maxMarginMs, deadlineMs / 5)))
}

function withTerms(
  { method, params, options }: ClientRequest,
  terms: Fields,
  deadlineMs: number | undefined,
): ClientRequest {
  return {
    method,
    params: { ...params, _meta: { ...(params._meta as Fields | undefined), [contractId]: terms } },
    options:
      deadlineMs === undefined
        ? options
        : { ...options, maxTotalMs: Math.min(options.maxTotalMs ?? deadlineMs, deadlineMs) },
  }
}

async function preview(host: ClientHost, name: string, input: Fields): Promise<Preview> {
  assertKept(host, `preview "${name}"`, ', and would run it')
  const meta = { [contractId]: { dryRun: true } }
  const result = await host.request('tools/call', { name, arguments: input, _meta: meta })
  const { effects, plan } = resultTermsOf(result) ?? {}
  if (result.isError === true)
    throw new McpError('Unsupported', `Cannot preview "${name}": ${textOf(result)}`, { outcome: 'NotSent' })
  if (effects === undefined || plan === undefined)
    throw new McpError('InvalidResponse', `Cannot use the preview of "${name}": the server sent none`, {
      outcome: 'Unknown',
    })
  return { effects, plan }
}

/** Text of a failed call. */
function textOf({ content }: Fields): string {
  const blocks = Array.isArray(content) ? (content as readonly Fields[]) : []
  return blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join(' ')
}

/** Refuses what only a server that keeps the contract can do. */
function assertKept(host: ClientHost, action: string, otherwise = ''): void {
  if (declaredBy(host) !== undefined) return
  throw new McpError('Unsupported', `Cannot ${action}: the server does not keep the contract${otherwise}`, {
    outcome: 'NotSent',
  })
}

function declared<Declaration>(host: ClientHost, name: string): Declaration | undefined {
  const value = declaredBy(host)?.[name]
  return isObject(value) ? (value as Declaration) : undefined
}

/** Declarations of the server about the contract; undefined where it does not keep it. */
function declaredBy({ capabilities }: ClientHost): Fields | undefined {
  const settings = (capabilities.extensions as Fields | undefined)?.[contractId]
  return isObject(settings) ? settings : undefined
}
