import { type Fields, isObject } from '../wire/messages.ts'
import type { AnswerInput } from './dialect.ts'
import type { Facts } from './revision-facts.ts'

/** Wraps an answerer for a revision: decodes the request to the newest form, and encodes the answer. */
export function answerInRevision(answer: AnswerInput, facts: Facts): AnswerInput {
  return async (method, params, during) => {
    if (method === 'elicitation/create') {
      return answer(method, readElicitation(params), { context: undefined, ...during, original: params })
    }
    const result = await answer(method, params, during)
    return method === 'sampling/createMessage' ? encodeSample(result, facts) : result
  }
}

function readElicitation(params: Fields): Fields {
  if (params.mode === 'url') return params
  const schema = params.requestedSchema
  if (!isObject(schema) || !isObject(schema.properties)) return { ...params, mode: 'form' }
  const properties = Object.entries(schema.properties).map(([name, field]) => [
    name,
    isObject(field) ? readField(field) : field,
  ])
  return { ...params, mode: 'form', requestedSchema: { ...schema, properties: Object.fromEntries(properties) } }
}

function readField(field: Fields): Fields {
  const { enumNames, enum: values, ...rest } = field
  if (!Array.isArray(values) || !Array.isArray(enumNames)) return field
  return { ...rest, oneOf: values.map((value, at) => ({ const: value, title: String(enumNames[at] ?? value) })) }
}

function encodeSample(result: Fields, { manyContents }: Facts): Fields {
  const { content } = result
  return !manyContents && Array.isArray(content) && content.length === 1 ? { ...result, content: content[0] } : result
}
