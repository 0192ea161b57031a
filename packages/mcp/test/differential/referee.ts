import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { lacking } from '../../../../tools/lib/needs.ts'
import { besideRepository } from '../corpora.ts'
import { amend } from './amendments.ts'
import type { Definitions, JsonSchema } from './arbitrary.ts'

/** The folder with the official schemas and examples; it may lie beside the repository. */
export const specFolder = besideRepository('spec')

/** Reason why a test cannot run, where that folder is missing. */
export const skip = lacking('beside', specFolder !== undefined)

/** The official schema of one revision, with our amendments. */
export interface Referee {
  readonly definitions: Definitions
  /** Makes a check of values against a schema that may refer to the definitions. */
  judge(schema: JsonSchema): (value: unknown) => boolean
  /** The methods in one of the official unions, such as `ClientRequest`. */
  methodsIn(union: string): ReadonlyMap<string, Method>
}

/** The official schema of a request or a notification. */
export interface Method {
  readonly params: JsonSchema
  readonly needsParams: boolean
  readonly result: JsonSchema
}

type MessageDefinition = Exclude<JsonSchema, boolean> & {
  readonly $ref?: string
  readonly anyOf?: readonly MessageDefinition[]
  readonly required: readonly string[]
  readonly properties: { readonly method: { readonly const: string }; readonly params: JsonSchema }
}

/** Reads the official schema of a revision. */
export function referee(revision: string): Referee {
  // a validator takes a document of one name only once
  const { $id: _, ...document } = JSON.parse(
    readFileSync(join(specFolder as string, `${revision}.schema.json`), 'utf8'),
  )
  const place = document.$defs ? '$defs' : 'definitions'
  const definitions: { readonly [name: string]: MessageDefinition } = document[place]
  amend(revision, document[place])
  const options = { strict: false, validateFormats: false }
  const ajv = document.$defs ? new Ajv2020(options) : new Ajv(options)
  // once for all that refers to it: what a definition compiles to is kept
  ajv.addSchema(document, 'official')

  const read = (member: MessageDefinition): [string, Method] => {
    const name = member.$ref?.split('/').at(-1) ?? ''
    const { properties, required } = definitions[name] ?? member
    const base = name.endsWith('Request') ? 'JSONRPCRequest' : 'JSONRPCNotification'
    const generic = definitions[base]?.properties.params ?? true
    const stem = name.replace(/Request$/, '')
    const answer = [`${stem}ResultResponse`, `${stem}Result`, 'Result'].find((each) => each in definitions)
    const tail = answer?.endsWith('Response') ? '/properties/result' : ''
    return [
      properties.method.const,
      {
        params: { allOf: [properties.params ?? {}, generic] },
        needsParams: required.includes('params'),
        result: { $ref: `#/${place}/${answer}${tail}` },
      },
    ]
  }
  return {
    definitions,
    judge: (schema) => ajv.compile<unknown>(fromOutside(schema)),
    methodsIn: (union) => {
      const members = definitions[union] ? (definitions[union].anyOf ?? [definitions[union]]) : []
      return new Map(members.map(read))
    },
  }
}

/** The same schema, whose references lead to the document that a validator knows as "official". */
function fromOutside(schema: JsonSchema): Exclude<JsonSchema, boolean> {
  const referring = (key: string, value: unknown) => (key === '$ref' ? `official${value}` : value)
  return JSON.parse(JSON.stringify({ allOf: [schema] }), referring)
}
