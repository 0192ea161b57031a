/** A place where we depart from an official schema on purpose. */
export interface Amendment {
  readonly why: string
  readonly revisions: readonly string[]
  /** Makes the definitions say what we hold to. */
  readonly amend: (at: Finder, definitions: Definitions) => void
}

type Keywords = { [keyword: string]: unknown }
type Definitions = { [name: string]: Keywords }
/** Finds what a dotted path leads to, and throws where there is nothing any more. */
type Finder = (path: string) => Keywords

const anObject = { type: 'object' }
const aString = { type: 'string' }

/** All of them; the differential tests hold us to the official schemas apart from these. */
export const amendments: readonly Amendment[] = [
  {
    why: 'A number in a form is any number: the schema was generated from TypeScript, where integers do not exist',
    revisions: ['2025-06-18', '2025-11-25', '2026-07-28'],
    amend: (at) => {
      const values = at('ElicitResult.properties.content.additionalProperties')
      const scalar = (values.anyOf as Keywords[] | undefined)?.[1] ?? values
      scalar.type = ['string', 'number', 'boolean']
    },
  },
  {
    why: 'A JSON value may be null or a fraction, which the generated schema lost',
    revisions: ['2026-07-28'],
    amend: (at) => {
      delete at('JSONValue').anyOf
    },
  },
  {
    why: 'A property of a tool schema may be true or false, which is JSON Schema, and Go servers send it',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
    amend: (at, { Tool }) => {
      const schemas = Object.keys(Tool?.properties as Keywords).filter((name) => name.endsWith('Schema'))
      for (const name of schemas) {
        at(`Tool.properties.${name}.properties.properties`).additionalProperties = { type: ['object', 'boolean'] }
      }
    },
  },
  {
    why: 'A string schema and the three kinds of choice are one shape, so that no member has two types',
    revisions: ['2025-06-18', '2025-11-25', '2026-07-28'],
    amend: (at, definitions) => {
      const kinds = [
        'StringSchema',
        'EnumSchema',
        'UntitledSingleSelectEnumSchema',
        'TitledSingleSelectEnumSchema',
        'LegacyTitledEnumSchema',
      ]
      const present = kinds.filter((kind) => definitions[kind]?.properties)
      const properties = Object.assign({}, ...present.map((kind) => at(`${kind}.properties`)))
      for (const kind of present) at(kind).properties = properties
    },
  },
  {
    why: 'Contents with a blob have no text that is not a string, and the other way round',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
    amend: (at) => {
      const properties = { text: aString, blob: aString }
      Object.assign(at('EmbeddedResource.properties.resource'), { properties })
      Object.assign(at('ReadResourceResult.properties.contents.items'), { properties })
    },
  },
  {
    why: '_meta is an object wherever it is, and its progressToken an id in every request',
    revisions: ['2025-11-25'],
    amend: (at) => {
      const { _meta } = at('RequestParams.properties')
      for (const name of ['GetTaskRequest', 'GetTaskPayloadRequest', 'CancelTaskRequest'])
        Object.assign(at(`${name}.properties.params.properties`), { _meta })
      Object.assign(at('ElicitationCompleteNotification.properties.params.properties'), { _meta: anObject })
    },
  },
  {
    why: '_meta is an object wherever it is',
    revisions: ['2026-07-28'],
    amend: (at) => {
      for (const name of [
        'CreateMessageRequestParams',
        'ElicitRequestFormParams',
        'ElicitRequestURLParams',
        'ElicitResult',
        'ListRootsResult',
      ])
        Object.assign(at(`${name}.properties`), { _meta: anObject })
    },
  },
  {
    why: 'A request with a task is answered by a task; the schema pairs no results with requests',
    revisions: ['2025-11-25'],
    amend: (_, definitions) => {
      for (const name of ['CallTool', 'CreateMessage', 'Elicit']) {
        const anyOf = [`${name}Result`, 'CreateTaskResult'].map((each) => ({ $ref: `#/$defs/${each}` }))
        definitions[`${name}ResultResponse`] = { properties: { result: { anyOf } } }
      }
    },
  },
  {
    why: 'A client takes a result without resultType for complete, and one with no or negative cache hints for stale',
    revisions: ['2026-07-28'],
    amend: (_, definitions) => {
      const lenient = ['resultType', 'ttlMs', 'cacheScope']
      for (const definition of Object.values(definitions)) {
        const { required, properties } = definition as { required?: string[]; properties?: Definitions }
        if (required) definition.required = required.filter((name) => !lenient.includes(name))
        delete properties?.ttlMs?.minimum
      }
    },
  },
  {
    why: 'A result that asks for input has inputRequests or requestState',
    revisions: ['2026-07-28'],
    amend: (at) => {
      at('InputRequiredResult').anyOf = [{ required: ['inputRequests'] }, { required: ['requestState'] }]
    },
  },
  {
    why: 'resultType says which of its alternatives a result is; the schema would take nearly anything for a question',
    revisions: ['2026-07-28'],
    amend: (at) => {
      const kind = (name: string, resultType: Keywords, required: string[]) => ({
        allOf: [{ $ref: `#/$defs/${name}` }, { type: 'object', properties: { resultType }, required }],
      })
      for (const name of ['CallTool', 'GetPrompt', 'ReadResource']) {
        at(`${name}ResultResponse.properties.result`).anyOf = [
          kind(`${name}Result`, { const: 'complete' }, []),
          kind('InputRequiredResult', { const: 'input_required' }, ['resultType']),
          kind('Result', { not: { enum: ['complete', 'input_required'] } }, ['resultType']),
        ]
      }
    },
  },
]

/** Applies what we amend in a revision to its definitions. */
export function amend(revision: string, definitions: Definitions): void {
  const at = (path: string) => {
    const found = path.split('.').reduce<unknown>((node, key) => (node as Keywords | undefined)?.[key], definitions)
    if (found === undefined) throw new Error(`Cannot amend ${revision}: there is no ${path}`)
    return found as Keywords
  }
  for (const amendment of amendments) if (amendment.revisions.includes(revision)) amendment.amend(at, definitions)
}
