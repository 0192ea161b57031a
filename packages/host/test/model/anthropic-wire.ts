/** Requests and streams as Anthropic's messages have them. */
import type { IncomingHttpHeaders } from 'node:http'
import { providerKey, type ScriptedReply } from './scripted-provider.ts'

interface Message {
  readonly role: string
  readonly content: string | readonly { readonly type: string; readonly id?: string; readonly tool_use_id?: string }[]
}

/** Problem of a request, as the real endpoint would report it. */
export function anthropicProblem(
  headers: IncomingHttpHeaders,
  body: { readonly [field: string]: unknown },
): { readonly status: number; readonly message: string } | undefined {
  if (headers['x-api-key'] !== providerKey) return { status: 401, message: 'invalid x-api-key' }
  if (headers['anthropic-version'] === undefined) return { status: 400, message: 'anthropic-version is required' }
  if (!Number.isInteger(body.max_tokens)) return { status: 400, message: 'max_tokens: Field required' }
  if (body.stream !== true) return { status: 400, message: 'this script only streams' }
  const messages = body.messages as readonly Message[]
  if (messages[0]?.role !== 'user') return { status: 400, message: 'messages: first message must use the "user" role' }
  let open = new Set<string>()
  for (const { role, content } of messages) {
    const blocks = typeof content === 'string' ? [] : content
    for (const { type, tool_use_id: id = '' } of blocks) {
      if (type === 'tool_result' && !open.delete(id)) return { status: 400, message: 'tool_result without tool_use' }
    }
    if (open.size > 0) return { status: 400, message: `tool_use ids were found without tool_result: ${[...open]}` }
    if (role === 'assistant') open = new Set(blocks.flatMap((one) => (one.type === 'tool_use' ? [one.id ?? ''] : [])))
  }
  return open.size > 0 ? { status: 400, message: 'tool_use without tool_result' } : undefined
}

/** A reply as events of a stream. */
export function anthropicStream(reply: Exclude<ScriptedReply, string | { status: number }>): readonly string[] {
  const { text = [], calls = [], stop, tokens = { input: 10, output: 5 }, thenHang } = reply
  const event = (value: { readonly type: string }): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
  const start = {
    type: 'message_start',
    message: {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'scripted-1',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: tokens.input, output_tokens: 0 },
    },
  }
  const blocks: { readonly block: object; readonly deltas: readonly object[] }[] = []
  if (text.length > 0) {
    blocks.push({
      block: { type: 'text', text: '' },
      deltas: text.map((piece) => ({ type: 'text_delta', text: piece })),
    })
  }
  for (const { id, name, arguments: args } of calls) {
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(args) }
    blocks.push({ block: { type: 'tool_use', id, name, input: {} }, deltas: [delta] })
  }
  const parts = blocks.flatMap(({ block, deltas }, index) => [
    event({ type: 'content_block_start', index, content_block: block } as { type: string }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta } as { type: string })),
    event({ type: 'content_block_stop', index } as { type: string }),
  ])
  const reason = stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn')
  const end = {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: reason === 'stop_sequence' ? 'END' : null },
    usage: { output_tokens: tokens.output },
  }
  return [event(start), ...parts, ...(thenHang ? [] : [event(end), event({ type: 'message_stop' })])]
}
