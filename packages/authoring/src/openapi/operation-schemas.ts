import type { Fields } from '@trunkline/mcp'
import type { ApiOperation } from './operation.ts'
import { SchemaCopier } from './tool-schema.ts'

/** The input schema of an operation: its parameters by name, and `body`. */
export function operationInput(operation: ApiOperation, root: Fields): Fields {
  const copier = new SchemaCopier(root)
  const { parameters, body } = operation
  const members = parameters.map(({ argument, schema, description }) => {
    const copied = copier.copy(schema)
    const says = description === undefined ? {} : { description }
    // beside a reference older validators ignore what is said
    return [
      argument,
      typeof copied === 'object' && '$ref' in copied
        ? { allOf: [copied], ...says }
        : { ...(copied as Fields), ...says },
    ]
  })
  const required = [
    ...parameters.filter((one) => one.required).map(({ argument }) => argument),
    ...(body?.required ? ['body'] : []),
  ]
  return {
    type: 'object',
    properties: { ...Object.fromEntries(members), ...(body && { body: bodySchema(operation, copier) }) },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...copier.definitions,
  }
}

function bodySchema({ body }: ApiOperation, copier: SchemaCopier): Fields | boolean {
  if (body === undefined || /json|form/.test(body.mediaType)) return copier.copy(body?.schema)
  const isText = body.mediaType.startsWith('text/')
  return { type: 'string', description: isText ? body.mediaType : `${body.mediaType}, as base64` }
}

/** The output schema of an operation; what went wrong is no part of it. */
export function operationOutput({ answer }: ApiOperation, root: Fields): Fields {
  const copier = new SchemaCopier(root)
  const body = answer === undefined ? {} : copier.copy(answer)
  return {
    type: 'object',
    properties: { status: { type: 'integer' }, body },
    required: answer === undefined ? ['status'] : ['status', 'body'],
    ...copier.definitions,
  }
}
