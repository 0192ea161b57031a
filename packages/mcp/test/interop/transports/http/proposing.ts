import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Makes a client of version 1 of the official SDK propose a revision, which it cannot be asked for. */
export function proposing(transport: Transport, protocolVersion: string): Transport {
  const { send } = transport
  transport.send = (message, options) => {
    const isFirst = 'method' in message && message.method === 'initialize'
    const sent = isFirst ? { ...message, params: { ...message.params, protocolVersion } } : message
    return send.call(transport, sent, options)
  }
  return transport
}
