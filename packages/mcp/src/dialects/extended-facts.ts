import type { ExtensionMethod, ExtensionWords } from '../model/extension.ts'
import { type Method, methods } from '../model/features.ts'
import { shapeFromSchema } from '../schema/shape-from-schema.ts'
import { both, type Shape } from '../wire/shape.ts'
import type { MethodShape, Vocabulary } from '../wire/vocabulary.ts'
import type { Facts } from './revision-facts.ts'

type Schemas = { readonly [name: string]: NonNullable<ExtensionMethod['params']> }

/** The facts of a revision with these extensions. */
export function extendedFacts(facts: Facts, extensions: readonly ExtensionWords[]): Facts {
  if (extensions.length === 0) return facts
  return {
    ...facts,
    extensions,
    vocabulary: extendedVocabulary(facts.vocabulary, extensions),
    methods: new Map([...extensions.flatMap(rowsOf), ...methods]),
    resultTypes: new Map(extensions.flatMap(({ resultTypes = {} }) => shapes(resultTypes))),
  }
}

function rowsOf({ methods: own = {} }: ExtensionWords): [string, Method][] {
  return Object.entries(own).map(([method, { params, result, ...row }]) => [method, row])
}

// built on first use, as every vocabulary is; the revision's own methods cannot be replaced
function extendedVocabulary(vocabulary: Vocabulary, extensions: readonly ExtensionWords[]): Vocabulary {
  let built: Pick<Vocabulary, 'client' | 'server'> | undefined
  const build = () => {
    built ??= {
      client: {
        requests: new Map([...exchanges(vocabulary, extensions), ...vocabulary.client.requests]),
        notifications: vocabulary.client.notifications,
      },
      server: {
        requests: vocabulary.server.requests,
        notifications: new Map([...notices(extensions), ...vocabulary.server.notifications]),
      },
    }
    return built
  }
  return {
    revision: vocabulary.revision,
    get client() {
      return build().client
    },
    get server() {
      return build().server
    },
    get inputs() {
      return vocabulary.inputs
    },
    get types() {
      return vocabulary.types
    },
  }
}

function exchanges({ types }: Vocabulary, extensions: readonly ExtensionWords[]): [string, MethodShape][] {
  const rows = extensions.flatMap(({ methods: own = {} }) => Object.entries(own))
  return rows.map(([method, { params, result }]) => [
    method,
    { params: beside(types.RequestParams as Shape, params), result: beside(types.Result as Shape, result) },
  ])
}

function notices(extensions: readonly ExtensionWords[]): [string, Shape][] {
  return extensions.flatMap(({ notifications = {} }) => shapes(notifications))
}

/** A shape that combines the common members with those of an extension. */
function beside(common: Shape, own: ExtensionMethod['params']): Shape {
  return own === undefined ? common : both(common, shapeFromSchema(own))
}

function shapes(schemas: Schemas): [string, Shape][] {
  return Object.entries(schemas).map(([name, schema]) => [name, shapeFromSchema(schema)])
}
