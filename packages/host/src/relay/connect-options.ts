import type { ConnectOptions } from '@trunkline/mcp'
import { declaredToServers, type ServerAsks } from './server-asks.ts'

/** How the host connects to a server, so that what the server asks and logs reaches the caller it is for. */
export function connectOptions(asks: ServerAsks): ConnectOptions {
  return {
    relay: { capabilities: declaredToServers, answer: asks.answer.bind(asks) },
    logLevel: 'debug',
    onLog: (message, during) => asks.log(message, during.context),
    onWarning: () => {},
  }
}
