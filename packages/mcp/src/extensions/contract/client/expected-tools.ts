import type { ClientHost } from '../../../client/extension.ts'
import type { Tool } from '../../../model/types.ts'
import { McpError } from '../../../wire/errors.ts'
import { definitionHash } from '../definition-hash.ts'
import { type Narrowing, schemaNarrowings } from '../schema-narrowings.ts'

/** Tells whether a tool still is what a caller was made for, from the lists of one server. */
export class ExpectedTools {
  readonly #host: ClientHost
  #listed: Promise<ReadonlyMap<string, Tool>> | undefined
  #listedAt = 0

  constructor(host: ClientHost) {
    this.#host = host
  }

  /** The tools may be others now. */
  forget(): void {
    this.#listed = undefined
  }

  /** The hash to name in the call; rejects when the tool takes less than it did, or answers with more than was known. */
  async hashFor(expected: Tool): Promise<string> {
    const tool = (await this.#tools()).get(expected.name)
    if (!tool) throw misfit(expected.name, [{ at: '', what: 'is not there any more' }])
    const narrowings = [
      ...schemaNarrowings(expected.inputSchema, tool.inputSchema).map((each) => ({ ...each, at: `input${each.at}` })),
      // results have to be what the caller knows how to read
      ...(expected.outputSchema === undefined
        ? []
        : schemaNarrowings(tool.outputSchema ?? true, expected.outputSchema).map((each) => ({
            ...each,
            at: `output${each.at}`,
          }))),
    ]
    if (narrowings.length > 0) throw misfit(expected.name, narrowings)
    return definitionHash(tool)
  }

  /** The definition of a tool, from a list that is at most so old. */
  async find(name: string, maxAgeMs: number): Promise<Tool | undefined> {
    if (performance.now() - this.#listedAt > maxAgeMs) this.forget()
    return (await this.#tools()).get(name)
  }

  #tools(): Promise<ReadonlyMap<string, Tool>> {
    if (this.#listed) return this.#listed
    this.#listedAt = performance.now()
    const listed = this.#list()
    this.#listed = listed
    listed.catch(() => this.forget())
    return listed
  }

  async #list(): Promise<ReadonlyMap<string, Tool>> {
    const tools = new Map<string, Tool>()
    let cursor: unknown
    for (let page = 0; page < this.#host.limits.maxPagesPerList; page++) {
      const result = await this.#host.request('tools/list', cursor === undefined ? {} : { cursor }, { fresh: true })
      for (const tool of result.tools as readonly Tool[]) tools.set(tool.name, tool)
      cursor = result.nextCursor
      if (cursor === undefined) return tools
    }
    throw new McpError('TooMany', 'Cannot list tools: the server has too many pages')
  }
}

function misfit(name: string, narrowings: readonly Narrowing[]): McpError {
  const changes = narrowings.map(({ at, what }) => `${at === '' ? 'it' : at} ${what}`).join('; ')
  return new McpError(
    'Unsupported',
    `Cannot call tool "${name}": it is not what this caller was made for: ${changes}`,
    {
      outcome: 'NotSent',
    },
  )
}
