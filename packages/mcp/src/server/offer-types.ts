import type { ServerTypes } from '../model/server-types.ts'
import type { AnySchema } from '../schema/adapter.ts'
import type { PromptArguments, ToolArguments, ToolInput } from './definitions.ts'

/** The types of a server without extensions. */
// biome-ignore lint/complexity/noBannedTypes: no names at all, so that others can be added
export type NoOffers = { readonly tools: {}; readonly prompts: {} }

// each is added by a plain intersection: a type that looked into what it adds to would nest, and compilers give up on that

/** One more tool. */
export type ToolOffer<Name extends string, In, Out> = {
  readonly tools: {
    readonly [N in Name]: {
      readonly input: ToolArguments<In>
      readonly output: Out extends AnySchema ? ToolInput<Out> : unknown
    }
  }
}

/** One more prompt. */
export type PromptOffer<Name extends string, Args> = {
  readonly prompts: { readonly [N in Name]: PromptArguments<Args> }
}

/** All tools and prompts of another server, each behind a prefix. */
export type MountedOffers<Prefix extends string, Mounted extends ServerTypes> = {
  readonly tools: { readonly [Name in keyof Mounted['tools'] as Prefixed<Prefix, Name>]: Mounted['tools'][Name] }
  readonly prompts: { readonly [Name in keyof Mounted['prompts'] as Prefixed<Prefix, Name>]: Mounted['prompts'][Name] }
}

type Prefixed<Prefix extends string, Name> = Name extends string ? `${Prefix}_${Name}` : never
