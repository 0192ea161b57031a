/** Facts about the features of servers; every table of methods, lists and notifications is made of them. */
import type { Change, ServerCapabilities } from './types.ts'

/** A feature by the name of its capability. */
export type FeatureName = 'tools' | 'prompts' | 'resources' | 'completions'

/** A list whose changes a client can watch. */
export type ListKind = Exclude<Change['kind'], 'resource'>

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

/** The words by which a change of a list is announced. */
interface ListChange {
  /** The notification of the server. */
  readonly notification: string
  /** The member of a listen filter that asks for it. */
  readonly filter: string
}

interface FeatureFacts {
  /** Its methods; each needs the capability of the feature. */
  readonly methods: { readonly [method: string]: Omit<Method, 'needs'> }
  /** The changes of its list, if it has one that can be watched. */
  readonly listChange?: ListChange
}

type Facts<Names extends keyof ServerCapabilities> = { readonly [Name in Names]: FeatureFacts }

const list = { cacheable: true, repeatable: true } as const
const templates = { paged: 'resourceTemplates', itemType: 'ResourceTemplate' } as const

const features = {
  tools: {
    methods: {
      'tools/list': { paged: 'tools', itemType: 'Tool', staleAfter: 'tools', ...list },
      'tools/call': { named: 'name', asks: true },
    },
    listChange: { notification: 'notifications/tools/list_changed', filter: 'toolsListChanged' },
  },
  prompts: {
    methods: {
      'prompts/list': { paged: 'prompts', itemType: 'Prompt', staleAfter: 'prompts', ...list },
      'prompts/get': { named: 'name', asks: true, repeatable: true },
    },
    listChange: { notification: 'notifications/prompts/list_changed', filter: 'promptsListChanged' },
  },
  resources: {
    methods: {
      'resources/list': { paged: 'resources', itemType: 'Resource', staleAfter: 'resources', ...list },
      'resources/templates/list': { ...templates, staleAfter: 'resources', ...list },
      'resources/read': { named: 'uri', asks: true, staleAfter: 'resource', ...list },
      'resources/subscribe': { repeatable: true },
      'resources/unsubscribe': { repeatable: true },
    },
    listChange: { notification: 'notifications/resources/list_changed', filter: 'resourcesListChanged' },
  },
  completions: { methods: { 'completion/complete': { repeatable: true } } },
} as const satisfies Facts<FeatureName> & { readonly [Kind in ListKind]: { readonly listChange: ListChange } }

/** Capabilities that no author declares: an extension serves tasks, and the dialects serve logging. */
const others = {
  tasks: {
    methods: {
      'tasks/get': { named: 'taskId', repeatable: true },
      'tasks/result': { named: 'taskId', repeatable: true },
      'tasks/cancel': { named: 'taskId', repeatable: true },
      'tasks/list': { paged: 'tasks', itemType: 'Task', repeatable: true },
    },
  },
  logging: { methods: { 'logging/setLevel': { repeatable: true } } },
} as const satisfies Facts<'tasks' | 'logging'>

/** The features that an author can declare. */
export const featureNames = Object.keys(features) as readonly FeatureName[]

/** Every request a client may make of a server's features. */
export const methods: ReadonlyMap<string, Method> = new Map(Object.entries({ ...features, ...others }).flatMap(rowsOf))

/** The words of a listen filter. */
export type ListFilter = (typeof features)[ListKind]['listChange']['filter']

/** Every list that can be watched, with the words that announce its changes. */
export const watchedLists = Object.entries<FeatureFacts>(features).flatMap(([kind, { listChange }]) =>
  listChange ? [{ kind, ...listChange }] : [],
) as readonly (ListChange & { readonly kind: ListKind; readonly filter: ListFilter })[]

function rowsOf([name, { methods: own }]: [string, FeatureFacts]): [string, Method][] {
  const needs = name as keyof ServerCapabilities
  return Object.entries(own).map(([method, row]) => [method, { needs, ...row }])
}
