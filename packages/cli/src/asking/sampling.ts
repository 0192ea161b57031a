import { RpcError, type SamplingContent, type SamplingRequest, type SamplingResult } from '@trunkline/mcp/client'
import { visibleJson } from '../output/json.ts'
import { type Line, styled } from '../output/span.ts'
import type { TerminalQuestions } from '../terminal/questions.ts'

/** The protocol's error code for a refusal by the user. */
const userRejected = -1

/** Shows what a server wants to ask a model; the person decides, answers in the place of the model, and looks the answer over. */
export async function answerSampling(questions: TerminalQuestions, request: SamplingRequest): Promise<SamplingResult> {
  questions.say(...requestLines(request))
  if ((await questions.choice('  Answer it yourself?', ['y', 'n'])) === 'n') throw refusal()
  const text = await questions.line('  Answer:')
  if (text === undefined || text === '') throw refusal()
  if ((await questions.choice('  Send this answer?', ['y', 'n'])) === 'n') throw refusal()
  return { role: 'assistant', model: 'a person', stopReason: 'endTurn', content: { type: 'text', text } }
}

function refusal(): RpcError {
  return new RpcError(userRejected, 'The user rejected the sampling request')
}

function requestLines({ systemPrompt, messages, maxTokens, tools = [] }: SamplingRequest): readonly Line[] {
  return [
    [styled('strong', '[the server asks a model] '), `at most ${maxTokens} tokens`],
    ...(systemPrompt === undefined ? [] : [`  system: ${systemPrompt}`]),
    ...messages.flatMap(({ role, content }) => blocksOf(content).map((block) => `  ${role}: ${blockText(block)}`)),
    ...(tools.length === 0 ? [] : [`  tools: ${tools.map(({ name }) => name).join(', ')}`]),
  ]
}

function blocksOf(content: SamplingContent | readonly SamplingContent[]): readonly SamplingContent[] {
  return Array.isArray(content) ? content : [content as SamplingContent]
}

function blockText(block: SamplingContent): string {
  if (block.type === 'text') return block.text
  return block.type === 'image' || block.type === 'audio' ? `[${block.type}, ${block.mimeType}]` : visibleJson(block)
}
