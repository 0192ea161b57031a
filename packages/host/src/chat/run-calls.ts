import type { Client, Fields } from '@trunkline/mcp'
import type { ModelToolCall } from '../model/model-request.ts'
import type { CallResult } from './entry.ts'
import type { ChatEvent } from './event.ts'

/** Options of the calls of a model. */
export interface RunCallsOptions {
  readonly client: Pick<Client, 'tools'>
  readonly signal: AbortSignal
  readonly maxCallsAtOnce: number
  readonly maxResultChars: number
  /** Time that a call may wait for a person. */
  readonly maxWaitMs: number
  onEvent(event: ChatEvent): void
  /** Tools of the conversation itself, by name. @default none */
  readonly own?: { readonly [name: string]: (args: Fields) => Promise<CallAnswer> }
}

/** Answer of a tool, of a server or of the conversation. */
export interface CallAnswer {
  readonly content: readonly object[]
  readonly isError?: boolean | undefined
  readonly structuredContent?: unknown
  /** Origin of the content, as shown to the model. @default the tool */
  readonly from?: string | undefined
  readonly _meta?: Fields | undefined
}

/** Makes the calls of a model, several at once; each is reported before it runs, and each has a result. */
export async function runCalls(calls: readonly ModelToolCall[], options: RunCallsOptions): Promise<CallResult[]> {
  const { onEvent, maxCallsAtOnce } = options
  for (const { id, name, arguments: args } of calls) onEvent({ type: 'call', id, name, arguments: args })
  const results = new Array<CallResult>(calls.length)
  const waiting = [...calls.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, call] = next
      const started = performance.now()
      const result = await runCall(call, options)
      const ms = Math.round(performance.now() - started)
      results[at] = { ...result, ms }
      onEvent({ type: 'result', ...result, ms })
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxCallsAtOnce, calls.length) }, work))
  return results
}

async function runCall(call: ModelToolCall, options: RunCallsOptions): Promise<CallResult> {
  const { id, name } = call
  try {
    const result = await approved(call, options)
    const content = bounded(contentOf(result), options.maxResultChars)
    const { structuredContent, from } = result
    const isKept = structuredContent !== undefined && JSON.stringify(structuredContent).length <= options.maxResultChars
    return {
      id,
      name,
      isError: result.isError === true,
      content,
      ...(from && { from }),
      ...(isKept && { structuredContent }),
    }
  } catch (error) {
    const text = options.signal.aborted ? 'The person stopped this call' : messageOf(error)
    return { id, name, isError: true, content: [{ type: 'text', text }] }
  }
}

/** A call that waits for a person is made again with the same arguments, which collects its result. */
async function approved({ id, name, arguments: args }: ModelToolCall, options: RunCallsOptions): Promise<CallAnswer> {
  const { client, signal, maxWaitMs, onEvent, own = {} } = options
  const call = Object.hasOwn(own, name) ? own[name] : undefined
  const until = Date.now() + maxWaitMs
  let told: unknown
  for (;;) {
    signal.throwIfAborted()
    // a server does not say where its result is from
    const made = call ?? (async () => ({ ...(await client.tools.call(name, args, { signal })), from: undefined }))
    const result: CallAnswer = await made(args)
    const question = result._meta?.['dev.trunkline/waiting-for-approval']
    if (typeof question !== 'string' || Date.now() >= until) return result
    if (question !== told) onEvent({ type: 'waiting', id, name, question })
    told = question
  }
}

function contentOf({ content, structuredContent }: Pick<CallAnswer, 'content' | 'structuredContent'>) {
  if (content.length > 0) return content.map((block): Fields => ({ ...block }))
  return [{ type: 'text', text: structuredContent === undefined ? '' : JSON.stringify(structuredContent) }]
}

/** A transcript keeps no more of a result than this. */
function bounded(blocks: readonly Fields[], maxChars: number): readonly Fields[] {
  let left = maxChars
  return blocks.map((block) => {
    const size = JSON.stringify(block).length
    left -= size
    if (left >= 0) return block
    const kept = Math.max(0, left + size)
    left = 0
    if (block.type !== 'text') return { type: 'text', text: `[${block.type} of ${size} characters, too large to keep]` }
    const text = String(block.text)
    return { type: 'text', text: `${text.slice(0, kept)}\n[${text.length - kept} more characters not kept]` }
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
