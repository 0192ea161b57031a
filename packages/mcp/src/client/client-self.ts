import type { AnswerInput, ClientSide } from '../dialects/dialect.ts'
import type { Root } from '../model/input.ts'
import { severityOf } from '../model/log-level.ts'
import type { LogLevel } from '../model/types.ts'
import { answerInput, capabilitiesOf } from './answer-input.ts'
import type { ClientLimits } from './client-limits.ts'
import { type ClientOptions, clientDefaults } from './client-options.ts'
import { ClientExtensions } from './enabled-extensions.ts'

/** The client as dialects see it, with its mutable settings. */
export interface ClientSelf extends ClientSide {
  setLogLevel(level: LogLevel): void
  setRoots(roots: readonly Root[]): void
  warn(message: string): void
  readonly extensions: ClientExtensions
  /** Answers the requests of a server, without extensions. */
  readonly plainAnswer: AnswerInput
}

export function clientSelf(options: ClientOptions, limits: ClientLimits): ClientSelf {
  let { logLevel = options.onLog && 'info', roots } = options
  const { onWarning = (message: string) => console.warn(message) } = options
  if (logLevel !== undefined) severityOf(logLevel)
  const extensions = new ClientExtensions(options.extensions ?? [], { warn: onWarning })
  const plainAnswer = options.relay?.answer ?? answerInput(options, () => roots)
  return {
    extensions,
    plainAnswer,
    info: options.info ?? clientDefaults.info,
    capabilities: extensions.declared(options.relay?.capabilities ?? capabilitiesOf(options)),
    answer: extensions.answering(plainAnswer),
    maxInputRoundsPerCall: limits.maxInputRoundsPerCall,
    relays: options.relay !== undefined,
    logLevel: () => logLevel,
    warn: onWarning,
    setLogLevel(level) {
      severityOf(level)
      logLevel = level
    },
    setRoots(changed) {
      roots = changed
    },
  }
}
