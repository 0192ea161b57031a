import type { Server } from '@trunkline/mcp'

const changed = 'Changed the list'

/** Tools that change what the server offers while clients watch. */
export function offerChanges(app: Server): void {
  app.tool('test_dynamic_tool', { description: 'Comes and goes' }, () => 'Still here')
  app.prompt('test_dynamic_prompt', { description: 'Comes and goes' }, () => 'Still here')

  app.tool('test_trigger_tool_change', { description: 'Makes a tool come or go' }, () => {
    if (app.tools.has('test_dynamic_tool')) app.tools.disable('test_dynamic_tool')
    else app.tools.enable('test_dynamic_tool')
    return changed
  })

  app.tool('test_trigger_prompt_change', { description: 'Makes a prompt come or go' }, () => {
    if (app.prompts.has('test_dynamic_prompt')) app.prompts.disable('test_dynamic_prompt')
    else app.prompts.enable('test_dynamic_prompt')
    return changed
  })
}
