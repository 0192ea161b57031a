import { InvalidRequest, RpcError } from './errors.ts'
import { type Fields, type Id, isId, isObject, type Message } from './messages.ts'

/** JSON that is not a message. */
export class Malformed extends RpcError {
  /** The id, if it could be read, so that a bad request is answered and a bad response settles its call. */
  readonly id: Id | undefined
  /** A bad response is never answered: two peers could answer each other for ever. */
  readonly isResponse: boolean

  constructor(
    message: string,
    { id, field, isResponse = false }: { id?: Id | undefined; field?: string; isResponse?: boolean } = {},
  ) {
    super(InvalidRequest, message, field === undefined ? undefined : { field })
    this.id = id
    this.isResponse = isResponse
  }
}

/** Checks that a JSON value is a message. */
export function classify(value: unknown): Message | Malformed {
  if (!isObject(value)) return new Malformed('Cannot read message: not a JSON object')
  const id = isId(value.id) ? value.id : undefined
  if (value.method === undefined) return classifyResponse(value, id)
  if (value.jsonrpc !== '2.0')
    return new Malformed('Cannot read request: "jsonrpc" must be "2.0"', { id, field: 'jsonrpc' })
  if (typeof value.method !== 'string')
    return new Malformed('Cannot read request: "method" must be a string', { id, field: 'method' })
  if (value.id !== undefined && id === undefined)
    return new Malformed('Cannot read request: "id" must be a string or an integer below 2^53', { field: 'id' })
  if (value.params !== undefined && !isObject(value.params))
    return new Malformed('Cannot read request: "params" must be an object', { id, field: 'params' })
  return value as unknown as Message
}

function classifyResponse(value: Fields, id: Id | undefined): Message | Malformed {
  const { result, error } = value
  if (result === undefined && error === undefined)
    return new Malformed('Cannot read message: none of "method", "result" and "error" is present', {
      id,
      field: 'method',
    })
  const problem = responseProblem(value, id)
  return problem
    ? new Malformed(`Cannot read response: ${problem[1]}`, { id, field: problem[0], isResponse: true })
    : (value as unknown as Message)
}

function responseProblem(
  { jsonrpc, id, result, error }: Fields,
  readable: Id | undefined,
): [field: string, problem: string] | undefined {
  if (jsonrpc !== '2.0') return ['jsonrpc', '"jsonrpc" must be "2.0"']
  if (result !== undefined && error !== undefined) return ['error', 'both "result" and "error" are present']
  if (result !== undefined) {
    if (readable === undefined) return ['id', '"id" must be a string or an integer below 2^53']
    return isObject(result) ? undefined : ['result', '"result" must be an object']
  }
  // an error whose request could not be read has no id to repeat
  if (readable === undefined && id !== undefined && id !== null)
    return ['id', '"id" must be a string or an integer below 2^53']
  if (isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string') return undefined
  return ['error', '"error" needs an integer "code" and a string "message"']
}
