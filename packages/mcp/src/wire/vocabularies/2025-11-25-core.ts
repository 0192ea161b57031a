import {
  anyObject,
  array,
  boolean,
  either,
  extend,
  id,
  integer,
  literal,
  membersOf,
  number,
  object,
  oneOfWords,
  oneOrMany,
  optional,
  string,
  tagged,
} from '../shape.ts'
import { definition20250618 as before } from './2025-06-18.ts'
import { revise } from './definition.ts'

/** 2025-11-25 without its experiment, tasks: icons, tools inside sampling, elicitation by URL and with more choices. */
export const core = revise(before, {
  revision: '2025-11-25',
  added: {
    Icon: () =>
      object({
        src: string,
        mimeType: optional(string),
        sizes: optional(array(string)),
        theme: optional(oneOfWords('light', 'dark')),
      }),
    Icons: (t) => object({ icons: optional(array(t.Icon)) }),

    ToolChoice: () => object({ mode: optional(oneOfWords('auto', 'required', 'none')) }),
    ToolUseContent: () =>
      object({ type: literal('tool_use'), id: string, name: string, input: anyObject, _meta: optional(anyObject) }),
    ToolResultContent: (t) =>
      object({
        type: literal('tool_result'),
        toolUseId: string,
        content: array(t.ContentBlock),
        structuredContent: optional(anyObject),
        isError: optional(boolean),
        _meta: optional(anyObject),
      }),

    ElicitRequestFormParams: (t) =>
      extend(t.InputRequestParams, {
        mode: optional(literal('form')),
        message: string,
        requestedSchema: t.ElicitSchema,
      }),
    ElicitRequestURLParams: (t) =>
      extend(t.InputRequestParams, { mode: literal('url'), message: string, url: string, elicitationId: string }),
    ElicitationCompleteNotificationParams: (t) => extend(t.NotificationParams, { elicitationId: string }),
    EnumOption: () => object({ const: string, title: string }),
    MultiSelectEnumSchema: (t) =>
      object({
        type: literal('array'),
        title: optional(string),
        description: optional(string),
        minItems: optional(integer),
        maxItems: optional(integer),
        items: either(object({ type: literal('string'), enum: array(string) }), object({ anyOf: array(t.EnumOption) })),
        default: optional(array(string)),
      }),
  },
  changed: {
    CancelledNotificationParams: (was) => extend(was, { requestId: optional(id) }),
    ClientCapabilities: (was) =>
      extend(was, {
        sampling: optional(object({ context: optional(anyObject), tools: optional(anyObject) })),
        elicitation: optional(object({ form: optional(anyObject), url: optional(anyObject) })),
      }),
    Implementation: (was, t) =>
      extend(was, { description: optional(string), websiteUrl: optional(string), ...membersOf(t.Icons) }),
    Tool: (was, t) => extend(was, membersOf(t.Icons)),
    ToolSchema: (was) => extend(was, { $schema: optional(string) }),
    Resource: (was, t) => extend(was, membersOf(t.Icons)),
    ResourceTemplate: (was, t) => extend(was, membersOf(t.Icons)),
    Prompt: (was, t) => extend(was, membersOf(t.Icons)),

    SamplingMessageContentBlock: (_, t) =>
      tagged('type', {
        text: t.TextContent,
        image: t.ImageContent,
        audio: t.AudioContent,
        tool_use: t.ToolUseContent,
        tool_result: t.ToolResultContent,
      }),
    SamplingMessage: (was, t) =>
      extend(was, { content: oneOrMany(t.SamplingMessageContentBlock), _meta: optional(anyObject) }),
    CreateMessageRequestParams: (was, t) =>
      extend(was, { tools: optional(array(t.Tool)), toolChoice: optional(t.ToolChoice) }),
    CreateMessageResult: (was, t) => extend(was, { content: oneOrMany(t.SamplingMessageContentBlock) }),

    ElicitRequestParams: (_, t) =>
      tagged('mode', { form: t.ElicitRequestFormParams, url: t.ElicitRequestURLParams }, { absent: 'form' }),
    ElicitSchema: (was) => extend(was, { $schema: optional(string) }),
    PrimitiveSchemaDefinition: (_, t) =>
      tagged('type', {
        string: t.StringSchema,
        number: t.NumberSchema,
        integer: t.NumberSchema,
        boolean: t.BooleanSchema,
        array: t.MultiSelectEnumSchema,
      }),
    StringSchema: (was, t) => extend(was, { oneOf: optional(array(t.EnumOption)), default: optional(string) }),
    NumberSchema: (was) => extend(was, { default: optional(number) }),
    ElicitedValue: (was) => either(was, array(string)),
  },
  server: (t, inputs) => {
    const { requests, notifications } = before.server(t, inputs)
    return {
      requests,
      notifications: {
        ...notifications,
        'notifications/elicitation/complete': t.ElicitationCompleteNotificationParams,
      },
    }
  },
})
