import { type Adapted, type AnySchema, adapt } from '../schema/adapter.ts'
import { SchemaError } from '../schema/json-schema/schema-error.ts'
import type { Fields } from '../wire/messages.ts'

/** Adapts a schema of an offer; an error names the offer. */
export function adaptOfferSchema(what: string, member: string, schema: AnySchema | undefined): Adapted | undefined {
  if (schema === undefined) return undefined
  try {
    return adapt(schema, { trusted: true })
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    throw new SchemaError(`Cannot add ${what}: ${member}: ${error.message}`, { cause: error.cause })
  }
}

type Derive = () => Fields | Promise<Fields>

/** The JSON Schema of one member of an offer; an error names the member. */
export function deriveOfferSchema(member: string, derive: Derive | undefined): Fields | Promise<Fields> | undefined {
  const fail = (error: unknown): never => {
    if (!(error instanceof SchemaError)) throw error
    throw new SchemaError(`${member}: ${error.message}`, { cause: error })
  }
  try {
    const json = derive?.()
    return json instanceof Promise ? json.catch(fail) : json
  } catch (error) {
    return fail(error)
  }
}
