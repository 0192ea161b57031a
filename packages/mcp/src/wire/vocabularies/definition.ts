import type { Shape } from '../shape.ts'
import type { MethodShape, Vocabulary, VocabularySide } from '../vocabulary.ts'

/** The definition of one revision; types refer to each other by name, through a table. */
export interface VocabularyDefinition<Names extends string> extends Methods<Names> {
  readonly revision: string
  readonly types: { readonly [Name in Names]: (types: Types<Names>) => Shape }
}

/** Messages that each side may send. */
export interface Methods<Names extends string> {
  readonly client: (types: Types<Names>) => Sends
  readonly server: (types: Types<Names>, inputs: Exchanges) => Sends
  /** The input requests of a server. */
  readonly inputs: (types: Types<Names>) => Exchanges
}

/** The types of a revision by name. */
export type Types<Names extends string> = { readonly [Name in Names]: Shape }

/** The requests and the notifications of one side, by method. */
export interface Sends {
  readonly requests: Exchanges
  readonly notifications: { readonly [method: string]: Shape }
}

/** Requests with their answers, by method. */
export interface Exchanges {
  readonly [method: string]: MethodShape
}

/** Changes of one revision to the one before it. */
export interface Changes<Names extends string, Added extends string, Removed extends Names>
  extends Partial<Methods<Exclude<Names, Removed> | Added>> {
  readonly revision: string
  readonly added: { readonly [Name in Added]: (types: Types<Exclude<Names, Removed> | Added>) => Shape }
  readonly changed: {
    readonly [Name in Exclude<Names, Removed>]?: (was: Shape, types: Types<Exclude<Names, Removed> | Added>) => Shape
  }
  readonly removed?: readonly Removed[]
}

/** The messages and types that a feature brings to the revisions that have it. */
export interface FeatureWords<Names extends string, Added extends string> {
  /** The types of those revisions that it refers to or changes. */
  readonly uses: readonly Names[]
  readonly added: { readonly [Name in Added]: (types: Types<Names | Added>) => Shape }
  readonly changed?: { readonly [Name in NoInfer<Names>]?: (was: Shape, types: Types<Names | Added>) => Shape }
  readonly client?: (types: Types<Names | Added>) => Partial<Sends>
  readonly server?: (types: Types<Names | Added>) => Partial<Sends>
  /** Input requests of a server; where servers send requests, they are among them too. */
  readonly inputs?: (types: Types<Names | Added>) => Exchanges
}

/** Defines a revision in full. */
export function define<Names extends string>(definition: VocabularyDefinition<Names>): VocabularyDefinition<Names> {
  return definition
}

/** Defines a revision by its changes to another one; references follow the changed types. */
export function revise<Names extends string, Added extends string = never, Removed extends Names = never>(
  before: VocabularyDefinition<Names>,
  { added, changed, removed = [], ...others }: Changes<Names, Added, Removed>,
): VocabularyDefinition<Exclude<Names, Removed> | Added> {
  const types: { [name: string]: Build } = { ...before.types, ...added }
  for (const name of removed) delete types[name]
  for (const [name, change] of Object.entries(changed as { [name: string]: Change })) {
    const build = types[name] as Build
    types[name] = (table) => change(build(table), table)
  }
  return { ...before, ...others, types } as VocabularyDefinition<string> as VocabularyDefinition<
    Exclude<Names, Removed> | Added
  >
}

/** Declares the words of a feature. */
export function feature<Names extends string, Added extends string>(
  words: FeatureWords<Names, Added>,
): FeatureWords<Names, Added> {
  return words
}

/** Adds a feature to a revision that has all types it uses. */
export function withFeature<Names extends string, Needed extends Names, Added extends string>(
  before: VocabularyDefinition<Names>,
  { added, changed = {}, ...words }: FeatureWords<Needed, Added>,
): VocabularyDefinition<Names | Added> {
  const { client, server, inputs } = before as unknown as Methods<string>
  return revise<Names, Added>(before, {
    revision: before.revision,
    added,
    changed: changed as Changes<Names, Added, never>['changed'],
    client: (types) => merged(client(types), words.client?.(types)),
    server: (types, asked) => merged(server(types, asked), words.server?.(types)),
    inputs: (types) => ({ ...inputs(types), ...words.inputs?.(types) }),
  })
}

function merged(before: Sends, { requests, notifications }: Partial<Sends> = {}): Sends {
  return {
    requests: { ...before.requests, ...requests },
    notifications: { ...before.notifications, ...notifications },
  }
}

/** The vocabulary of a definition, built on first use. */
export function vocabularyOf<Names extends string>(definition: VocabularyDefinition<Names>): Vocabulary {
  let built: Vocabulary | undefined
  const build = () => {
    built ??= compile(definition)
    return built
  }
  return {
    revision: definition.revision,
    get client() {
      return build().client
    },
    get server() {
      return build().server
    },
    get inputs() {
      return build().inputs
    },
    get types() {
      return build().types
    },
  }
}

function compile<Names extends string>({ revision, ...definition }: VocabularyDefinition<Names>): Vocabulary {
  const types = resolve(definition.types)
  const inputs = definition.inputs(types)
  return {
    revision,
    client: sender(definition.client(types)),
    server: sender(definition.server(types, inputs)),
    inputs: new Map(Object.entries(inputs)),
    types,
  }
}

/** Builds each type once, on first use. */
function resolve<Names extends string>(types: VocabularyDefinition<Names>['types']): Types<Names> {
  const built: { [Name in Names]?: Shape } = {}
  const build = (name: Names) => {
    built[name] ??= types[name](table)
    return built[name]
  }
  const table = new Proxy(built, { get: (_, name) => build(name as Names) }) as Types<Names>
  for (const name of Object.keys(types)) build(name as Names)
  return built as Types<Names>
}

function sender({ requests, notifications }: Sends): VocabularySide {
  return { requests: new Map(Object.entries(requests)), notifications: new Map(Object.entries(notifications)) }
}

type Build = (types: Types<string>) => Shape
type Change = (was: Shape, types: Types<string>) => Shape
