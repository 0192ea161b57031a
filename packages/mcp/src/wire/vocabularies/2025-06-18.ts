import {
  anyObject,
  array,
  boolean,
  either,
  extend,
  integer,
  literal,
  number,
  object,
  oneOfWords,
  optional,
  record,
  string,
  tagged,
} from '../shape.ts'
import { definition20250326 as before } from './2025-03-26.ts'
import { revise, vocabularyOf } from './definition.ts'

const title = optional(string)
const description = optional(string)
const _meta = optional(anyObject)

/** Elicitation, structured tool output, links to resources, and titles and `_meta` nearly everywhere. */
export const definition20250618 = revise(before, {
  revision: '2025-06-18',
  added: {
    ResourceLink: (t) => extend(t.Resource, { type: literal('resource_link') }),

    ElicitRequestParams: (t) => extend(t.InputRequestParams, { message: string, requestedSchema: t.ElicitSchema }),
    ElicitSchema: (t) =>
      object({
        type: literal('object'),
        properties: record(t.PrimitiveSchemaDefinition),
        required: optional(array(string)),
      }),
    PrimitiveSchemaDefinition: (t) =>
      tagged('type', {
        string: t.StringSchema,
        number: t.NumberSchema,
        integer: t.NumberSchema,
        boolean: t.BooleanSchema,
      }),
    StringSchema: () =>
      object({
        type: literal('string'),
        title,
        description,
        minLength: optional(integer),
        maxLength: optional(integer),
        format: optional(oneOfWords('email', 'uri', 'date', 'date-time')),
        enum: optional(array(string)),
        enumNames: optional(array(string)),
      }),
    NumberSchema: () =>
      object({
        type: oneOfWords('number', 'integer'),
        title,
        description,
        minimum: optional(number),
        maximum: optional(number),
      }),
    BooleanSchema: () => object({ type: literal('boolean'), title, description, default: optional(boolean) }),
    ElicitResult: (t) =>
      extend(t.InputResult, {
        action: oneOfWords('accept', 'decline', 'cancel'),
        content: optional(record(t.ElicitedValue)),
      }),
    ElicitedValue: () => either(string, number, boolean),
  },
  changed: {
    Annotations: (was) => extend(was, { lastModified: optional(string) }),
    TextContent: (was) => extend(was, { _meta }),
    ImageContent: (was) => extend(was, { _meta }),
    AudioContent: (was) => extend(was, { _meta }),
    EmbeddedResource: (was) => extend(was, { _meta }),
    ResourceContents: (was) => extend(was, { _meta }),
    ContentBlock: (_, t) =>
      tagged('type', {
        text: t.TextContent,
        image: t.ImageContent,
        audio: t.AudioContent,
        resource_link: t.ResourceLink,
        resource: t.EmbeddedResource,
      }),
    Tool: (was, t) => extend(was, { title, outputSchema: optional(t.ToolSchema), _meta }),
    CallToolResult: (was) => extend(was, { structuredContent: optional(anyObject) }),
    Resource: (was) => extend(was, { title, _meta }),
    ResourceTemplate: (was) => extend(was, { title, _meta }),
    Prompt: (was) => extend(was, { title, _meta }),
    PromptArgument: (was) => extend(was, { title }),
    PromptReference: (was) => extend(was, { title }),
    CompleteRequestParams: (was) => extend(was, { context: optional(object({ arguments: optional(record(string)) })) }),
    Implementation: (was) => extend(was, { title }),
    Root: (was) => extend(was, { _meta }),
    ClientCapabilities: (was) => extend(was, { elicitation: optional(anyObject) }),
  },
  inputs: (t) => ({
    ...before.inputs(t),
    'elicitation/create': { params: t.ElicitRequestParams, result: t.ElicitResult },
  }),
})

/** The vocabulary of 2025-06-18. */
export const vocabulary20250618 = vocabularyOf(definition20250618)
