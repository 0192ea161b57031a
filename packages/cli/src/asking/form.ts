import type { ElicitationRequest, ElicitationResult, Fields } from '@trunkline/mcp/client'
import type { TypedArgument } from '../arguments/argument-words.ts'
import { collectArguments } from '../arguments/collect-arguments.ts'
import { describeArguments } from '../arguments/describe-arguments.ts'
import { visibleJson } from '../output/json.ts'
import { styled } from '../output/span.ts'
import type { TerminalQuestions } from '../terminal/questions.ts'
import { askField, problemWith } from './field.ts'

type FormRequest = Extract<ElicitationRequest, { mode: 'form' }>

/** Fills in a form of the server with the person at the terminal, who sees all of it before it is sent. */
export async function fillForm(questions: TerminalQuestions, request: FormRequest): Promise<ElicitationResult> {
  questions.say([styled('strong', '[the server asks] '), request.message])
  const content: { [name: string]: unknown } = {}
  for (const field of describeArguments(request.requestedSchema)) {
    const answer = await askField(questions, field)
    if (answer === 'cancelled') return { action: 'cancel' }
    if (answer !== 'left out') content[field.name] = answer.value
  }
  questions.say(...visibleJson(content, 2).split('\n'))
  const letter = await questions.choice('  Send this? y sends it, n declines, c cancels', ['y', 'n', 'c'])
  if (letter === 'y') return { action: 'accept', content }
  return { action: letter === 'n' ? 'decline' : 'cancel' }
}

/** Fills in a form with what was given on the command line; declined when that is not enough. */
export function fillFromOptions(request: FormRequest, given: readonly TypedArgument[]): ElicitationResult {
  const schema = request.requestedSchema
  const names = describeArguments(schema).map(({ name }) => name)
  const single = given.filter(({ name }) => names.includes(name))
  const content: Fields = collectArguments({ single, whole: undefined }, schema)
  return problemWith(content, schema) === undefined ? { action: 'accept', content } : { action: 'decline' }
}
