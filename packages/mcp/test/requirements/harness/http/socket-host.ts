import { serveHttp } from '../../../../src/node.ts'
import { definitionOf, type Host, zero } from './host.ts'

/** Serves a fixture over WebSocket. */
export async function socketHost(fixture: string): Promise<Host> {
  const definition = await definitionOf(fixture)
  const { url, close } = await serveHttp(definition, { websocket: true })
  return { url: url.replace('http', 'ws'), settled: () => zero(() => definition.live), close }
}
