import type { Fields } from '../../../src/wire/messages.ts'
import type { Scene } from '../../fixtures/puppet.ts'
import { isStateless } from './dress.ts'
import type { Heard } from './raw-end.ts'
import type { Setting } from './setting.ts'

const done = { result: { content: [{ type: 'text', text: 'done' }] } }

/** A scene in which the server asks one question while it serves `tools/call`, whichever way the revision has for it. */
export function questioning({ revision }: Setting, method: string, params: Fields): Scene {
  if (!isStateless(revision)) return { 'tools/call': [[{ id: 'question', method, params }]], answer: [[done]] }
  const inputRequests = { question: { method, params } }
  return {
    'tools/call': [[{ result: { resultType: 'input_required', inputRequests, requestState: 'state' } }], [done]],
  }
}

/** The client's answer to the question of the scene: a result or, after a handshake, an error. */
export function answered({ revision, sent }: Setting): Pick<Heard, 'result' | 'error'> {
  if (!isStateless(revision)) return sent().find(({ id }) => id === 'question') ?? {}
  const { inputResponses } = sent('tools/call')[1]?.params ?? {}
  return { result: (inputResponses as { question?: Fields } | undefined)?.question ?? {} }
}

/** The question to the user that a tool of the fixture `asking` asks, as it travels. */
export async function questionOf(tool: string, { raw, revision }: Setting): Promise<Fields> {
  const end = await raw('asking', { capabilities: { elicitation: { form: {}, url: {} } } })
  if (isStateless(revision)) {
    const { inputRequests } = await end.result('tools/call', { name: tool })
    const [question] = Object.values(inputRequests as { [key: string]: { params: Fields } })
    return question?.params ?? {}
  }
  end.send(end.request('tools/call', { name: tool }, 'call'))
  const { id, params } = await end.until(({ method }) => method === 'elicitation/create')
  end.send({ jsonrpc: '2.0', id, result: { action: 'cancel' } })
  await end.answer('call')
  return params ?? {}
}
