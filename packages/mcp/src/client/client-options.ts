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
import type { ClientLimits } from './client-limits.ts'
import type { ClientHandler } from './client-request.ts'
import type { ClientExtension } from './extension.ts'

type Later<Value> = Value | Promise<Value>
type FormRequest = Extract<ElicitationRequest, { mode: 'form' }>
type UrlRequest = Extract<ElicitationRequest, { mode: 'url' }>

/** Produces model output for a server. */
export type Sampler = (request: SamplingRequest) => Later<SamplingResult>
/** Asks the user something for a server. */
export type Elicitor = (request: FormRequest) => Later<ElicitationResult>
/** Asks the user to visit a page for a server; never opens it without their consent. */
export type UrlElicitor = (request: UrlRequest) => Later<ElicitationResult>

/** Options of every client. */
export interface ClientOptions {
  /** The client's name and version. @default trunkline and its version */
  readonly info?: Implementation
  /** The revisions to offer; the newest common one is used. @default all */
  readonly revisions?: readonly string[]
  /** Answers sampling requests; with `tools` also those that contain tools. */
  readonly sampling?: Sampler | { readonly sample: Sampler; readonly tools?: boolean; readonly context?: boolean }
  /** Answers elicitation requests: forms, and URLs when `url` is given. */
  readonly elicitation?: Elicitor | { readonly form?: Elicitor; readonly url?: UrlElicitor }
  /** For proxies: answers every request of the server unchanged, instead of `sampling`, `elicitation` and `roots`. */
  readonly relay?: {
    /** The declared capabilities. */
    readonly capabilities: ClientCapabilities
    readonly answer: AnswerInput
  }
  /** The roots that the server may work on. */
  readonly roots?: readonly Root[]
  /**
   * Milliseconds without an answer or progress before a call times out; also the time for opening the connection,
   * without sign-in. @default 60_000
   */
  readonly timeoutMs?: number
  /** Milliseconds that a call may take in total, and opening the connection including sign-in. @default 600_000 */
  readonly maxTotalMs?: number
  /** Aborts connecting, which then rejects with the signal's reason; has no effect on an open connection. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds to wait for the answer to `server/discover` before the handshake is tried as well. @default 10_000 */
  readonly probeMs?: number
  /** Interceptors around every request; the first one is the outermost. */
  readonly use?: readonly Interceptor<ClientHandler>[]
  /** Caches results for as long as the server allows. @default true */
  readonly cache?: boolean
  /** Limits of a client. */
  readonly limits?: Partial<ClientLimits>
  /** The extensions to enable. @default none */
  readonly extensions?: readonly ClientExtension[]
  /** The minimum level of log messages. @default 'info' when there is an `onLog`, else none */
  readonly logLevel?: LogLevel
  /** Log messages of the server. */
  readonly onLog?: (message: LogMessage, during: DuringCall) => void
  /** Receives warnings about faults of the server that do not fail a call. @default prints it to standard error */
  readonly onWarning?: (message: string) => void
}

export const clientDefaults = {
  info: { name: 'trunkline', version: '0.1.0' },
  probeMs: 10_000,
} as const
