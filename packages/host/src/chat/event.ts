import type { Fields } from '@trunkline/mcp'
import type { TokenCount } from '../model/model-request.ts'
import type { CallResult } from './entry.ts'

/** What happens in a conversation, as it happens. */
export type ChatEvent =
  /** The next piece of what the model says. */
  | { readonly type: 'text'; readonly text: string }
  /** The model wants this call made; it is told before the call runs. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly arguments: Fields }
  /** The call waits for a person's approval. */
  | { readonly type: 'waiting'; readonly id: string; readonly name: string; readonly question: string }
  | ({ readonly type: 'result'; readonly ms: number } & CallResult)
  /** What the model is not given of the conversation, and by which rule. */
  | { readonly type: 'trimmed'; readonly turns: number; readonly results: number; readonly rule: string }
  /** Tools that the model is not told of, because there are too many. */
  | { readonly type: 'tools left out'; readonly count: number }
  /** Skills that the model is not told of, because their list is too long. */
  | { readonly type: 'skills left out'; readonly count: number }
  /** What one request to the model took. */
  | { readonly type: 'tokens'; readonly model: string; readonly tokens: TokenCount; readonly cost: number }
  /** The model has answered, or does not go on. */
  | { readonly type: 'end'; readonly why: 'answered' | 'length' | 'filtered' | 'stopped' | 'steps' }
  | { readonly type: 'failed'; readonly code: string; readonly message: string }
