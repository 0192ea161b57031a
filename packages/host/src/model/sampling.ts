import { type Fields, InvalidParams, RpcError, type SamplingContent, type SamplingRequest } from '@trunkline/mcp'
import type { AssistantModelMessage, ModelMessage, ToolResultPart } from 'ai'
import { contentPart, toolOutput } from './content-parts.ts'
import type { ModelReply, ModelRequest, ModelStop } from './model-request.ts'
import { type ToolNames, toolNames } from './tool-names.ts'

/** A sampling request for a model, and how its answer becomes one of the protocol. */
export interface SamplingTranslation {
  readonly request: ModelRequest
  answer(reply: ModelReply): Fields
}

/** Translates a sampling request of any revision. */
export function translateSampling(sampling: SamplingRequest): SamplingTranslation {
  const { systemPrompt, messages, maxTokens, temperature, stopSequences, tools = [], toolChoice } = sampling
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('"messages" is empty')
  if (!Number.isInteger(maxTokens) || maxTokens < 1) throw invalid('"maxTokens" is no number of tokens')
  const names = toolNames(tools.map(({ name }) => name))
  const request: ModelRequest = {
    system: systemPrompt,
    messages: translated(messages, names),
    maxTokens,
    temperature,
    stopSequences,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name: names.toModel(name),
        description,
        inputSchema: inputSchema as Fields,
      })),
      toolChoice: toolChoice?.mode,
    }),
  }
  return { request, answer: (reply) => answerOf(reply, names) }
}

function invalid(problem: string): RpcError {
  return new RpcError(InvalidParams, `Cannot sample: ${problem}`)
}

/** Results of tools are messages of their own for a model, and know the name of their tool. */
function translated(messages: SamplingRequest['messages'], names: ToolNames): ModelMessage[] {
  const called = new Map<string, string>()
  return messages.flatMap(({ role, content }): ModelMessage[] => {
    const blocks = Array.isArray(content) ? (content as readonly SamplingContent[]) : [content as SamplingContent]
    for (const block of blocks) if (block.type === 'tool_use') called.set(block.id, names.toModel(block.name))
    if (role === 'assistant') return [{ role, content: blocks.map((block) => assistantPart(block, names)) }]
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [resultPart(block, called)] : []))
    const others = blocks.filter((block) => block.type !== 'tool_result').map((block) => contentPart({ ...block }))
    return [
      ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
      ...(others.length > 0 ? [{ role: 'user' as const, content: others }] : []),
    ]
  })
}

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]

function assistantPart(block: SamplingContent, names: ToolNames): AssistantPart {
  if (block.type !== 'tool_use') return contentPart({ ...block })
  return { type: 'tool-call', toolCallId: block.id, toolName: names.toModel(block.name), input: block.input }
}

function resultPart(
  { toolUseId, content, structuredContent, isError = false }: Extract<SamplingContent, { type: 'tool_result' }>,
  called: ReadonlyMap<string, string>,
): ToolResultPart {
  const toolName = called.get(toolUseId)
  if (toolName === undefined) throw invalid(`the tool result "${toolUseId}" belongs to no tool use`)
  const blocks: readonly Fields[] = (content ?? []).map((block) => ({ ...block }))
  const told = blocks.length > 0 ? blocks : [{ type: 'text', text: JSON.stringify(structuredContent ?? {}) }]
  return { type: 'tool-result', toolCallId: toolUseId, toolName, output: toolOutput(told, isError) }
}

const stopReasons: { readonly [Stop in ModelStop]: string } = {
  end: 'endTurn',
  length: 'maxTokens',
  'tool calls': 'toolUse',
  'stop sequence': 'stopSequence',
  filtered: 'contentFilter',
  other: 'endTurn',
}

/** Revisions without tools know one block alone, and without tools there is only one. */
function answerOf({ content, stop, model }: ModelReply, names: ToolNames): Fields {
  const blocks = content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'tool_use', id: part.id, name: names.fromModel(part.name), input: part.arguments },
  )
  const [only = { type: 'text', text: '' }, another] = blocks
  return { role: 'assistant', content: another === undefined ? only : blocks, model, stopReason: stopReasons[stop] }
}
