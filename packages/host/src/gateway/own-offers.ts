import { type Fields, RpcError } from '@trunkline/mcp'
import { compile, describeProblems } from '@trunkline/mcp/json-schema'
import type { Act, Principal } from '../act/act.ts'
import { failure } from '../act/refused.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { ActHandler } from '../acts/doing.ts'
import { cameFrom } from '../acts/note-sources.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { searchesTools } from '../clients/clients.ts'
import { pipeTool } from '../pipe/pipe-tool.ts'
import type { Pipes } from '../pipe/pipes.ts'
import type { Taints } from '../policy/taints.ts'
import { howToRead, LargeResult, maxContentBytesOf, type ResultLimits } from '../relay/spills/large-result.ts'
import { readRange } from '../relay/spills/read-range.ts'
import { readResultTool, readSpill } from '../relay/spills/read-spill.ts'
import { bytesOver } from '../relay/spills/result-size.ts'
import { contentsOf, isSpillUri, parseSpillUri } from '../relay/spills/spill-parts.ts'
import type { Spills } from '../relay/spills/spills.ts'
import { hiddenServers } from './hidden-servers.ts'
import { type PipeCallParts, pipeRequest } from './pipe-request.ts'
import { calledNothing, callTool, innerCall, searchTool, ToolSearch } from './tool-search.ts'
import type { View } from './view.ts'

/** The name of the host's own acts in rules and in the ledger. */
export const ownServer = 'trunkline'

/** Tools and resources of the host itself: large results kept aside, plans of calls, and a search for tools. */
export interface OwnOffers {
  /** The stack of acts that the host does itself. */
  stack(view: View, target: string): ActHandler
  /** The tools that a principal is offered at the moment. */
  tools(principal: Principal, view: View): readonly (Fields & { readonly name: string })[]
  /** True if the tools of servers are not listed for a principal, because it finds them by searching. */
  hides(principal: Principal, view: View): boolean
  /** True if a name is one of its tools, offered at the moment or not. */
  has(name: string, view: View): boolean
  /** The params of the inner call, if a tool is called through another. */
  unwrapped(params: Fields, view: View): Fields
  /** True if an address is one of its resources. */
  owns(uri: string): boolean
  /** Calls back when a principal is offered other tools, until the returned function is called. */
  onChange(principal: Principal, listener: () => void): () => void
}

export interface OwnOfferParts extends PipeCallParts, ResultLimits {
  readonly spills: Spills
  readonly catalogue: Catalogue
  readonly taints: Taints
  readonly pipes: Pipes
  /** True if the principal of an act may see a server in lists. */
  mayList(act: Act): boolean
}

/** Stacks of acts that the host does itself. */
export interface OwnStacks {
  own(does: ActHandler): ActHandler
  plan(does: ActHandler): ActHandler
}

/** The host's own offers; `stacks` puts the layers of every act in front of them. */
export function ownOffers(parts: OwnOfferParts, stacks: OwnStacks): OwnOffers {
  const { spills, catalogue, taints, pipes } = parts
  const search = new ToolSearch(catalogue)
  const isSearched = (view: View) => view.isSearched?.() === true
  const hides = ({ name }: Principal, view: View) => isSearched(view) && !searchesTools(name)
  const run = async (act: Act, view: View): Promise<Fields> => {
    if (act.kind === 'read') return readAll(act, parts)
    if (act.target === searchTool.name) return search.find(act.arguments, view, hiddenFrom(act, view, parts))
    return act.target === callTool.name ? calledNothing(act.arguments) : readLines(act, spills, taints)
  }
  return {
    stack: (view, target) =>
      target === pipeTool.name
        ? stacks.plan((doing) =>
            pipeRequest(doing, view, parts).run((request) => pipes.answer(doing.act.arguments, request)),
          )
        : stacks.own(({ act }) => run(act, view)),
    tools: (principal, view) => [
      ...(hides(principal, view) ? [searchTool, callTool] : []),
      ...(view.listsPipe?.() === true ? [pipeTool] : []),
      // a tool that has nothing to read would cost tokens in every conversation
      ...(spills.has(principal.id) ? [readResultTool] : []),
    ],
    hides,
    has: (name, view) =>
      name === readResultTool.name ||
      name === pipeTool.name ||
      (isSearched(view) && (name === searchTool.name || name === callTool.name)),
    unwrapped: (params, view) =>
      (params.name === callTool.name && isSearched(view) ? innerCall(params) : undefined) ?? params,
    owns: isSpillUri,
    onChange: ({ id }, listener) => spills.onChange((changed) => changed === id && listener()),
  }
}

/** Servers that a search may not find, because the lists of its principal do not show them. */
function hiddenFrom(act: Act, view: View, { mayList }: OwnOfferParts): ReadonlySet<ServerKey> {
  return hiddenServers({ ...act, kind: 'list', target: 'list', arguments: {} }, view.servers(), mayList)
}

async function readAll(act: Act, parts: OwnOfferParts): Promise<Fields> {
  const { spills, taints } = parts
  const { target, principal } = act
  const { id = '', part, query } = parseSpillUri(target) ?? {}
  if (query !== undefined) return readPart(act, { id, query }, spills, taints)
  const spill = spills.find(principal.id, id)
  const contents = spill && contentsOf(spill, part)
  if (!contents) throw new RpcError(-32002, `Cannot find resource "${target}": ${unknown}`)
  const maxBytes = maxContentBytesOf(parts, [spill.server, act.project])
  const bytes = bytesOver({ contents }, maxBytes)
  if (bytes !== undefined) {
    const where = `Its id is "${id}". ${howToRead(id)}.`
    throw new LargeResult(`resource "${target}"`, { bytes, maxBytes }, { where, id })
  }
  return cameFrom(spill.server, { contents }, act, taints)
}

async function readPart(
  act: Act,
  { id, query }: { readonly id: string; readonly query: string },
  spills: Spills,
  taints: Taints,
): Promise<Fields> {
  const whole = spills.whole(act.principal.id, id)
  if (!whole) throw new RpcError(-32002, `Cannot find resource "${act.target}": ${unknown}`)
  return cameFrom(whole.server, { contents: [{ uri: act.target, ...readRange(whole, query) }] }, act, taints)
}

const problemsOf = compile(readResultTool.inputSchema)

async function readLines(act: Act, spills: Spills, taints: Taints): Promise<Fields> {
  const { arguments: args, principal } = act
  const problems = problemsOf(args)
  if (problems.length > 0) return failure(`Cannot read a result: ${describeProblems(problems)}`)
  const { id, from = 1, lines = 200, search } = args as { id: string; from?: number; lines?: number; search?: string }
  const spill = spills.find(principal.id, parseSpillUri(id)?.id ?? id)
  if (!spill) return failure(`Cannot read result "${id}": ${unknown}`)
  return cameFrom(spill.server, readSpill(spill, { from, lines, search }), act, taints)
}

/** The same words for a result that never existed, was deleted or belongs to another principal. */
const unknown = 'it is unknown, or was forgotten meanwhile'
