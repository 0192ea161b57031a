import type { Server } from '@trunkline/mcp'

const changed = 'Changed the list'

/** Offers that the tools below switch. */
interface Switched {
  has(name: string): boolean
  enable(name: string): void
  disable(name: string): void
}

/** Tools that change what the server offers while clients watch; `inCluster` all is back at the end, because every process offers the same. */
export function offerChanges(app: Server, inCluster: boolean): void {
  app.tool('test_dynamic_tool', { description: 'Comes and goes' }, () => 'Still here')
  app.prompt('test_dynamic_prompt', { description: 'Comes and goes' }, () => 'Still here')

  const change = (offers: Switched, name: string): string => {
    const hadIt = offers.has(name)
    if (hadIt) offers.disable(name)
    if (!hadIt || inCluster) offers.enable(name)
    return changed
  }
  app.tool('test_trigger_tool_change', { description: 'Makes a tool come or go' }, () => {
    return change(app.tools, 'test_dynamic_tool')
  })
  app.tool('test_trigger_prompt_change', { description: 'Makes a prompt come or go' }, () => {
    return change(app.prompts, 'test_dynamic_prompt')
  })
}
