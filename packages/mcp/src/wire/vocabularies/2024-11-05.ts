import {
  anyObject,
  anything,
  array,
  between,
  boolean,
  either,
  extend,
  id,
  integer,
  literal,
  needing,
  number,
  object,
  oneOfWords,
  optional,
  record,
  string,
  tagged,
} from '../shape.ts'
import { define, vocabularyOf } from './definition.ts'

/** The first revision in full; later ones are written as changes. */
export const definition20241105 = define({
  revision: '2024-11-05',
  types: {
    RequestMetaObject: () => object({ progressToken: optional(id) }),
    RequestParams: (t) => object({ _meta: optional(t.RequestMetaObject) }),
    NotificationParams: () => object({ _meta: optional(anyObject) }),
    Result: () => object({ _meta: optional(anyObject) }),
    PaginatedRequestParams: (t) => extend(t.RequestParams, { cursor: optional(string) }),
    PaginatedResult: (t) => extend(t.Result, { nextCursor: optional(string) }),
    CancelledNotificationParams: (t) => extend(t.NotificationParams, { requestId: id, reason: optional(string) }),
    ProgressNotificationParams: (t) =>
      extend(t.NotificationParams, { progressToken: id, progress: number, total: optional(number) }),

    Implementation: () => object({ name: string, version: string }),
    ClientCapabilities: () =>
      object({
        experimental: optional(record(anyObject)),
        roots: optional(object({ listChanged: optional(boolean) })),
        sampling: optional(anyObject),
      }),
    ServerCapabilities: () =>
      object({
        experimental: optional(record(anyObject)),
        logging: optional(anyObject),
        prompts: optional(object({ listChanged: optional(boolean) })),
        resources: optional(object({ subscribe: optional(boolean), listChanged: optional(boolean) })),
        tools: optional(object({ listChanged: optional(boolean) })),
      }),
    InitializeRequestParams: (t) =>
      extend(t.RequestParams, {
        protocolVersion: string,
        capabilities: t.ClientCapabilities,
        clientInfo: t.Implementation,
      }),
    InitializeResult: (t) =>
      extend(t.Result, {
        protocolVersion: string,
        capabilities: t.ServerCapabilities,
        serverInfo: t.Implementation,
        instructions: optional(string),
      }),

    Role: () => oneOfWords('user', 'assistant'),
    Annotations: (t) => object({ audience: optional(array(t.Role)), priority: optional(between(0, 1)) }),
    TextContent: (t) => object({ type: literal('text'), text: string, annotations: optional(t.Annotations) }),
    ImageContent: (t) =>
      object({ type: literal('image'), data: string, mimeType: string, annotations: optional(t.Annotations) }),
    EmbeddedResource: (t) =>
      object({ type: literal('resource'), resource: t.TextOrBlob, annotations: optional(t.Annotations) }),
    ContentBlock: (t) => tagged('type', { text: t.TextContent, image: t.ImageContent, resource: t.EmbeddedResource }),

    Tool: (t) => object({ name: string, description: optional(string), inputSchema: t.ToolSchema }),
    // a schema may be `true` instead of `{}`, and servers written in Go send it
    ToolSchema: () =>
      object({
        type: literal('object'),
        properties: optional(record(either(anyObject, boolean))),
        required: optional(array(string)),
      }),
    ListToolsResult: (t) => extend(t.PaginatedResult, { tools: array(t.Tool) }),
    CallToolRequestParams: (t) => extend(t.RequestParams, { name: string, arguments: optional(anyObject) }),
    CallToolResult: (t) => extend(t.Result, { content: array(t.ContentBlock), isError: optional(boolean) }),

    Resource: (t) =>
      object({
        uri: string,
        name: string,
        description: optional(string),
        mimeType: optional(string),
        size: optional(integer),
        annotations: optional(t.Annotations),
      }),
    ResourceTemplate: (t) =>
      object({
        uriTemplate: string,
        name: string,
        description: optional(string),
        mimeType: optional(string),
        annotations: optional(t.Annotations),
      }),
    ResourceContents: () => object({ uri: string, mimeType: optional(string) }),
    TextResourceContents: (t) => extend(t.ResourceContents, { text: string }),
    BlobResourceContents: (t) => extend(t.ResourceContents, { blob: string }),
    TextOrBlob: (t) =>
      needing(['text', 'blob'], extend(t.ResourceContents, { text: optional(string), blob: optional(string) })),
    ListResourcesResult: (t) => extend(t.PaginatedResult, { resources: array(t.Resource) }),
    ListResourceTemplatesResult: (t) => extend(t.PaginatedResult, { resourceTemplates: array(t.ResourceTemplate) }),
    ResourceRequestParams: (t) => extend(t.RequestParams, { uri: string }),
    ReadResourceRequestParams: (t) => t.ResourceRequestParams,
    ReadResourceResult: (t) => extend(t.Result, { contents: array(t.TextOrBlob) }),
    ResourceUpdatedNotificationParams: (t) => extend(t.NotificationParams, { uri: string }),

    Prompt: (t) =>
      object({ name: string, description: optional(string), arguments: optional(array(t.PromptArgument)) }),
    PromptArgument: () => object({ name: string, description: optional(string), required: optional(boolean) }),
    PromptMessage: (t) => object({ role: t.Role, content: t.ContentBlock }),
    ListPromptsResult: (t) => extend(t.PaginatedResult, { prompts: array(t.Prompt) }),
    GetPromptRequestParams: (t) => extend(t.RequestParams, { name: string, arguments: optional(record(string)) }),
    GetPromptResult: (t) => extend(t.Result, { description: optional(string), messages: array(t.PromptMessage) }),

    PromptReference: () => object({ type: literal('ref/prompt'), name: string }),
    ResourceTemplateReference: () => object({ type: literal('ref/resource'), uri: string }),
    CompleteRequestParams: (t) =>
      extend(t.RequestParams, {
        ref: tagged('type', { 'ref/prompt': t.PromptReference, 'ref/resource': t.ResourceTemplateReference }),
        argument: object({ name: string, value: string }),
      }),
    CompleteResult: (t) =>
      extend(t.Result, {
        completion: object({ values: array(string), total: optional(integer), hasMore: optional(boolean) }),
      }),

    LoggingLevel: () => oneOfWords('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'),
    SetLevelRequestParams: (t) => extend(t.RequestParams, { level: t.LoggingLevel }),
    LoggingMessageNotificationParams: (t) =>
      extend(t.NotificationParams, { level: t.LoggingLevel, logger: optional(string), data: anything }),

    // what a server asks a client, and is answered
    InputRequestParams: (t) => t.RequestParams,
    InputResult: (t) => t.Result,
    Root: () => object({ uri: string, name: optional(string) }),
    ListRootsResult: (t) => extend(t.InputResult, { roots: array(t.Root) }),
    SamplingMessageContentBlock: (t) => tagged('type', { text: t.TextContent, image: t.ImageContent }),
    SamplingMessage: (t) => object({ role: t.Role, content: t.SamplingMessageContentBlock }),
    ModelHint: () => object({ name: optional(string) }),
    ModelPreferences: (t) =>
      object({
        hints: optional(array(t.ModelHint)),
        costPriority: optional(between(0, 1)),
        speedPriority: optional(between(0, 1)),
        intelligencePriority: optional(between(0, 1)),
      }),
    CreateMessageRequestParams: (t) =>
      extend(t.InputRequestParams, {
        messages: array(t.SamplingMessage),
        modelPreferences: optional(t.ModelPreferences),
        systemPrompt: optional(string),
        includeContext: optional(oneOfWords('none', 'thisServer', 'allServers')),
        temperature: optional(number),
        maxTokens: integer,
        stopSequences: optional(array(string)),
        metadata: optional(anyObject),
      }),
    CreateMessageResult: (t) =>
      extend(t.InputResult, {
        role: t.Role,
        content: t.SamplingMessageContentBlock,
        model: string,
        stopReason: optional(string),
      }),
  },
  client: (t) => ({
    requests: {
      initialize: { params: t.InitializeRequestParams, result: t.InitializeResult },
      ping: { params: optional(t.RequestParams), result: t.Result },
      'tools/list': { params: optional(t.PaginatedRequestParams), result: t.ListToolsResult },
      'tools/call': { params: t.CallToolRequestParams, result: t.CallToolResult },
      'resources/list': { params: optional(t.PaginatedRequestParams), result: t.ListResourcesResult },
      'resources/templates/list': {
        params: optional(t.PaginatedRequestParams),
        result: t.ListResourceTemplatesResult,
      },
      'resources/read': { params: t.ReadResourceRequestParams, result: t.ReadResourceResult },
      'resources/subscribe': { params: t.ResourceRequestParams, result: t.Result },
      'resources/unsubscribe': { params: t.ResourceRequestParams, result: t.Result },
      'prompts/list': { params: optional(t.PaginatedRequestParams), result: t.ListPromptsResult },
      'prompts/get': { params: t.GetPromptRequestParams, result: t.GetPromptResult },
      'completion/complete': { params: t.CompleteRequestParams, result: t.CompleteResult },
      'logging/setLevel': { params: t.SetLevelRequestParams, result: t.Result },
    },
    notifications: {
      'notifications/initialized': optional(t.NotificationParams),
      'notifications/cancelled': t.CancelledNotificationParams,
      'notifications/progress': t.ProgressNotificationParams,
      'notifications/roots/list_changed': optional(t.NotificationParams),
    },
  }),
  server: (t, inputs) => ({
    requests: { ping: { params: optional(t.RequestParams), result: t.Result }, ...inputs },
    notifications: {
      'notifications/cancelled': t.CancelledNotificationParams,
      'notifications/progress': t.ProgressNotificationParams,
      'notifications/message': t.LoggingMessageNotificationParams,
      'notifications/tools/list_changed': optional(t.NotificationParams),
      'notifications/resources/list_changed': optional(t.NotificationParams),
      'notifications/resources/updated': t.ResourceUpdatedNotificationParams,
      'notifications/prompts/list_changed': optional(t.NotificationParams),
    },
  }),
  inputs: (t) => ({
    'roots/list': { params: optional(t.InputRequestParams), result: t.ListRootsResult },
    'sampling/createMessage': { params: t.CreateMessageRequestParams, result: t.CreateMessageResult },
  }),
})

/** The vocabulary of 2024-11-05. */
export const vocabulary20241105 = vocabularyOf(definition20241105)
