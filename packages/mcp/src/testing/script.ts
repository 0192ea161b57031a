import type { ClientOptions } from '../client/client-options.ts'
import type { ElicitationRequest, ElicitationResult, Root, SamplingRequest, SamplingResult } from '../model/input.ts'
import { McpError } from '../wire/errors.ts'

/** The answers of a client in a test, in order. */
export interface Script {
  /** Answers to elicitation requests, in order; plain content means that the user accepts with it. */
  readonly elicitations?: readonly (ElicitationResult | { readonly [name: string]: unknown })[]
  /** Answers of the model, in order; plain text is a whole answer. */
  readonly samples?: readonly (SamplingResult | string)[]
  readonly roots?: readonly Root[]
}

/** Client options that answer from a script, and the requests of the server so far. */
export interface Scripted {
  readonly options: ClientOptions
  readonly asked: readonly (ElicitationRequest | SamplingRequest)[]
  /** Throws when the script has answers that were not asked for. */
  assertDone(): void
}

/** Answers elicitation and sampling requests from a script; a request without an answer is an error. */
export function script({ elicitations = [], samples = [], roots }: Script): Scripted {
  const forms = [...elicitations]
  const answers = [...samples]
  const asked: (ElicitationRequest | SamplingRequest)[] = []

  const elicit = (request: ElicitationRequest): ElicitationResult => {
    asked.push(request)
    const next = forms.shift()
    if (next === undefined) throw new McpError('Misuse', `The script has no answer left to: ${request.message}`)
    return isResult(next) ? next : { action: 'accept', content: next }
  }
  const sample = (request: SamplingRequest): SamplingResult => {
    asked.push(request)
    const next = answers.shift()
    if (next === undefined) throw new McpError('Misuse', 'The script has no sample left')
    return typeof next === 'string'
      ? { role: 'assistant', model: 'script', content: { type: 'text', text: next } }
      : next
  }
  return {
    options: {
      ...(elicitations.length > 0 && { elicitation: { form: elicit, url: elicit } }),
      ...(samples.length > 0 && { sampling: { sample, tools: true } }),
      ...(roots && { roots }),
    },
    asked,
    assertDone() {
      const left = [...leftOf('elicitations', elicitations, forms), ...leftOf('samples', samples, answers)]
      if (left.length > 0) throw new McpError('Misuse', `The script has unused answers: ${left.join(', ')}`)
    },
  }
}

/** The unused answers of a list, with their positions. */
function leftOf(name: string, all: readonly unknown[], left: readonly unknown[]): readonly string[] {
  return left.map((item, at) => `${name}[${all.length - left.length + at}] ${JSON.stringify(item)}`)
}

function isResult(answer: object): answer is ElicitationResult {
  return 'action' in answer && ['accept', 'decline', 'cancel'].includes(answer.action as string)
}
