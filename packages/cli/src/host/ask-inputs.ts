import type { FoundInput, Secrets } from '@trunkline/host/config'
import { visibleLine } from '@trunkline/host/text'
import type { Invocation } from '../command/command.ts'
import { readHidden } from '../terminal/read-hidden.ts'

/** Answer to an input, or the reason for none. */
type Answer = { readonly value: string } | 'left out' | 'cancelled'

/**
 * Asks once for each input that is missing, and keeps it as the secret `input.ID`, where every server finds it that
 * refers to it. An input left out is reported by the server that needs it.
 */
export async function askInputs(
  inputs: readonly FoundInput[],
  secrets: Pick<Secrets, 'names' | 'set'>,
  asking: Pick<Invocation, 'terminal' | 'output' | 'signal'>,
): Promise<void> {
  const kept = await secrets.names()
  for (const input of inputs) {
    const name = `input.${input.id}`
    if (kept.includes(name)) continue
    const answer = await (input.password ? typedHidden(input, asking) : typed(input, asking))
    if (answer === 'cancelled') return
    if (answer === 'left out') asking.output.note(`Give it later: trunkline secret set ${name}`)
    else await secrets.set(name, answer.value)
  }
}

async function typedHidden(
  { id, description }: FoundInput,
  { terminal, output, signal }: Pick<Invocation, 'terminal' | 'output' | 'signal'>,
): Promise<Answer> {
  const question = visibleLine(`${description} (${id}, nothing is shown; Enter leaves it out):`)
  const text = await output.asking(() => readHidden(terminal, question, signal))
  if (text === undefined) return 'cancelled'
  return text === '' ? 'left out' : { value: text }
}

/** Shown as it is typed, or chosen; Enter takes what is proposed. */
async function typed(
  { id, description, options, default: proposed }: FoundInput,
  { terminal, output, signal }: Pick<Invocation, 'terminal' | 'output' | 'signal'>,
): Promise<Answer> {
  const { TerminalQuestions } = await import('../terminal/questions.ts')
  const { askField } = await import('../asking/field.ts')
  const schema = {
    type: 'string',
    title: description,
    ...(options && { oneOf: options.map(choiceOf) }),
    ...(proposed !== undefined && { default: proposed }),
  }
  const answer = await askField(new TerminalQuestions(terminal, output, signal), {
    name: id,
    schema,
    isRequired: false,
  })
  return typeof answer === 'string' ? answer : { value: String(answer.value) }
}

/** A choice as clients write it: a text, or a text with a label. */
function choiceOf(option: NonNullable<FoundInput['options']>[number]): { const: string; title?: string } {
  if (typeof option !== 'object' || option === null || Array.isArray(option)) return { const: String(option) }
  const { value, label } = option as { readonly [key: string]: unknown }
  return { const: String(value ?? label), ...(typeof label === 'string' && { title: label }) }
}
