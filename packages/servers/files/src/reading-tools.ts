import { embed, reply, type Server } from '@trunkline/mcp'
import { allowedFor } from '@trunkline/server-kit/folders'
import { listFolder, showEntry } from './list-folder.ts'
import { readLines, readWhole } from './read-part.ts'
import { FileRefusal } from './refusal.ts'
import { findNames, findText } from './search.ts'
import { type FilesSetup, uriOf } from './setup.ts'
import { mimeTypeOf } from './text-or-bytes.ts'

const reads = { readOnlyHint: true, openWorldHint: false } as const
const path = { type: 'string', description: 'Absolute, or relative to the first directory' } as const
const folder = { ...path, default: '.' } as const

/** Offers the tools that change nothing. */
export function offerReading(files: Server, setup: FilesSetup): void {
  offerReadFile(files, setup)
  offerSearches(files, setup)
  files.tool(
    'list_directory',
    {
      description: 'Lists what stands in a directory.',
      annotations: reads,
      input: { type: 'object', properties: { path: folder }, additionalProperties: false },
    },
    async ({ path: given }, ctx) => {
      const { entries, more } = await listFolder(await allowedFor(setup.folders, ctx), given ?? '.', setup.limits)
      const lines = [...entries.map(showEntry), ...(more === 0 ? [] : [`and ${more} more`])]
      return reply(lines.length === 0 ? 'The directory is empty' : lines.join('\n'))
    },
  )
}

function offerReadFile(files: Server, { folders, limits }: FilesSetup): void {
  files.tool(
    'read_file',
    {
      description:
        'Reads a text file, or some lines of it; any other file comes as bytes. The result tells the hash that writing it back needs.',
      annotations: reads,
      input: {
        type: 'object',
        properties: {
          path,
          from: { type: 'integer', minimum: 1, default: 1, description: 'The first line' },
          lines: { type: 'integer', minimum: 1, maximum: limits.maxReadLines, default: limits.maxReadLines },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
    async ({ path: given, from = 1, lines = limits.maxReadLines }, ctx) => {
      const allowed = await allowedFor(folders, ctx)
      const part = await readLines(allowed, given, { from, lines, maxReadBytes: limits.maxReadBytes })
      const whole = await readWhole(allowed, given, limits).catch(() => undefined)
      const meta = { ...(whole !== undefined && { 'dev.trunkline/hash': whole.hash }) }
      if (part !== undefined) {
        const more = part.hasMore ? `\n[lines ${part.from} to ${part.to}; go on with "from": ${part.to + 1}]` : ''
        const structured = {
          from: part.from,
          to: part.to,
          hasMore: part.hasMore,
          ...(whole !== undefined && { hash: whole.hash }),
        }
        return reply(part.text + more, { structured, meta })
      }
      if (whole === undefined)
        throw new FileRefusal(`Cannot read ${JSON.stringify(given)}: it is no text, and too large to be sent whole`)
      return reply([embed(uriOf(whole.path), whole.bytes, mimeTypeOf(whole.path, false))], { meta })
    },
  )
}

function offerSearches(files: Server, { folders, limits }: FilesSetup): void {
  files.tool(
    'find_files',
    {
      description: 'Finds files by their names: *.md, src/**/*.test.ts.',
      annotations: reads,
      input: {
        type: 'object',
        properties: { pattern: { type: 'string', minLength: 1 }, path: folder },
        required: ['pattern'],
        additionalProperties: false,
      },
    },
    async ({ pattern, path: given = '.' }, ctx) => {
      const allowed = await allowedFor(folders, ctx)
      const { files: found, isCut } = await findNames(allowed, { pattern, path: given, limits, signal: ctx.signal })
      const more = isCut ? [`[the first ${found.length}; there are more]`] : []
      return found.length === 0 ? 'No file fits' : [...found, ...more].join('\n')
    },
  )
  files.tool(
    'search_text',
    {
      description: 'Finds the lines that hold a text, in all files or in those whose names fit.',
      annotations: reads,
      input: {
        type: 'object',
        properties: {
          text: { type: 'string', minLength: 1 },
          path: folder,
          files: {
            type: 'string',
            minLength: 1,
            default: '*',
            description: 'Only files whose names fit: *.ts, docs/**',
          },
          ignoreCase: { type: 'boolean', default: false },
        },
        required: ['text'],
        additionalProperties: false,
      },
    },
    async ({ text, path: given = '.', files: names = '*', ignoreCase = false }, ctx) => {
      const allowed = await allowedFor(folders, ctx)
      const found = await findText(allowed, { text, path: given, files: names, ignoreCase, limits, signal: ctx.signal })
      const lines = found.matches.map(({ file, line, text: shown }) => `${file}:${line}: ${shown}`)
      const notes = [
        ...(found.isCut ? [`[the first ${lines.length}; there are more]`] : []),
        ...found.tooLarge.map((file) => `[${file} was not looked into: it is too large or cannot be read]`),
      ]
      return lines.length + notes.length === 0 ? 'Nothing was found' : [...lines, ...notes].join('\n')
    },
  )
}
