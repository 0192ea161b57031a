import { reply, type Server, text } from '@trunkline/mcp'
import type { ProgramTool } from './description.ts'
import type { RunningPrograms } from './running-programs.ts'

/** Lets callers send running programs the signals that their descriptions declare. */
export function offerSignals(wrapped: Server, tools: readonly ProgramTool[], running: RunningPrograms): void {
  const sendable = new Map(
    tools.flatMap(({ name, signals = [] }) => (signals.length > 0 ? [[name, signals] as const] : [])),
  )
  if (sendable.size === 0) return
  const told = [...sendable].map(([name, signals]) => `${name}: ${signals.join(', ')}`).join('; ')
  const definition = {
    description: `Sends a signal to a program while it runs. ${told}`,
    input: {
      type: 'object',
      properties: {
        tool: { type: 'string', enum: [...sendable.keys()] },
        signal: { type: 'string', enum: [...new Set([...sendable.values()].flat())] },
      },
      required: ['tool', 'signal'],
      additionalProperties: false,
    },
  }
  wrapped.tool(
    tools.some(({ name }) => name === 'send_signal') ? 'send_signal_to' : 'send_signal',
    definition,
    (given) => {
      const { tool, signal } = given as { readonly tool: string; readonly signal: NodeJS.Signals }
      if (!sendable.get(tool)?.includes(signal))
        return reply(text(`Cannot send ${signal} to ${tool}: its description does not declare it`), { isError: true })
      const sent = running.signal(tool, signal)
      return sent > 0 ? { sent } : reply(text(`Cannot send ${signal} to ${tool}: none of it runs`), { isError: true })
    },
  )
}
