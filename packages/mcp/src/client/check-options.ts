import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { isObject } from '../wire/messages.ts'
import type { ClientOptions } from './client-options.ts'

type Checked = Pick<ClientOptions, 'sampling' | 'elicitation' | 'roots' | 'signal' | 'use' | 'onLog' | 'onWarning'>

/** Refuses options of a client that could not work; types do not help in plain JavaScript. */
export function checkClientOptions(options: Checked & { readonly auth?: unknown }): void {
  for (const [name, { isGood, wanted }] of Object.entries(rules)) {
    const value = (options as { readonly [name: string]: unknown })[name]
    if (value === undefined || isGood(value)) continue
    throw new McpError('Misuse', `Cannot connect: "${name}" must be ${wanted}, not ${kindOf(value)}`)
  }
}

interface Rule {
  isGood(value: unknown): boolean
  readonly wanted: string
}

const isFunction = (value: unknown): boolean => typeof value === 'function'
const hasFunction = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.some((name) => isFunction(value[name]))
const isRoot = (value: unknown): boolean => isObject(value) && typeof value.uri === 'string'

const rules: { readonly [name: string]: Rule } = {
  sampling: {
    isGood: (value) => isFunction(value) || hasFunction(value, 'sample'),
    wanted: 'a function that answers for the model, or { sample, tools }',
  },
  elicitation: {
    isGood: (value) => isFunction(value) || hasFunction(value, 'form', 'url'),
    wanted: 'a function that answers forms, or { form, url }',
  },
  roots: {
    isGood: (value) => Array.isArray(value) && value.every(isRoot),
    wanted: 'a list of roots such as [{ uri: "file:///home/me/project" }]',
  },
  signal: { isGood: (value) => hasFunction(value, 'throwIfAborted'), wanted: 'an AbortSignal' },
  use: { isGood: (value) => Array.isArray(value) && value.every(isFunction), wanted: 'a list of interceptors' },
  onLog: { isGood: isFunction, wanted: 'a function' },
  onWarning: { isGood: isFunction, wanted: 'a function' },
  auth: {
    isGood: (value) => hasFunction(value, 'authorize'),
    wanted: 'an authorizer such as signIn() returns (a fixed token goes into "http.headers")',
  },
}
