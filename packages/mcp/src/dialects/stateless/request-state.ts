import { InvalidParams, RpcError } from '../../wire/errors.ts'
import { type Fields, isObject } from '../../wire/messages.ts'
import { digest, SealError } from '../../wire/sealed.ts'
import type { Earlier } from './questions.ts'
import type { ReplayContext } from './replay-context.ts'

/** The sealed state between the rounds of a call. */
export interface RequestState extends Earlier {
  readonly round: number
  /** Names the call where its side effects are kept. */
  readonly call?: string
  /** The results of all side effects so far, by key. */
  readonly done: Fields
  /** The hashes of all log messages sent so far. */
  readonly logged?: readonly string[] | undefined
}

/** The state of a new call. */
export const blank: RequestState = { round: 0, answers: {}, asked: [], done: {} }

/** Seals the state of a round, bound to the call and its caller. */
export async function sealState(state: object, context: ReplayContext): Promise<string> {
  const { sealer, limits } = context.server
  return sealer.seal(state, await bindingOf(context), Date.now() + limits.maxInputStateAgeMs)
}

/** Opens the state that a client sent back. */
export async function openState(context: ReplayContext): Promise<unknown> {
  const { requestState } = context.incoming.params
  try {
    return await context.server.sealer.open(requestState as string, await bindingOf(context))
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new RpcError(InvalidParams, `Cannot use "requestState": ${error.reason}`, { field: 'requestState' })
  }
}

/** The checked answer in a request for a key; undefined when there is none. */
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
