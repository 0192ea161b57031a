/** Clients without a session. */
import {
  type Answer,
  answerIn,
  answerOf,
  type Caller,
  type ClientOptions,
  type Message,
  refusedBy,
  repeat,
  wait,
} from './requests.ts'
import { type Asked, send } from './stateless-requests.ts'

/** Calls a tool until it is told to end. */
export async function runStateless(options: ClientOptions): Promise<void> {
  await repeat(options, async (call, caller) => {
    const response = await send(caller, {
      id: call,
      method: 'tools/call',
      params: { name: 'pay', arguments: { call } },
    })
    if (response.status !== 200) return refusedBy(response)
    return (await answerIn(response)) ?? { kind: 'unknown', reason: 'no answer in the response' }
  })
}

/** Calls a tool that asks; an answer to its question that may have arrived is sent again, where effects are kept. */
export async function runOrders(options: ClientOptions & { readonly areEffectsKept: boolean }): Promise<void> {
  await repeat(options, async (call, caller) => {
    const params = { name: 'order', arguments: { call } }
    const first = await send(caller, { id: call, method: 'tools/call', params })
    if (first.status !== 200) return refusedBy(first)
    const asked = (await first.json()) as Message
    const [question] = Object.keys(asked.result?.inputRequests ?? {})
    if (question === undefined) return answerOf(asked)
    const inputResponses = { [question]: { action: 'accept', content: { sure: true } } }
    const requestState = asked.result?.requestState
    for (let attempt = 1; ; attempt++) {
      const answered = { ...params, inputResponses, requestState }
      const answer = await finish(caller, { id: `${call}.${attempt}`, method: 'tools/call', params: answered })
      if (!options.areEffectsKept || (answer.kind !== 'unknown' && answer.kind !== 'refused')) return answer
      caller.signal.throwIfAborted()
      await wait(100)
    }
  })
}

/** Sends the answer to a question; the outcome is unknown if the connection breaks. */
async function finish(caller: Caller, asked: Asked): Promise<Answer> {
  try {
    const response = await send(caller, asked, answerMs)
    return response.status === 200 ? answerOf(await response.json()) : refusedBy(response)
  } catch (error) {
    caller.signal.throwIfAborted()
    return { kind: 'unknown', reason: `${error}` }
  }
}

/** Milliseconds after which an answer is sent again, perhaps to another process. */
const answerMs = 3_000
