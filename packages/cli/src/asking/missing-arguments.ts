import type { Fields } from '@trunkline/mcp/client'
import { describeArguments } from '../arguments/describe-arguments.ts'
import { interruption } from '../terminal/interrupt.ts'
import type { TerminalQuestions } from '../terminal/questions.ts'
import { askField } from './field.ts'

/** Asks for the required arguments that were not given. */
export async function askMissing(questions: TerminalQuestions, schema: Fields, given: Fields): Promise<Fields> {
  const missing = describeArguments(schema).filter(({ name, isRequired }) => isRequired && !Object.hasOwn(given, name))
  const all: { [name: string]: unknown } = { ...given }
  for (const field of missing) {
    const answer = await askField(questions, field)
    if (answer === 'cancelled') throw interruption()
    if (answer !== 'left out') all[field.name] = answer.value
  }
  return all
}
