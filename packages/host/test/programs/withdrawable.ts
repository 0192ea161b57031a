import type { Interceptor, ServerHandler } from '@trunkline/mcp'

const open: AbortController[] = []

/** Takes the oldest question back. */
export function release(): string {
  open.shift()?.abort(new Error('Not needed any more'))
  return 'released'
}

/**
 * The tool `withdraw` asks a question and takes it back when `release` is called. Only servers with a handshake can:
 * the others end their answer with the question.
 */
export const withdrawable: Interceptor<ServerHandler> = (next) => async (request) => {
  const { method, params, incoming } = request
  if (method !== 'tools/call' || params.name !== 'withdraw') return next(request)
  const controller = new AbortController()
  open.push(controller)
  const { signal } = controller
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
  const asked = incoming.call('elicitation/create', { message: 'Quick?', requestedSchema }, { signal })
  return asked.then(
    () => said('answered'),
    (error) => said(error === signal.reason ? 'withdrawn' : String(error)),
  )
}

function said(text: string) {
  return { content: [{ type: 'text', text }] }
}
