import { InternalError, RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { assertAskable } from '../check-input-request.ts'
import { type ClientQuestion, InputRequired, type Rounds } from '../dialect.ts'
import { encodeInputRequest } from '../encode-input-request.ts'
import type { ReplayContext } from './replay-context.ts'
import { givenAnswer, openState, sealState } from './request-state.ts'

/** The sealed state between rounds; it does not contain the answers. */
interface RelayedState {
  readonly round: number
  /** The methods of the questions, by key. */
  readonly asked: { readonly [key: string]: string }
  readonly state: unknown
}

type RelayedQuestions = { readonly [key: string]: ClientQuestion }

/** Opens the input rounds of a relayed call, from the state that the client sent back. */
export async function openRounds(context: ReplayContext): Promise<Rounds> {
  const given = (key: string, method: string) => givenAnswer(key, method, context)
  if (context.incoming.params.requestState === undefined) {
    return {
      resumed: undefined,
      given,
      require: (questions, state) => endRound(context, { round: 1, questions, state }),
    }
  }
  const { round, asked, state } = (await openState(context)) as RelayedState
  const answers = Object.entries(asked).flatMap(([key, method]) => {
    const answer = given(key, method)
    return answer ? [[key, answer] as const] : []
  })
  return {
    resumed: { state, answers: Object.fromEntries(answers) },
    given,
    require: (questions, next) => endRound(context, { round: round + 1, questions, state: next }),
  }
}

async function endRound(
  context: ReplayContext,
  {
    round,
    questions,
    state,
  }: { readonly round: number; readonly questions: RelayedQuestions; readonly state: unknown },
): Promise<InputRequired> {
  const { caller, facts, server } = context
  const { limits } = server
  if (round > limits.maxInputRoundsPerCall) {
    throw new RpcError(InternalError, `Cannot ask again: one call may ask in ${limits.maxInputRoundsPerCall} rounds`)
  }
  const spelled = Object.entries(questions).map(([key, { method, params }], index) => {
    assertAskable(method, params, { caller, facts, asked: index + 1, limits })
    return [key, { method, params: encodeInputRequest(method, params, { facts, caller }) }] as const
  })
  const asked: Fields = Object.fromEntries(spelled.map(([key, { method }]) => [key, method]))
  return new InputRequired(Object.fromEntries(spelled), await sealState({ round, asked, state }, context))
}
