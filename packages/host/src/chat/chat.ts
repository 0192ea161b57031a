import type { Client, Fields } from '@trunkline/mcp'
import { estimateTokens, tokensOf } from '../model/estimate-tokens.ts'
import { ModelError } from '../model/model-error.ts'
import type { ModelContent, ModelTool, ModelToolCall } from '../model/model-request.ts'
import { type ChatLimits, resolveChatLimits } from './chat-limits.ts'
import type { ChatModel } from './chat-model.ts'
import { chooseTools } from './choose-tools.ts'
import type { ChatEntry, PersonPart } from './entry.ts'
import type { ChatEvent } from './event.ts'
import type { ChatSkills, OfferedSkill } from './offered-skills.ts'
import { readSkill, readSkillName, readSkillTool } from './read-skill.ts'
import { runCalls } from './run-calls.ts'
import { markedInstructions, type ServerInstructions } from './server-instructions.ts'
import { fittingSkills, markedSkills } from './skill-list.ts'
import { toMessages } from './to-messages.ts'
import { trim, trimRule } from './trim.ts'
import { type UntrustedMark, untrustedMark } from './untrusted.ts'

/** Dependencies and options of a conversation. */
export interface ChatOptions {
  /** Client of the gateway, or of any server; its tools are those of the model. */
  readonly client: Pick<Client, 'tools'>
  readonly model: ChatModel
  /** The server of a tool, to share the places among servers and to name those left out. @default not known */
  serverOf?(tool: string): string | undefined
  /** System prompt. @default that it helps a person with the tools */
  readonly system?: string
  /** Instructions of servers about the use of their tools, read before each request. @default none */
  instructions?(): readonly ServerInstructions[]
  /** Skills that the model may read. @default none */
  readonly skills?: ChatSkills
  readonly limits?: ChatLimits
  /** Earlier entries. @default none */
  readonly entries?: readonly ChatEntry[]
  /** Called with every new entry, in order; the next waits for it. */
  onEntry?(entry: ChatEntry): Promise<void> | void
}

const usualSystem =
  'You help a person with the tools of their servers. Some calls wait for their approval, and they may refuse them: ' +
  'then do not try again in another way. Say what you did.'

/**
 * A conversation between a person and a model that uses tools. It calls as any client does: the server of the tools
 * decides what may run.
 */
export class Chat {
  readonly #options: ChatOptions
  readonly #limits: Required<ChatLimits>
  readonly #entries: ChatEntry[]
  #leftOut = 0
  /** Skills offered to the model at the moment. */
  #offered: readonly OfferedSkill[] = []
  /** Text of the answer under way. */
  #said = ''

  constructor(options: ChatOptions) {
    this.#options = options
    this.#limits = resolveChatLimits(options.limits)
    this.#entries = [...(options.entries ?? [])]
  }

  /** All entries so far. */
  get entries(): readonly ChatEntry[] {
    return this.#entries
  }

  /** Says something and lets the model answer, with the calls it wants; ends with an `end` or `failed` event. */
  async send(
    content: readonly PersonPart[],
    { signal, onEvent }: { readonly signal: AbortSignal; onEvent(event: ChatEvent): void },
  ): Promise<void> {
    await this.#add({ by: 'person', at: Date.now(), content })
    try {
      const listed = await this.#tools(signal, onEvent)
      this.#offered = await this.#skills(signal, onEvent)
      const tools = this.#offered.length === 0 ? listed : [...listed.filter(isServers), readSkillTool]
      const why = await this.#steps(tools, signal, onEvent)
      onEvent({ type: 'end', why })
    } catch (error) {
      const failure = signal.aborted ? undefined : failureOf(error)
      await this.#addBroken(failure)
      onEvent(failure ? { type: 'failed', ...failure } : { type: 'end', why: 'stopped' })
    }
  }

