import type { ServerCapabilities } from './input.ts'
import type { Change } from './types.ts'

/** Facts about a method that hold in every revision. */
export interface Method {
  /** The server capability without which the method does not exist. */
  readonly needs?: keyof ServerCapabilities
  /** The parameter that names the target. */
  readonly named?: string
  /** True if the handler may ask the client for input. */
  readonly asks?: true
  /** The member of the result that holds a page of items. */
  readonly paged?: string
  /** The type of those items. */
  readonly itemType?: string
  /** True if the result has a cache hint. */
  readonly cacheable?: true
  /** The kind of change that makes a cached result stale. */
  readonly staleAfter?: Change['kind']
  /** True if repeating the call is harmless. */
  readonly repeatable?: true
}

const list = { cacheable: true, repeatable: true } as const
const templates = { paged: 'resourceTemplates', itemType: 'ResourceTemplate' } as const

/** Every request a client may make of a server's features. */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['tools/list', { needs: 'tools', paged: 'tools', itemType: 'Tool', staleAfter: 'tools', ...list }],
  ['tools/call', { needs: 'tools', named: 'name', asks: true }],
  [
    'resources/list',
    { needs: 'resources', paged: 'resources', itemType: 'Resource', staleAfter: 'resources', ...list },
  ],
  ['resources/templates/list', { needs: 'resources', ...templates, staleAfter: 'resources', ...list }],
  ['resources/read', { needs: 'resources', named: 'uri', asks: true, staleAfter: 'resource', ...list }],
  ['resources/subscribe', { needs: 'resources', repeatable: true }],
  ['resources/unsubscribe', { needs: 'resources', repeatable: true }],
  ['prompts/list', { needs: 'prompts', paged: 'prompts', itemType: 'Prompt', staleAfter: 'prompts', ...list }],
  ['prompts/get', { needs: 'prompts', named: 'name', asks: true, repeatable: true }],
  ['completion/complete', { needs: 'completions', repeatable: true }],
  ['tasks/get', { needs: 'tasks', named: 'taskId', repeatable: true }],
  ['tasks/result', { needs: 'tasks', named: 'taskId', repeatable: true }],
  ['tasks/cancel', { needs: 'tasks', named: 'taskId', repeatable: true }],
  ['tasks/list', { needs: 'tasks', paged: 'tasks', itemType: 'Task', repeatable: true }],
  ['logging/setLevel', { needs: 'logging', repeatable: true }],
])
