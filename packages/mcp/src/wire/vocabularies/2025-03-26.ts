import { anyObject, boolean, extend, literal, object, optional, string, tagged } from '../shape.ts'
import { definition20241105 as before } from './2024-11-05.ts'
import { revise, vocabularyOf } from './definition.ts'

/** Audio, hints about what a tool does, a message beside progress, and a capability for completion. */
export const definition20250326 = revise(before, {
  revision: '2025-03-26',
  added: {
    AudioContent: (t) =>
      object({ type: literal('audio'), data: string, mimeType: string, annotations: optional(t.Annotations) }),
    ToolAnnotations: () =>
      object({
        title: optional(string),
        readOnlyHint: optional(boolean),
        destructiveHint: optional(boolean),
        idempotentHint: optional(boolean),
        openWorldHint: optional(boolean),
      }),
  },
  changed: {
    ContentBlock: (_, t) =>
      tagged('type', {
        text: t.TextContent,
        image: t.ImageContent,
        audio: t.AudioContent,
        resource: t.EmbeddedResource,
      }),
    SamplingMessageContentBlock: (_, t) =>
      tagged('type', { text: t.TextContent, image: t.ImageContent, audio: t.AudioContent }),
    Tool: (was, t) => extend(was, { annotations: optional(t.ToolAnnotations) }),
    ProgressNotificationParams: (was) => extend(was, { message: optional(string) }),
    ServerCapabilities: (was) => extend(was, { completions: optional(anyObject) }),
  },
})

/** The vocabulary of 2025-03-26. */
export const vocabulary20250326 = vocabularyOf(definition20250326)
