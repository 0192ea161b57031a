import type { ElicitationRequest, ElicitationResult } from '@trunkline/mcp/client'
import { styled } from '../output/span.ts'
import type { TerminalQuestions } from '../terminal/questions.ts'
import { pageLines } from './page-address.ts'

type PageRequest = Extract<ElicitationRequest, { mode: 'url' }>

/** Shows a page that the server wants visited, with the host it really is on; nothing is opened. */
export async function visitPage(
  questions: TerminalQuestions,
  { message, url }: PageRequest,
): Promise<ElicitationResult> {
  questions.say(
    [styled('strong', '[the server asks you to visit a page] '), message],
    ['  ', styled('name', url)],
    ...pageLines(url),
  )
  const letter = await questions.choice('  Open it in a browser. y: I have, n: I will not, c: not now', ['y', 'n', 'c'])
  if (letter === 'y') return { action: 'accept' }
  return { action: letter === 'n' ? 'decline' : 'cancel' }
}
