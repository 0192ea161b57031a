/** Requests and streams as OpenAI's chat completions have them. */
import type { IncomingHttpHeaders } from 'node:http'
import { providerKey, type ScriptedReply } from './scripted-provider.ts'

interface Message {
  readonly role: string
  readonly content?: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[]
}

/** Problem of a request, as the real endpoint would report it. */
export function openaiProblem(
  { authorization }: IncomingHttpHeaders,
  body: { readonly [field: string]: unknown },
): { readonly status: number; readonly message: string } | undefined {
  if (authorization !== `Bearer ${providerKey}`) {
    return { status: 401, message: `Incorrect API key provided: ${authorization?.slice(7)}` }
  }
  if (typeof body.model !== 'string') return { status: 400, message: 'model is required' }
  if (body.stream !== true) return { status: 400, message: 'this script only streams' }
  const open = new Set<string>()
  for (const message of body.messages as readonly Message[]) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) return { status: 400, message: 'tool result without a tool call' }
    } else if (open.size > 0) return { status: 400, message: 'a tool call has no result' }
    for (const { id, function: called } of message.tool_calls ?? []) {
      JSON.parse(called.arguments)
      open.add(id)
    }
  }
  return open.size > 0 ? { status: 400, message: 'a tool call has no result' } : undefined
}

/** A reply as events of a stream. */
export function openaiStream(reply: Exclude<ScriptedReply, string | { status: number }>): readonly string[] {
  const { text = [], calls = [], stop, tokens = { input: 10, output: 5 }, thenHang } = reply
  const chunk = (delta: object, more: object = {}) => ({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted-1',
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
  })
  const said = text.map((piece) => chunk({ role: 'assistant', content: piece }))
  const called = calls.flatMap(({ id, name, arguments: args }, index) => {
    const whole = JSON.stringify(args)
    const half = Math.ceil(whole.length / 2)
    return [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: whole.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: whole.slice(half) } }] }),
    ]
  })
  const end = chunk({}, { finish_reason: stop ?? (calls.length > 0 ? 'tool_calls' : 'stop') })
  const usage = {
    ...chunk({}),
    choices: [],
    usage: {
      prompt_tokens: tokens.input,
      completion_tokens: tokens.output,
      total_tokens: tokens.input + tokens.output,
    },
  }
  const events = [...said, ...called, ...(thenHang ? [] : [end, usage])].map(
    (one) => `data: ${JSON.stringify(one)}\n\n`,
  )
  return thenHang ? events : [...events, 'data: [DONE]\n\n']
}
