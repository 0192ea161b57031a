import { estimateTokens } from '../model/estimate-tokens.ts'
import type { ModelTool } from '../model/model-request.ts'

export interface ToolChoice {
  readonly maxTools: number
  /** Tokens that all of them may take. */
  readonly maxTokens: number
  /** The server of a tool; undefined if it is not known. */
  serverOf?(name: string): string | undefined
}

/** Tools of a server that a model is not told of. */
export interface LeftOutTools {
  readonly server: string
  readonly count: number
}

export interface ChosenTools {
  readonly tools: readonly ModelTool[]
  readonly count: number
  /** Those left out by server, most first; empty if servers are not known. */
  readonly servers: readonly LeftOutTools[]
}

/**
 * Chooses the tools that a model is told of. Servers take turns, so that one with thousands of tools leaves the others
 * theirs; the tools stay in their order.
 */
export function chooseTools(all: readonly ModelTool[], { maxTools, maxTokens, serverOf }: ToolChoice): ChosenTools {
  const byServer = new Map<string, ModelTool[]>()
  for (const tool of all) {
    const server = serverOf?.(tool.name) ?? ''
    const tools = byServer.get(server)
    if (tools) tools.push(tool)
    else byServer.set(server, [tool])
  }
  const chosen = new Set<ModelTool>()
  let tokens = 0
  for (let turn = 0; chosen.size < Math.min(maxTools, all.length); turn++) {
    const before = chosen.size
    for (const tools of byServer.values()) {
      const tool = tools[turn]
      if (!tool || chosen.size >= maxTools) continue
      tokens += estimateTokens({ messages: [], tools: [tool] })
      if (tokens > maxTokens) return told(all, chosen, byServer)
      chosen.add(tool)
    }
    if (chosen.size === before) break
  }
  return told(all, chosen, byServer)
}

function told(
  all: readonly ModelTool[],
  chosen: ReadonlySet<ModelTool>,
  byServer: ReadonlyMap<string, readonly ModelTool[]>,
): ChosenTools {
  const servers = [...byServer]
    .map(([server, tools]) => ({ server, count: tools.filter((tool) => !chosen.has(tool)).length }))
    .filter(({ server, count }) => server !== '' && count > 0)
    .sort((one, other) => other.count - one.count)
  return { tools: all.filter((tool) => chosen.has(tool)), count: all.length - chosen.size, servers }
}
