import { type Context, reply } from '@trunkline/mcp'
import { cutText } from '@trunkline/server-kit/cut-text'
import { quoted } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { type GithubServer, type GithubSetup, meantWords, readingHints, repoArgument } from './github-setup.ts'
import { readRepoFile, textOf } from './read-file.ts'
import { checkedRef, fullName, githubUri, parseFile } from './references.ts'

/** Offers the tool that reads a file. */
export function offerFile(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'get_file',
    {
      description: 'Reads lines of a file, or lists a folder, without a clone.',
      annotations: readingHints,
      input: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Path or link' },
          repo: repoArgument,
          ref: { type: 'string', description: 'Default: the default branch' },
          from: { type: 'integer', minimum: 1, default: 1 },
          lines: { type: 'integer', minimum: 1, maximum: 2_000, default: 500 },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
    explained(async ({ path: given, repo: named, ref, from = 1, lines = 500 }, ctx: Context) => {
      const place = parseFile(given, setup.api.webHost)
      const meant = await setup.open(ctx, place.repo ?? named)
      const at = ref ?? place.ref
      if (at !== undefined) checkedRef(at)
      const file = await readRepoFile(setup, meant, { path: place.path, ref: at })
      const where = `${meantWords(meant)}: ${place.path || '/'}`
      if (file.kind === 'folder') {
        const { text, linesLeft } = cutText(file.entries.join('\n'), 2_200)
        const structured = { repo: fullName(meant), text, hasMore: linesLeft > 0 }
        return reply(`${where}\n${text}${linesLeft > 0 ? `\n[${linesLeft} more entries]` : ''}`, { structured })
      }
      const text = textOf(file.bytes)
      if (text === undefined)
        throw new ToolProblem(
          'refused',
          `Cannot show ${quoted(place.path)}: it is no text (${file.bytes.length} bytes)`,
          {
            next: `Read its bytes as ${githubUri(meant, 'file', at ?? 'HEAD', place.path)}`,
          },
        )
      const all = text.split('\n')
      const wanted = all.slice(from - 1, from - 1 + lines)
      const { text: shown, linesLeft } = cutText(wanted.join('\n'), 2_200)
      const next = Math.max(from + 1, from + wanted.length - linesLeft)
      const hasMore = next <= all.length
      const structured = { repo: fullName(meant), text: shown, sha: file.sha, hasMore, ...(hasMore && { next }) }
      const more = hasMore ? `\n[${all.length - next + 1} more lines: "from": ${next}]` : ''
      return reply(`${shown}${more}\n[${where}, ${file.sha.slice(0, 12)}]`, { structured })
    }),
  )
}
