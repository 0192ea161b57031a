import {
  anyObject,
  anything,
  array,
  boolean,
  either,
  extend,
  id,
  integer,
  literal,
  membersOf,
  needing,
  object,
  oneOfWords,
  optional,
  record,
  type Shape,
  string,
  tagged,
} from '../shape.ts'
import { core as before } from './2025-11-25-core.ts'
import { revise, type Types, vocabularyOf } from './definition.ts'

/** Requests carry their metadata, results their type, and servers ask for input in results. */
const definition = revise(before, {
  revision: '2026-07-28',
  removed: [
    'InitializeRequestParams',
    'InitializeResult',
    'SetLevelRequestParams',
    'ElicitationCompleteNotificationParams',
  ],
  added: {
    ResultMetaObject: (t) => object({ 'io.modelcontextprotocol/serverInfo': optional(t.Implementation) }),
    NotificationMetaObject: () => object({ 'io.modelcontextprotocol/subscriptionId': optional(id) }),

    // a client makes do with hints that are missing or negative
    CacheableResult: (t) =>
      extend(t.Result, { ttlMs: optional(integer), cacheScope: optional(oneOfWords('public', 'private')) }),
    DiscoverResult: (t) =>
      extend(t.CacheableResult, {
        supportedVersions: array(string),
        capabilities: t.ServerCapabilities,
        instructions: optional(string),
      }),

    InputRequest: (t) =>
      tagged('method', {
        'roots/list': object({ method: literal('roots/list'), params: optional(t.InputRequestParams) }),
        'sampling/createMessage': object({
          method: literal('sampling/createMessage'),
          params: t.CreateMessageRequestParams,
        }),
        'elicitation/create': object({ method: literal('elicitation/create'), params: t.ElicitRequestParams }),
      }),
    InputRequests: (t) => record(t.InputRequest),
    InputRequiredResult: (t) =>
      needing(
        ['inputRequests', 'requestState'],
        extend(t.Result, { inputRequests: optional(t.InputRequests), requestState: optional(string) }),
      ),
    InputResponse: (t) => either(t.ElicitResult, t.CreateMessageResult, t.ListRootsResult),
    InputResponses: (t) => record(t.InputResponse),
    InputResponseRequestParams: (t) =>
      extend(t.RequestParams, { inputResponses: optional(t.InputResponses), requestState: optional(string) }),

    SubscriptionFilter: () =>
      object({
        toolsListChanged: optional(boolean),
        promptsListChanged: optional(boolean),
        resourcesListChanged: optional(boolean),
        resourceSubscriptions: optional(array(string)),
      }),
    SubscriptionsListenRequestParams: (t) => extend(t.RequestParams, { notifications: t.SubscriptionFilter }),
    SubscriptionsListenResult: (t) => extend(t.Result, { _meta: t.SubscriptionsListenResultMetaObject }),
    SubscriptionsListenResultMetaObject: (t) =>
      extend(t.ResultMetaObject, { 'io.modelcontextprotocol/subscriptionId': id }),
    SubscriptionsAcknowledgedNotificationParams: (t) =>
      extend(t.NotificationParams, { notifications: t.SubscriptionFilter }),
  },
  changed: {
    RequestMetaObject: (was, t) =>
      extend(was, {
        'io.modelcontextprotocol/protocolVersion': string,
        'io.modelcontextprotocol/clientCapabilities': t.ClientCapabilities,
        'io.modelcontextprotocol/clientInfo': optional(t.Implementation),
        'io.modelcontextprotocol/logLevel': optional(t.LoggingLevel),
      }),
    RequestParams: (_, t) => object({ _meta: t.RequestMetaObject }),
    NotificationParams: (_, t) => object({ _meta: optional(t.NotificationMetaObject) }),
    // absent means "complete"
    Result: (_, t) => object({ _meta: optional(t.ResultMetaObject), resultType: optional(string) }),
    InputRequestParams: () => object({ _meta: optional(anyObject) }),
    InputResult: () => object({ _meta: optional(anyObject) }),
    CancelledNotificationParams: (was) => extend(was, { requestId: id }),
    ClientCapabilities: (was) => extend(was, { roots: optional(anyObject), extensions: optional(record(anyObject)) }),
    ServerCapabilities: (was) => extend(was, { extensions: optional(record(anyObject)) }),

    Tool: (was) => extend(was, { outputSchema: optional(object({ $schema: optional(string) })) }),
    ToolSchema: () => object({ type: literal('object'), $schema: optional(string) }),
    ToolResultContent: (was) => extend(was, { structuredContent: optional(anything) }),
    ListToolsResult: cacheable,
    CallToolRequestParams: resumable,
    CallToolResult: (was) => extend(was, { structuredContent: optional(anything) }),
    ListResourcesResult: cacheable,
    ListResourceTemplatesResult: cacheable,
    ReadResourceRequestParams: resumable,
    ReadResourceResult: cacheable,
    ListPromptsResult: cacheable,
    GetPromptRequestParams: resumable,
    CompleteResult: (was) =>
      extend(was, {
        completion: object({ values: array(string, 100), total: optional(integer), hasMore: optional(boolean) }),
      }),
    ElicitRequestURLParams: (_, t) =>
      extend(t.InputRequestParams, { mode: literal('url'), message: string, url: string }),
  },
  client: (t) => ({
    requests: {
      'server/discover': { params: t.RequestParams, result: t.DiscoverResult },
      'tools/list': { params: t.PaginatedRequestParams, result: t.ListToolsResult },
      'tools/call': { params: t.CallToolRequestParams, result: asking(t.CallToolResult, t) },
      'resources/list': { params: t.PaginatedRequestParams, result: t.ListResourcesResult },
      'resources/templates/list': { params: t.PaginatedRequestParams, result: t.ListResourceTemplatesResult },
      'resources/read': { params: t.ReadResourceRequestParams, result: asking(t.ReadResourceResult, t) },
      'prompts/list': { params: t.PaginatedRequestParams, result: t.ListPromptsResult },
      'prompts/get': { params: t.GetPromptRequestParams, result: asking(t.GetPromptResult, t) },
      'completion/complete': { params: t.CompleteRequestParams, result: t.CompleteResult },
      'subscriptions/listen': { params: t.SubscriptionsListenRequestParams, result: t.SubscriptionsListenResult },
    },
    notifications: { 'notifications/cancelled': t.CancelledNotificationParams },
  }),
  server: (t) => ({
    requests: {},
    notifications: {
      'notifications/cancelled': t.CancelledNotificationParams,
      'notifications/progress': t.ProgressNotificationParams,
      'notifications/message': t.LoggingMessageNotificationParams,
      'notifications/tools/list_changed': optional(t.NotificationParams),
      'notifications/resources/list_changed': optional(t.NotificationParams),
      'notifications/resources/updated': t.ResourceUpdatedNotificationParams,
      'notifications/prompts/list_changed': optional(t.NotificationParams),
      'notifications/subscriptions/acknowledged': t.SubscriptionsAcknowledgedNotificationParams,
    },
  }),
})

/** The vocabulary of 2026-07-28. */
export const vocabulary20260728 = vocabularyOf(definition)

function cacheable(was: Shape, t: Types<'CacheableResult'>): Shape {
  return extend(was, membersOf(t.CacheableResult))
}

/** The request may be sent again with the answers it was asked for. */
function resumable(was: Shape, t: Types<'InputResponseRequestParams'>): Shape {
  return extend(was, membersOf(t.InputResponseRequestParams))
}

/** The result may be an input request; other types belong to extensions, which check them. */
function asking(result: Shape, t: Types<'InputRequiredResult' | 'Result'>): Shape {
  const cases = { complete: result, input_required: t.InputRequiredResult }
  return tagged('resultType', cases, { absent: 'complete', others: t.Result })
}
