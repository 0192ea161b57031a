import type { Fields } from '@trunkline/mcp'
import type { ModelContent, ModelStop, TokenCount } from '../model/model-request.ts'

/** Part of a person's message. */
export type PersonPart =
  | { readonly type: 'text'; readonly text: string }
  /** A resource they attached, as its server gave it. */
  | { readonly type: 'resource'; readonly uri: string; readonly contents: readonly Fields[] }
  /** Messages that a prompt of a server returned. */
  | {
      readonly type: 'prompt'
      readonly name: string
      /** Arguments that the person filled in. */
      readonly arguments?: { readonly [name: string]: string }
      readonly blocks: readonly Fields[]
    }

/** Outcome of a call that the model wanted. */
export interface CallResult {
  readonly id: string
  readonly name: string
  readonly isError: boolean
  readonly content: readonly Fields[]
  /** Origin of the content, as shown to the model. @default the tool */
  readonly from?: string
  /** The result as a value, for an app of its server; a model is given the content. */
  readonly structuredContent?: unknown
  readonly ms?: number
}

/** One entry of a conversation, as it is kept. */
export type ChatEntry =
  | { readonly by: 'person'; readonly at: number; readonly content: readonly PersonPart[] }
  | {
      readonly by: 'model'
      readonly at: number
      readonly model: string
      readonly content: readonly ModelContent[]
      /** `stopped`: by the person. */
      readonly stop: ModelStop | 'stopped' | 'failed'
      readonly tokens: TokenCount
      readonly cost: number
      /** Reason why it broke off. */
      readonly failure?: { readonly code: string; readonly message: string }
    }
  | { readonly by: 'tools'; readonly at: number; readonly results: readonly CallResult[] }
