import type { Fields } from '@trunkline/mcp'
import { compile, describeProblems } from '@trunkline/mcp/json-schema'
import { failure } from '../act/refused.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Entry } from '../catalogue/entry.ts'
import { SearchIndex } from '../catalogue/search.ts'
import { type View, visibleEntries } from './view.ts'

const usualHits = 10
const maxHits = 50
/** Characters of definitions in one answer; the best come first. */
const maxAnswerLength = 64 * 1024

/** The tool with which a model finds tools that are not listed. */
export const searchTool = {
  name: 'search_tools',
  title: 'Search tools',
  description: 'Finds tools by words of their names, descriptions and parameters. Call what it finds with call_tool.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 500, description: 'What the tool should do, in a few words.' },
      limit: { type: 'integer', minimum: 1, maximum: maxHits, description: `How many. Default: ${usualHits}.` },
    },
    required: ['query'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const satisfies Fields

/** The tool with which a model calls a tool that it found. */
export const callTool = {
  name: 'call_tool',
  title: 'Call a tool',
  description: 'Calls a tool that search_tools found, with arguments that fit its inputSchema.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the tool.' },
      arguments: { type: 'object', description: 'The arguments of the tool.' },
    },
    required: ['name'],
    additionalProperties: false,
  },
} as const satisfies Fields

interface ToolItem {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: readonly string[]
  readonly entry: Entry
}

interface Indexed {
  readonly entries: readonly Entry[]
  readonly index: SearchIndex<ToolItem>
}

const problemsOfSearch = compile(searchTool.inputSchema)
const problemsOfCall = compile(callTool.inputSchema)

/** Finds tools of a view by words. */
export class ToolSearch {
  readonly #catalogue: Catalogue
  readonly #indexes = new WeakMap<View, Indexed>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** The tools that fit best, with their schemas for a call. */
  find(args: Fields, view: View, hidden: ReadonlySet<ServerKey> = new Set()): Fields {
    const problems = problemsOfSearch(args)
    if (problems.length > 0) return failure(`Cannot search tools: ${describeProblems(problems)}`)
    const { query, limit = usualHits } = args as { readonly query: string; readonly limit?: number }
    const { index, entries } = this.#indexed(view)
    // one index serves all callers, so hidden servers are left out of the results
    const isShown = ({ server }: Entry): boolean => !hidden.has(server)
    const found = index.search(query, hidden.size === 0 ? limit : entries.length)
    const hits = found.filter(({ item }) => isShown(item.entry)).slice(0, limit)
    if (hits.length === 0) return { content: [{ type: 'text', text: nothing(query, entries.filter(isShown).length) }] }
    return {
      content: [
        {
          type: 'text',
          text: JSON.stringify({
            tools: fitting(
              hits.map((hit) => hit.item),
              view,
            ),
          }),
        },
      ],
    }
  }

  /** Made anew only when something else is offered. */
  #indexed(view: View): Indexed {
    const entries = visibleEntries(view, this.#catalogue, 'tool')
    const known = this.#indexes.get(view)
    const isSame = known?.entries.length === entries.length && known.entries.every((entry, at) => entry === entries[at])
    if (known && isSame) return known
    const indexed = { entries, index: new SearchIndex(entries.map((entry) => itemOf(entry, view))) }
    this.#indexes.set(view, indexed)
    return indexed
  }
}

/** The params of the tool that `call_tool` was given; undefined if its arguments are not valid. */
export function innerCall(params: Fields): Fields | undefined {
  const args = (params.arguments ?? {}) as Fields
  if (problemsOfCall(args).length > 0) return undefined
  return { ...params, name: args.name, arguments: args.arguments ?? {} }
}

/** Failure of a `call_tool` that called no tool. */
export function calledNothing(args: Fields): Fields {
  const problems = problemsOfCall(args)
  if (problems.length > 0) return failure(`Cannot call a tool: ${describeProblems(problems)}`)
  return failure(`Cannot call tool "${args.name}": no such tool here; find its name with search_tools`)
}

function itemOf(entry: Entry, view: View): ToolItem {
  const { title = '', description = '', inputSchema = {} } = entry.definition as { [name: string]: Fields }
  const { properties = {} } = inputSchema as { readonly properties?: Fields }
  return {
    name: entry[view.naming],
    title: String(title),
    description: String(description),
    parameters: Object.keys(properties),
    entry,
  }
}

function fitting(items: readonly ToolItem[], view: View): readonly Fields[] {
  let left = maxAnswerLength
  return items
    .map(({ entry }) => {
      const { name, title, description, inputSchema } = view.show(entry)
      return { name, title, description, inputSchema }
    })
    .filter((tool, at) => {
      left -= JSON.stringify(tool).length
      return at === 0 || left >= 0
    })
}

function nothing(query: string, count: number): string {
  return `No tool of ${count} fits ${JSON.stringify(query)}; try other words`
}
