import type { AnswerInput, ClientCapabilities, Fields } from '@trunkline/mcp/client'
import type { WireRecord } from './wire-line.ts'

/** The client of a recording: what it spoke and declared, and what it answered when the server asked. */
export interface RecordedClient {
  /** The revision that was spoken, if the recording has the beginning of the conversation. */
  readonly revision: string | undefined
  readonly capabilities: ClientCapabilities
  /** True if it declared tasks: a server may offer more to such a client. */
  readonly hasTasks: boolean
  /** Answers as was answered then, in the same order. */
  readonly answer: AnswerInput
}

interface RecordedAnswer {
  readonly method: string
  readonly answer: Fields
}

/** Reads the client's side of a recording. */
export function recordedClient(records: readonly WireRecord[]): RecordedClient {
  const answers = [...recordedAnswers(records)]
  return {
    ...recordedOpening(records),
    async answer(method) {
      const at = answers.findIndex((one) => one.method === method)
      const [found] = at < 0 ? [] : answers.splice(at, 1)
      if (found === undefined) throw new Error(`Nothing more was recorded of what was answered to ${method}`)
      return found.answer
    },
  }
}

function recordedOpening(records: readonly WireRecord[]): Omit<RecordedClient, 'answer'> {
  for (const [at, { direction, message }] of records.entries()) {
    const { id, method, params } = message as Fields
    if (direction !== 'sent') continue
    if (method === 'initialize') {
      const answer = records.slice(at).find((record) => record.direction === 'received' && idOf(record) === id)
      const { protocolVersion } = fieldsOf(fieldsOf(answer?.message).result)
      // one that was refused is followed by another
      if (typeof protocolVersion === 'string')
        return { revision: protocolVersion, ...declaredBy(fieldsOf(params).capabilities) }
    }
    const told = fieldsOf(fieldsOf(params)._meta)
    const revision = told['io.modelcontextprotocol/protocolVersion']
    if (typeof revision === 'string' && method !== 'server/discover')
      return { revision, ...declaredBy(told['io.modelcontextprotocol/clientCapabilities']) }
  }
  return { revision: undefined, ...declaredBy({}) }
}

/** Capabilities to declare again: those answered from the recording, and tasks; the rest belongs to the recorded program. */
function declaredBy(declared: unknown): Pick<RecordedClient, 'capabilities' | 'hasTasks'> {
  const { elicitation, sampling, roots, tasks, extensions } = fieldsOf(declared) as ClientCapabilities
  const capabilities = {
    ...(elicitation !== undefined && { elicitation }),
    ...(sampling !== undefined && { sampling }),
    ...(roots !== undefined && { roots }),
  }
  return { capabilities, hasTasks: tasks !== undefined || extensions?.['io.modelcontextprotocol/tasks'] !== undefined }
}

/** Questions are requests of the server, or stand in a result that the next request answers. */
function* recordedAnswers(records: readonly WireRecord[]): Generator<RecordedAnswer> {
  const asked = new Map<unknown, string>()
  for (const { direction, message } of records) {
    const { id, method, params, result } = message as Fields
    if (direction === 'received' && typeof method === 'string') {
      if (id !== undefined) asked.set(id, method)
    } else if (direction === 'received') {
      for (const [key, question] of Object.entries(fieldsOf(fieldsOf(result).inputRequests)))
        asked.set(key, String(fieldsOf(question).method))
    } else if (method === undefined) {
      if (asked.has(id) && result !== undefined) yield { method: asked.get(id) ?? '', answer: fieldsOf(result) }
    } else {
      for (const [key, answer] of Object.entries(fieldsOf(fieldsOf(params).inputResponses)))
        if (asked.has(key)) yield { method: asked.get(key) ?? '', answer: fieldsOf(answer) }
    }
  }
}

function idOf({ message }: WireRecord): unknown {
  const { id, method } = message as Fields
  return method === undefined ? id : undefined
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
