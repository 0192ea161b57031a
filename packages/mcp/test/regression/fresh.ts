import { type Server, type ServerOptions, server } from '@trunkline/mcp'
import { tracked } from '../no-leaks.ts'

/** A server without anything, that keeps its complaints, and of which nothing may be left at the end of the file. */
export function fresh(options: Partial<ServerOptions> = {}): Server {
  return tracked(server({ name: 'test', version: '1.0.0', onWarning: () => {}, onError: () => {}, ...options }))
}
