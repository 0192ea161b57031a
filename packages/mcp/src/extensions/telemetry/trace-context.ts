import type { Context, TextMapGetter } from '@opentelemetry/api'
import { type Fields, isObject } from '../../wire/messages.ts'
import type { Api } from './opentelemetry-api.ts'

const fromMeta: TextMapGetter<Fields> = {
  keys: (meta) => Object.keys(meta),
  get: (meta, key) => (typeof meta[key] === 'string' ? meta[key] : undefined),
}

/** Extracts the trace context of a request. */
export function extract({ propagation }: Api, { _meta }: Fields, ambient: Context): Context {
  return isObject(_meta) ? propagation.extract(ambient, _meta, fromMeta) : ambient
}

/** Injects the trace context into params; keeps what is already there. */
export function inject({ propagation }: Api, params: Fields, inside: Context): Fields {
  const carried: { [name: string]: string } = {}
  propagation.inject(inside, carried)
  if (Object.keys(carried).length === 0) return params
  return { ...params, _meta: { ...carried, ...(params._meta as Fields | undefined) } }
}
