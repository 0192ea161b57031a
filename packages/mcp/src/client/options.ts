import type { AnswerInput, DuringCall } from '../dialects/dialect.ts'
import type {
  ClientCapabilities,
  ElicitationRequest,
  ElicitationResult,
  Root,
  SamplingRequest,
  SamplingResult,
} from '../model/input.ts'
import type { Implementation, LogLevel, LogMessage } from '../model/types.ts'
import type { Interceptor } from '../rpc/interceptor.ts'
import type { ClientHandler } from './client-request.ts'
import type { ClientExtension } from './extension.ts'
import type { ClientLimits } from './limits.ts'

type Later<Value> = Value | Promise<Value>
type FormRequest = Extract<ElicitationRequest, { mode: 'form' }>
type UrlRequest = Extract<ElicitationRequest, { mode: 'url' }>

/** Produces model output for a server. */
export type Sampler = (request: SamplingRequest) => Later<SamplingResult>
/** Asks the user something for a server. */
export type Elicitor = (request: FormRequest) => Later<ElicitationResult>
/** Asks the user to visit a page for a server; never opens it without their consent. */
export type UrlElicitor = (request: UrlRequest) => Later<ElicitationResult>

/** What a client says of itself, answers to the server, and allows a call. */
export interface ClientOptions {
  /** Who this client is. @default trunkline and its version */
  readonly info?: Implementation
  /** The revisions to speak, of which the newest that the server speaks is taken. @default all */
  readonly revisions?: readonly string[]
  /** Answers servers that ask for model output; with `tools` it also handles requests that bring tools along. */
  readonly sampling?: Sampler | { readonly sample: Sampler; readonly tools?: boolean; readonly context?: boolean }
  /** Answers servers that ask the user: forms by a function, and pages to visit when `url` is given. */
  readonly elicitation?: Elicitor | { readonly form?: Elicitor; readonly url?: UrlElicitor }
  /** For proxies: answers everything a server may ask as it came, in place of the three options around it. */
  readonly relay?: {
    /** What is declared that the server may ask. */
    readonly capabilities: ClientCapabilities
    readonly answer: AnswerInput
  }
  /** What servers may work on. */
  readonly roots?: readonly Root[]
  /**
   * Milliseconds without an answer or a sign of life before a call is given up. All of opening the connection together has
   * as much, without the time in which a user signs in. @default 60_000
   */
  readonly timeoutMs?: number
  /** Milliseconds that a call may take altogether, and opening the connection whoever signs in. @default 600_000 */
  readonly maxTotalMs?: number
  /** Aborting calls opening off, which then rejects with the signal's own reason; it does nothing to what is open. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds to wait for an answer to the opening question before the older opening is tried as well. @default 10_000 */
  readonly probeMs?: number
  /** Put around every request; the first one is the outermost. */
  readonly use?: readonly Interceptor<ClientHandler>[]
  /** Whether results are reused as long as the server says they may be. @default true */
  readonly cache?: boolean
  /** How much of a server is taken. */
  readonly limits?: Partial<ClientLimits>
  /** The extensions to switch on. @default none */
  readonly extensions?: readonly ClientExtension[]
  /** The least severe log messages to ask the server for. @default 'info' when there is an `onLog`, else none */
  readonly logLevel?: LogLevel
  /** Log messages of the server. */
  readonly onLog?: (message: LogMessage, during: DuringCall) => void
  /** What the server does wrong but can be lived with. @default prints it to standard error */
  readonly onWarning?: (message: string) => void
}

export const clientDefaults = {
  info: { name: 'trunkline', version: '0.1.0' },
  probeMs: 10_000,
} as const
