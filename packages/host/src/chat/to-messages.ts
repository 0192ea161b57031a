import type { FilePart, ModelMessage, TextPart } from 'ai'
import { contentPart, resourcePart, toolOutput } from '../model/content-parts.ts'
import type { ChatEntry, PersonPart } from './entry.ts'
import type { UntrustedMark } from './untrusted.ts'

/** A conversation as a model is given it, with everything marked that servers supplied. */
export function toMessages(entries: readonly ChatEntry[], marks: UntrustedMark): ModelMessage[] {
  return entries.flatMap((entry, at): ModelMessage[] => {
    if (entry.by === 'person') {
      return [{ role: 'user', content: entry.content.flatMap((part) => personParts(part, marks)) }]
    }
    if (entry.by === 'tools') return [{ role: 'tool', content: entry.results.map((one) => resultPart(one, marks)) }]
    const content = entry.content.map((part) =>
      part.type === 'text'
        ? { type: 'text' as const, text: part.text }
        : { type: 'tool-call' as const, toolCallId: part.id, toolName: part.name, input: part.arguments },
    )
    if (content.length === 0) return []
    const said: ModelMessage = { role: 'assistant', content }
    const open = entries[at + 1]?.by === 'tools' ? [] : entry.content.filter((part) => part.type === 'tool call')
    if (open.length === 0) return [said]
    // a host that was killed could not write down the outcomes of its calls, and models want a result of each
    return [said, { role: 'tool', content: open.map((call) => resultPart({ ...call, ...unknownResult }, marks)) }]
  })
}

const unknownResult = {
  isError: true,
  content: [{ type: 'text', text: 'The host ended before the result came; the call may have run' }],
}

function personParts(part: PersonPart, marks: UntrustedMark): (TextPart | FilePart)[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'resource') {
    const intro = { type: 'text' as const, text: `I attach the resource ${part.uri}:` }
    return [intro, ...part.contents.map((one) => marked(resourcePart(one), part.uri, marks))]
  }
  // a person chose the prompt, and its embedded content is still of its server
  return part.blocks.map((block) =>
    block.type === 'text' ? contentPart(block) : marked(contentPart(block), `prompt ${part.name}`, marks),
  )
}

function resultPart(
  { id, name, isError, content, from = `tool ${name}` }: Extract<ChatEntry, { by: 'tools' }>['results'][number],
  marks: UntrustedMark,
) {
  const blocks = content.map((block) => {
    const part = contentPart(block)
    return part.type === 'text' ? { type: 'text', text: marks.mark(part.text, from) } : block
  })
  return { type: 'tool-result' as const, toolCallId: id, toolName: name, output: toolOutput(blocks, isError) }
}

function marked(part: TextPart | FilePart, from: string, marks: UntrustedMark): TextPart | FilePart {
  return part.type === 'text' ? { type: 'text', text: marks.mark(part.text, from) } : part
}
