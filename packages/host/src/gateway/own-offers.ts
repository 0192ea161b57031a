import { type Fields, RpcError } from '@trunkline/mcp'
import { compile, describeProblems } from '@trunkline/mcp/json-schema'
import type { Act, Principal } from '../acts/act.ts'
import { type ActHandler, failure } from '../acts/outcome.ts'
import { readResultTool, readSpill } from '../spills/read-spill.ts'
import { contentsOf, parseSpillUri } from '../spills/spill-parts.ts'
import type { Spills } from '../spills/spills.ts'

/** The name under which rules and the ledger know what the host does itself. */
export const ownServer = 'trunkline'

/** What the host offers itself, on every address: large results that were kept aside. */
export interface OwnOffers {
  /** What acts of the host itself go through. */
  readonly stack: ActHandler
  /** The tools that a principal is offered at the moment. */
  tools(principal: Principal): readonly (Fields & { readonly name: string })[]
  /** Whether a name is one of its tools, offered at the moment or not. */
  has(name: string): boolean
  /** Whether an address is one of its resources. */
  owns(uri: string): boolean
  /** Calls back when a principal is offered other tools, until the returned function is called. */
  onChange(principal: Principal, listener: () => void): () => void
}

/** The host's own offers; `stacked` puts in front of them what every act goes through. */
export function ownOffers(spills: Spills, stacked: (does: ActHandler) => ActHandler): OwnOffers {
  return {
    stack: stacked(async ({ act }) => (act.kind === 'read' ? readAll(act, spills) : readLines(act, spills))),
    // a tool that has nothing to read would cost tokens in every conversation
    tools: ({ id }) => (spills.has(id) ? [readResultTool] : []),
    has: (name) => name === readResultTool.name,
    owns: (uri) => parseSpillUri(uri) !== undefined,
    onChange: ({ id }, listener) => spills.onChange((changed) => changed === id && listener()),
  }
}

function readAll({ target, principal }: Act, spills: Spills): Fields {
  const { id = '', part } = parseSpillUri(target) ?? {}
  const spill = spills.find(principal.id, id)
  const contents = spill && contentsOf(spill, part)
  if (!contents) throw new RpcError(-32002, `Cannot find resource "${target}": ${unknown}`)
  return { contents }
}

const problemsOf = compile(readResultTool.inputSchema)

function readLines({ arguments: args, principal }: Act, spills: Spills): Fields {
  const problems = problemsOf(args)
  if (problems.length > 0) return failure(`Cannot read a result: ${describeProblems(problems)}`)
  const { id, from = 1, lines = 200, search } = args as { id: string; from?: number; lines?: number; search?: string }
  const spill = spills.find(principal.id, parseSpillUri(id)?.id ?? id)
  return spill ? readSpill(spill, { from, lines, search }) : failure(`Cannot read result "${id}": ${unknown}`)
}

/** The same words for what never was, what is gone and what is somebody else's. */
const unknown = 'it is unknown, or was forgotten meanwhile'
