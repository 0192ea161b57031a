import type { Server } from '@trunkline/mcp'

const changed = 'Changed the list'

/** Tools that change what the server offers while clients watch; all is back at the end, because other processes of a cluster offer the same. */
export function offerChanges(app: Server): void {
  app.tool('test_dynamic_tool', { description: 'Goes and comes back' }, () => 'Still here')
  app.prompt('test_dynamic_prompt', { description: 'Goes and comes back' }, () => 'Still here')

  app.tool('test_trigger_tool_change', { description: 'Makes a tool go and come back' }, () => {
    app.tools.disable('test_dynamic_tool')
    app.tools.enable('test_dynamic_tool')
    return changed
  })

  app.tool('test_trigger_prompt_change', { description: 'Makes a prompt go and come back' }, () => {
    app.prompts.disable('test_dynamic_prompt')
    app.prompts.enable('test_dynamic_prompt')
    return changed
  })
}
