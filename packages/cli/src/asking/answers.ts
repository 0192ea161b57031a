import type { ClientOptions } from '@trunkline/mcp/client'
import { argumentOf } from '../arguments/argument-words.ts'
import type { Output } from '../output/output.ts'
import { TerminalQuestions } from '../terminal/questions.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Sources of answers to a server: the person at the terminal, or answers given beforehand. */
export interface Answerers {
  readonly terminal: Terminal
  readonly output: Output
  readonly signal: AbortSignal
  /** Fields of forms, as they were typed. */
  readonly given?: readonly string[] | undefined
}

/** Client options that answer a server's questions; a capability without an answerer is not offered. */
export function answersOf(answerers: Answerers): Pick<ClientOptions, 'elicitation' | 'sampling'> {
  const { terminal, output, signal, given } = answerers
  const fields = given?.map(argumentOf)
  // loaded on demand: only some servers ask
  if (fields) return { elicitation: async (request) => (await import('./form.ts')).fillFromOptions(request, fields) }
  if (!terminal.isInteractive) return {}
  const questions = new TerminalQuestions(terminal, output, signal)
  return {
    elicitation: {
      form: (request) => questions.inTurn(async () => (await import('./form.ts')).fillForm(questions, request)),
      url: (request) => questions.inTurn(async () => (await import('./page.ts')).visitPage(questions, request)),
    },
    sampling: (request) =>
      questions.inTurn(async () => (await import('./sampling.ts')).answerSampling(questions, request)),
  }
}