  async #steps(
    tools: readonly ModelTool[],
    signal: AbortSignal,
    onEvent: (event: ChatEvent) => void,
  ): Promise<Extract<ChatEvent, { type: 'end' }>['why']> {
    const { client, skills } = this.#options
    const offered = this.#offered
    const own = skills &&
      offered.length > 0 && { [readSkillName]: (args: Fields) => readSkill(args, { skills, offered }, signal) }
    for (let step = 0; step < this.#limits.maxSteps; step++) {
      const { content, stop } = await this.#ask(tools, signal, onEvent)
      const calls = content.filter((part) => part.type === 'tool call')
      if (calls.length === 0) return stop === 'length' || stop === 'filtered' ? stop : 'answered'
      const { maxCallsPerAnswer } = this.#limits
      const results = await runCalls(calls.slice(0, maxCallsPerAnswer), {
        client,
        signal,
        ...this.#limits,
        onEvent,
        ...(own && { own }),
      })
      const others = calls.slice(maxCallsPerAnswer).map(notMade)
      await this.#add({ by: 'tools', at: Date.now(), results: [...results, ...others] })
      signal.throwIfAborted()
    }
    return 'steps'
  }

  async #ask(tools: readonly ModelTool[], signal: AbortSignal, onEvent: (event: ChatEvent) => void) {
    const { model } = this.#options
    const request = this.#request(tools, onEvent)
    const onText = (text: string): void => {
      this.#said += text
      onEvent({ type: 'text', text })
    }
    const reply = await model.ask(request, { signal, onText })
    const { content, stop, tokens, cost } = reply
    await this.#add({ by: 'model', at: Date.now(), model: reply.model, content, stop, tokens, cost })
    this.#said = ''
    onEvent({ type: 'tokens', model: reply.model, tokens, cost })
    return { content, stop }
  }

  /** Adds the text of an answer that broke off, and the reason; incomplete calls are left out. */
  async #addBroken(failure: { readonly code: string; readonly message: string } | undefined): Promise<void> {
    const said = this.#said
    this.#said = ''
    const content: ModelContent[] = said === '' ? [] : [{ type: 'text', text: said }]
    const { name: model } = this.#options.model
    const tokens = { input: 0, output: tokensOf(said) }
    const how = failure ? { stop: 'failed' as const, failure } : { stop: 'stopped' as const }
    await this.#add({ by: 'model', at: Date.now(), model, content, tokens, cost: 0, ...how })
  }

  #request(tools: readonly ModelTool[], onEvent: (event: ChatEvent) => void) {
    const { model } = this.#options
    const marks = untrustedMark()
    const system = this.#system(marks)
    const fixed = estimateTokens({ system, messages: [], tools })
    const { entries, turns, results } = trim(this.#entries, model.contextTokens - model.maxOutputTokens - fixed)
    // said once, and again when it is more
    const left = turns + results
    if (left > this.#leftOut) onEvent({ type: 'trimmed', turns, results, rule: trimRule })
    this.#leftOut = left
    const note = turns > 0 ? `\n\nThe ${turns} oldest turns of this conversation are left out.` : ''
    return {
      system: system + note,
      messages: toMessages(entries, marks),
      tools,
      maxTokens: model.maxOutputTokens,
    }
  }

  /** System prompt of the next request. */
  #system(marks: UntrustedMark): string {
    const { model, system = usualSystem } = this.#options
    const maxChars = quarterOf(model, this.#limits.maxInstructionChars)
    const said = markedInstructions(this.#options.instructions?.() ?? [], { marks, maxChars })
    return [system, marks.rule, said, markedSkills(this.#offered, marks)].filter((part) => part !== '').join('\n\n')
  }

  async #tools(signal: AbortSignal, onEvent: (event: ChatEvent) => void): Promise<readonly ModelTool[]> {
    const { client, model, serverOf } = this.#options
    const all = (await client.tools.list({ signal }).all()).map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: inputSchema as Fields,
    }))
    const { tools, count, servers } = chooseTools(all, {
      maxTools: this.#limits.maxTools,
      maxTokens: model.contextTokens / 2,
      ...(serverOf && { serverOf }),
    })
    if (count > 0) onEvent({ type: 'tools left out', count, ...(servers.length > 0 && { servers }) })
    return tools
  }

  async #skills(signal: AbortSignal, onEvent: (event: ChatEvent) => void): Promise<readonly OfferedSkill[]> {
    const { model, skills } = this.#options
    const all = (await skills?.list(signal)) ?? []
    const fitting = fittingSkills(all, quarterOf(model, this.#limits.maxSkillChars))
    if (fitting.length < all.length) onEvent({ type: 'skills left out', count: all.length - fitting.length })
    return fitting
  }

  async #add(entry: ChatEntry): Promise<void> {
    this.#entries.push(entry)
    await this.#options.onEntry?.(entry)
  }
}

/** A limit of characters, and a quarter of the context window of a model: four characters are about a token. */
function quarterOf({ contextTokens }: ChatModel, maxChars: number): number {
  return Math.min(maxChars, contextTokens)
}

/** Two tools of one name would be refused by providers. */
function isServers({ name }: ModelTool): boolean {
  return name !== readSkillName
}

function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  const code = error instanceof ModelError ? error.code : 'Failed'
  return { code, message: error instanceof Error ? error.message : String(error) }
}

function notMade({ id, name }: ModelToolCall) {
  return { id, name, isError: true, content: [{ type: 'text', text: 'Too many calls at once: this one was not made' }] }
}
