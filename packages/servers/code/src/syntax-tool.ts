import { extname } from 'node:path'
import { reply } from '@trunkline/mcp'
import { cutText, maxThingTokens } from '@trunkline/server-kit/cut-text'
import { listReply } from '@trunkline/server-kit/list'
import { explained } from '@trunkline/server-kit/tool-problem'
import { type CodeOffers, onlyReads } from './code-offers.ts'
import { pageOf } from './page.ts'
import { allowedOf, type CodeSetup, projectOf } from './setup.ts'
import type { SyntaxTrees } from './syntax.ts'
import { readTextFile } from './text-files.ts'

/** Offers the tool that shows syntax trees; it starts no program. */
export function offerSyntax(code: CodeOffers, setup: CodeSetup, trees: SyntaxTrees): void {
  code.tool(
    'get_syntax',
    {
      description: 'Syntax tree of lines of a file, or the captures of a tree-sitter query. Needs no language server.',
      annotations: onlyReads,
      input: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          from: { type: 'integer', minimum: 1, default: 1 },
          // no default: a query looks at the whole file
          lines: { type: 'integer', minimum: 1, maximum: 2_000, description: 'Default 100; with a query all' },
          query: { type: 'string', minLength: 1, maxLength: 4_000 },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
    explained(async ({ path: given, from = 1, lines, query }, ctx) => {
      const { path, text } = await readTextFile(await allowedOf(setup, ctx), given, setup.limits.maxFileBytes)
      const request = { path, text, from, lines: lines ?? (query === undefined ? 100 : 1_000_000) }
      const shown = projectOf(setup, path).shown(path)
      if (query !== undefined) {
        const { first, total } = await trees.captures(request, query)
        const { items } = await pageOf(first, { limit: first.length, cursor: undefined, query }, (one) => one)
        const notes = items.length < total ? ['for the others name "from" and "lines"'] : []
        return listReply({ items, total, notes }, ({ name, line, text: captured }) => `${line}: @${name} ${captured}`)
      }
      const all = await trees.outline(request)
      const { text: tree, linesLeft } = cutText(all, maxThingTokens - 100)
      const more = linesLeft === 0 ? '' : `\n[${linesLeft} more nodes: ask for fewer lines, or with a query]`
      return reply(tree + more, { structured: { path: shown, language: extname(path).slice(1), tree: tree + more } })
    }),
  )
}
