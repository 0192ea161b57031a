import { InvalidParams, RpcError } from '../../wire/errors.ts'
import { type Fields, isObject } from '../../wire/messages.ts'
import { digest, SealError } from '../../wire/sealed.ts'
import type { Earlier } from './questions.ts'
import type { ReplayContext } from './replay-context.ts'

/** What travels sealed from one round of a call to the next. */
export interface RequestState extends Earlier {
  readonly round: number
  /** Names the call where its side effects are kept. */
  readonly call?: string
  /** The result of every side effect so far, by the author's key. */
  readonly done: Fields
  /** Every log message sent so far, by a short name for it. */
  readonly logged?: readonly string[] | undefined
}

/** Where every call starts. */
export const blank: RequestState = { round: 0, answers: {}, asked: [], done: {} }

/** Seals what a round leaves so that only this server can read it, and only for the same call of the same caller. */
export async function sealState(state: object, context: ReplayContext): Promise<string> {
  const { sealer, limits } = context.server
  return sealer.seal(state, await bindingOf(context), Date.now() + limits.maxInputStateAgeMs)
}

/** Opens the state a client brought back. */
export async function openState(context: ReplayContext): Promise<unknown> {
  const { requestState } = context.incoming.params
  try {
    return await context.server.sealer.open(requestState as string, await bindingOf(context))
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new RpcError(InvalidParams, `Cannot use "requestState": ${error.reason}`, { field: 'requestState' })
  }
}

/** The answer a client sent with its request, checked; what is missing is asked, and what nobody asks for is ignored. */
export function givenAnswer(key: string, method: string, { incoming, facts }: ReplayContext): Fields | undefined {
  const { inputResponses } = incoming.params
  if (!isObject(inputResponses) || !Object.hasOwn(inputResponses, key)) return undefined
  const answer = inputResponses[key]
  const problem = facts.vocabulary.inputs.get(method)?.result.check(answer)
  if (!problem) return answer as Fields
  const field = `inputResponses.${key}${problem.path && `.${problem.path}`}`
  throw new RpcError(InvalidParams, `Cannot use "${field}": ${problem.message}`, { field })
}

async function bindingOf({ incoming, caller, server }: ReplayContext): Promise<string> {
  const { _meta, inputResponses, requestState, ...params } = incoming.params
  return JSON.stringify(['input', server.info.name, caller.principal ?? '', incoming.method, await digest(params)])
}
