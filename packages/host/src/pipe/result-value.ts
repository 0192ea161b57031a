import type { Fields } from '@trunkline/mcp'
import type { PlannedTool } from './check-plan.ts'
import type { CallStep } from './plan.ts'

/** The value of a tool's result for later steps; throws with words for a person when it is not there. */
export function resultValue({ result }: CallStep, { outputSchema }: PlannedTool, given: Fields): unknown {
  const form = result ?? (outputSchema === undefined ? 'text' : 'structured')
  if (form === 'content') return given.content
  if (form === 'structured') {
    if (given.structuredContent === undefined) throw new Error('the result has no structured content')
    return given.structuredContent
  }
  const text = resultText(given)
  if (form === 'text') return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the result is no JSON, and the step says that it is')
  }
}

/** The text of a result. */
export function resultText({ content }: Fields): string {
  const blocks = Array.isArray(content) ? (content as readonly Fields[]) : []
  return blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
}
