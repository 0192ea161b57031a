import type { Fields } from '@trunkline/mcp'
import type { TokenCount } from '../model/model-request.ts'
import type { CallResult } from './entry.ts'

/** Event that a person reads beside an answer, also one who opens the conversation later. */
export type ChatRemark =
  /** Parts of the conversation that the model is not given, and the rule for it. */
  | { readonly type: 'trimmed'; readonly turns: number; readonly results: number; readonly rule: string }
  /** Tools that the model is not told of, because there are too many. */
  | {
      readonly type: 'tools left out'
      readonly count: number
      /** By server, most first; missing if servers are not known. */
      readonly servers?: readonly { readonly server: string; readonly count: number }[] | undefined
    }
  /** Skills that the model is not told of, because their list is too long. */
  | { readonly type: 'skills left out'; readonly count: number }
  /** The model has answered, or does not go on. */
  | { readonly type: 'end'; readonly why: 'answered' | 'length' | 'filtered' | 'stopped' | 'steps' }

/** Event of a conversation. */
export type ChatEvent =
  | ChatRemark
  /** The next piece of the model's text. */
  | { readonly type: 'text'; readonly text: string }
  /** A call that the model wants; reported before it runs. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly arguments: Fields }
  /** The call waits for a person's approval. */
  | { readonly type: 'waiting'; readonly id: string; readonly name: string; readonly question: string }
  | ({ readonly type: 'result'; readonly ms: number } & CallResult)
  /** Tokens and cost of one request to the model. */
  | { readonly type: 'tokens'; readonly model: string; readonly tokens: TokenCount; readonly cost: number }
  | { readonly type: 'failed'; readonly code: string; readonly message: string }

const remarks: ReadonlySet<ChatEvent['type']> = new Set<ChatRemark['type']>([
  'trimmed',
  'tools left out',
  'skills left out',
  'end',
])

export function isRemark(event: ChatEvent): event is ChatRemark {
  return remarks.has(event.type)
}
