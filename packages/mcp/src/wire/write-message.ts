import { InternalError, McpError } from './errors.ts'
import type { Id, Message } from './messages.ts'
import { writeResult } from './write-result.ts'

/** A result that is serialised already. */
export class Encoded {
  readonly [key: string]: unknown
  readonly json: string

  constructor(json: string) {
    // line breaks between tokens would end the line on stdio
    this.json = /[\r\n]/.test(json) ? JSON.stringify(JSON.parse(json)) : json
  }

  toJSON(): unknown {
    return JSON.parse(this.json)
  }
}

/** Serialises a message or batch, without line breaks. A response that is not JSON becomes an error response. */
export function writeMessage(message: Message | readonly Message[]): string {
  return isBatch(message) ? `[${message.map(writeOne).join()}]` : writeOne(message)
}

function writeOne(message: Message): string {
  try {
    if (!('result' in message)) return JSON.stringify(message)
    const { id, result } = message
    const json = result instanceof Encoded ? result.json : writeResult(result)
    return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":${json}}`
  } catch (cause) {
    if (!('method' in message)) return failure(message.id)
    throw new McpError('Misuse', `Cannot send "${message.method}": its params are not JSON`, {
      outcome: 'NotSent',
      cause,
    })
  }
}

function failure(id: Id | null | undefined): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: InternalError, message: 'Cannot answer: the answer is not JSON' },
  })
}

function isBatch(message: Message | readonly Message[]): message is readonly Message[] {
  return Array.isArray(message)
}
