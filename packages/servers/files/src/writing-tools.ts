import { reply, type Server } from '@trunkline/mcp'
import { allowedFor } from '@trunkline/server-kit/folders'
import { editText } from './edit-text.ts'
import { readWhole } from './read-part.ts'
import { FileRefusal } from './refusal.ts'
import type { FilesSetup } from './setup.ts'
import { textOfBytes } from './text-or-bytes.ts'
import { unifiedDiff } from './unified-diff.ts'
import { writeInside } from './write-inside.ts'

const path = { type: 'string', description: 'Absolute, or relative to the first directory' } as const
const hash = {
  type: 'string',
  description: 'The hash of the content that was read; it is refused when the file was changed since',
} as const

/** Offers the tools that change files. */
export function offerWriting(files: Server, setup: FilesSetup): void {
  offerWriteFile(files, setup)
  offerEditFile(files, setup)
}

function offerWriteFile(files: Server, { folders, limits }: FilesSetup): void {
  files.tool(
    'write_file',
    {
      description: 'Writes a file, whole: a new one, or in place of what it held.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      input: {
        type: 'object',
        properties: {
          path,
          content: { type: 'string' },
          encoding: { enum: ['utf8', 'base64'], default: 'utf8' },
          hash,
        },
        required: ['path', 'content'],
        additionalProperties: false,
      },
    },
    async ({ path: given, content, encoding = 'utf8', hash: over }, ctx) => {
      const allowed = await allowedFor(folders, ctx)
      const bytes = Buffer.from(content, encoding)
      const written = await writeInside(allowed, given, { bytes, over, limits })
      return reply(`Wrote ${bytes.length} bytes`, { structured: { bytes: bytes.length, hash: written } })
    },
  )
}

function offerEditFile(files: Server, { folders, limits }: FilesSetup): void {
  files.tool(
    'edit_file',
    {
      description: 'Replaces parts of a text file and shows the difference; with "preview" nothing is written.',
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      input: {
        type: 'object',
        properties: {
          path,
          edits: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              properties: {
                find: { type: 'string', minLength: 1, description: 'What stands there, as it is' },
                replace: { type: 'string' },
                all: {
                  type: 'boolean',
                  default: false,
                  description: 'Wherever it stands; else it must stand there once',
                },
              },
              required: ['find', 'replace'],
              additionalProperties: false,
            },
          },
          preview: { type: 'boolean', default: false },
          hash,
        },
        required: ['path', 'edits'],
        additionalProperties: false,
      },
    },
    async ({ path: given, edits, preview = false, hash: over }, ctx) => {
      const allowed = await allowedFor(folders, ctx)
      const before = await readWhole(allowed, given, limits)
      if (over !== undefined && over !== before.hash) {
        throw new FileRefusal(`Cannot edit ${JSON.stringify(given)}: it was changed since it was read; read it again`)
      }
      const text = textOfBytes(before.bytes)
      if (text === undefined) throw new FileRefusal(`Cannot edit ${JSON.stringify(given)}: it is no text`)
      const after = editText(text, edits)
      const difference = unifiedDiff(given, text, after)
      if (preview) return reply(difference, { structured: { written: false, hash: before.hash } })
      const written = await writeInside(allowed, given, { bytes: Buffer.from(after), over: before.hash, limits })
      return reply(difference, { structured: { written: true, hash: written } })
    },
  )
}
