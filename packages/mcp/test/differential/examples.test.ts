import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { classify, Malformed } from '../../src/wire/classify.ts'
import type { Shape } from '../../src/wire/shape.ts'
import { vocabulary20260728 } from '../../src/wire/vocabularies/2026-07-28.ts'
import { skip, specFolder } from './referee.ts'

const { client, server, inputs, types } = vocabulary20260728

/** The responses whose examples do not tell what they answer. */
const answered: { readonly [type: string]: string } = {
  CallToolResultResponse: 'tools/call',
  CompleteResultResponse: 'completion/complete',
  DiscoverResultResponse: 'server/discover',
  GetPromptResultResponse: 'prompts/get',
  ListPromptsResultResponse: 'prompts/list',
  ListResourceTemplatesResultResponse: 'resources/templates/list',
  ListResourcesResultResponse: 'resources/list',
  ListToolsResultResponse: 'tools/list',
  ReadResourceResultResponse: 'resources/read',
  SubscriptionsListenResultResponse: 'subscriptions/listen',
}

describe('the official examples of 2026-07-28', { skip }, () => {
  if (specFolder === undefined) return
  const folder = join(specFolder, 'examples-2026-07-28')
  for (const type of readdirSync(folder)) {
    for (const file of readdirSync(join(folder, type))) {
      const example = JSON.parse(readFileSync(join(folder, type, file), 'utf8'))
      test(`${type}/${file} fits`, () => checkExample(type, example))
    }
  }
})

interface Example {
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

function checkExample(type: string, example: Example): void {
  if (type.endsWith('Error')) {
    const failure = classify({ jsonrpc: '2.0', id: 1, error: example.error ?? example })
    return assert.ok(!(failure instanceof Malformed))
  }
  if (example.method !== undefined) return fits(paramsOf(example.method), example.params)
  if (type.endsWith('ResultResponse')) return fits(client.requests.get(answered[type] ?? '')?.result, example.result)
  fits(types[type] ?? (type.endsWith('SelectEnumSchema') ? types.PrimitiveSchemaDefinition : undefined), example)
}

function paramsOf(method: string): Shape | undefined {
  const exchange = client.requests.get(method) ?? inputs.get(method)
  return exchange?.params ?? server.notifications.get(method)
}

function fits(shape: Shape | undefined, value: unknown): void {
  assert.ok(shape, 'there is no such shape')
  assert.equal(shape.check(value), undefined)
}
