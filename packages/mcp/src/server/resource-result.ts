import type { ReadResourceResult } from '../model/types.ts'
import { base64, bytesOf } from '../wire/base64.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { jsonOf, type Returning, refuseResult } from './bad-result.ts'
import { wireShapeOf } from './wire-shapes.ts'

/** The URI and MIME type of what is read. */
interface Address {
  readonly uri: string
  readonly mimeType?: string
}

/** The result of reading a resource from what its handler returned. */
export function resourceResult(value: unknown, address: Address, resource: Returning): ReadResourceResult & Fields {
  if (typeof value === 'string') return { contents: [{ ...address, text: value }] }
  const bytes = bytesOf(value)
  if (bytes) return { contents: [{ ...address, blob: base64(bytes) }] }
  const result = jsonOf(spelledOut(value, resource), resource) as ReadResourceResult & Fields
  const problem = wireShapeOf('ReadResourceResult').check(result)
  if (problem) refuseResult(resource, `what clients cannot read: ${describeShapeProblem(problem)}. Return ${wanted}`)
  return result
}

const wanted = 'text, bytes, or { uri, text }'

function spelledOut(value: unknown, resource: Returning): Fields {
  if (typeof value !== 'object' || value === null) return refuseResult(resource, `${value}: return ${wanted}`)
  if (isObject(value) && Array.isArray(value.contents)) return value
  return { contents: Array.isArray(value) ? value : [value] }
}
