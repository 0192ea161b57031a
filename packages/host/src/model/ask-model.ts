import type { Fields } from '@trunkline/mcp'
import type { FinishReason, JSONSchema7, LanguageModel, ToolSet } from 'ai'
import { ModelError } from './model-error.ts'
import type { ModelContent, ModelReply, ModelRequest, ModelStop, TokenCount } from './model-request.ts'
import { explainFailure } from './provider-failure.ts'

/** Options of a request to a model. */
export interface AskModelOptions {
  readonly signal?: AbortSignal | undefined
  /** Text as it comes. */
  onText?(text: string): void
  /** Name of the model in error messages. */
  readonly name: string
  /** Milliseconds in which something must come. @default 120_000 */
  readonly quietMs?: number
  /** Characters that an answer may have, arguments of calls included. @default 1_000_000 */
  readonly maxReplyChars?: number
  /** Retries of a request that the provider could not take. @default 2 */
  readonly maxRetries?: number
}

const defaults = { quietMs: 120_000, maxReplyChars: 1_000_000, maxRetries: 2 } as const

/** Asks a model once, streamed; calls it wants made are returned and never made here. */
export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  options: AskModelOptions,
): Promise<ModelReply> {
  const { streamText } = await loadSdk()
  const { signal, name, maxRetries = defaults.maxRetries } = options
  const watch = new QuietWatch(name, options.quietMs ?? defaults.quietMs)
  const reply = new GrowingReply(name, options)
  const tools = await toolSet(request)
  try {
    const { stream } = streamText({
      model,
      messages: [...request.messages],
      maxOutputTokens: request.maxTokens,
      maxRetries,
      abortSignal: signal ? AbortSignal.any([signal, watch.signal]) : watch.signal,
      // errors come as a part of the stream, and are thrown below
      onError: () => {},
      ...(request.system !== undefined && { instructions: request.system }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.stopSequences && { stopSequences: [...request.stopSequences] }),
      ...(tools && { tools, toolChoice: request.toolChoice ?? 'auto' }),
    })
    for await (const part of stream) {
      watch.heard()
      reply.add(part)
    }
    signal?.throwIfAborted()
    watch.signal.throwIfAborted()
    return reply.finished()
  } catch (error) {
    signal?.throwIfAborted()
    watch.signal.throwIfAborted()
    throw explainFailure(error, name)
  } finally {
    watch.stop()
  }
}

/** The AI SDK, loaded when a model is first asked. */
async function loadSdk(): Promise<typeof import('ai')> {
  // otherwise it writes to the console, which belongs to the program that runs the host
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}

async function toolSet({ tools }: ModelRequest): Promise<ToolSet | undefined> {
  if (tools === undefined || tools.length === 0) return undefined
  const { jsonSchema } = await loadSdk()
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      { ...(description !== undefined && { description }), inputSchema: jsonSchema(inputSchema as JSONSchema7) },
    ]),
  )
}

/** Aborts when nothing was heard for too long. */
class QuietWatch {
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(name: string, quietMs: number) {
    this.#timer = setTimeout(() => {
      const message = `Cannot ask the model "${name}": it said nothing for ${quietMs / 1000} s`
      this.#stop.abort(new ModelError('Quiet', message))
    }, quietMs)
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  heard(): void {
    this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** The parts of a stream that are of use here. */
type Part =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  | { readonly type: 'tool-input-delta'; readonly delta: string }
  | { readonly type: 'error'; readonly error: unknown }
  | {
      readonly type: 'finish-step'
      readonly finishReason: FinishReason
      readonly rawFinishReason: string | undefined
      readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined }
      readonly response: { readonly modelId: string }
    }

/** An answer while it comes. */
class GrowingReply {
  readonly #content: ModelContent[] = []
  readonly #name: string
  readonly #options: AskModelOptions
  #charsLeft: number
  #stop: ModelStop = 'other'
  #tokens: TokenCount = { input: 0, output: 0 }
  #model = ''

  constructor(name: string, options: AskModelOptions) {
    this.#name = name
    this.#options = options
    this.#charsLeft = options.maxReplyChars ?? defaults.maxReplyChars
  }

  add(any: { readonly type: string }): void {
    const part = any as Part
    if (part.type === 'text-delta') this.#text(part.text)
    else if (part.type === 'tool-input-delta') this.#spend(part.delta)
    else if (part.type === 'tool-call') this.#call(part)
    else if (part.type === 'error') throw part.error
    else if (part.type === 'finish-step') {
      this.#stop = stopOf(part.finishReason, part.rawFinishReason)
      this.#tokens = { input: part.usage.inputTokens ?? 0, output: part.usage.outputTokens ?? 0 }
      this.#model = part.response.modelId
    }
  }

  finished(): ModelReply {
    return { content: this.#content, stop: this.#stop, tokens: this.#tokens, model: this.#model }
  }

  #text(text: string): void {
    if (text === '') return
    this.#spend(text)
    this.#options.onText?.(text)
    const last = this.#content.at(-1)
    if (last?.type === 'text') this.#content[this.#content.length - 1] = { type: 'text', text: last.text + text }
    else this.#content.push({ type: 'text', text })
  }

  #call({ toolCallId: id, toolName: name, input }: Extract<Part, { type: 'tool-call' }>): void {
    // a value that is no object cannot be the arguments of a tool; the tool itself says so
    const isFields = typeof input === 'object' && input !== null && !Array.isArray(input)
    this.#content.push({ type: 'tool call', id, name, arguments: isFields ? (input as Fields) : { input } })
  }

  #spend(text: string): void {
    this.#charsLeft -= text.length
    if (this.#charsLeft >= 0) return
    throw new ModelError('TooLarge', `Cannot take the answer of the model "${this.#name}": it does not end`)
  }
}

function stopOf(reason: FinishReason, raw: string | undefined): ModelStop {
  if (raw === 'stop_sequence') return 'stop sequence'
  const known: { readonly [reason: string]: ModelStop } = {
    stop: 'end',
    length: 'length',
    'tool-calls': 'tool calls',
    'content-filter': 'filtered',
  }
  return known[reason] ?? 'other'
}
