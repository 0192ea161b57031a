import type { SamplingContent, SamplingMessage } from './input.ts'

/**
 * Finds the fault in the tool uses of a conversation: the next message must contain their results, and nothing else.
 */
export function balanceProblem(messages: readonly SamplingMessage[]): string | undefined {
  let uses: readonly string[] = []
  for (const [at, message] of messages.entries()) {
    const blocks = blocksOf(message)
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []))
    const missing = uses.find((use) => !results.includes(use))
    if (missing !== undefined) return `messages[${at}] has no result of tool use "${missing}"`
    const stray = results.find((result) => !uses.includes(result))
    if (stray !== undefined) return `messages[${at}] has a result of tool use "${stray}", which is not right before it`
    if (results.length > 0 && results.length < blocks.length)
      return `messages[${at}] has more than results of tool uses`
    uses = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  }
  return uses.length === 0 ? undefined : `no message has a result of tool use "${uses[0]}"`
}

function blocksOf({ content }: SamplingMessage): readonly SamplingContent[] {
  return 'type' in content ? [content] : content
}
