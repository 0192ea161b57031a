import { server } from '@trunkline/mcp'
import { z } from 'zod'

const entries = new Map<string, string[]>()

/** A diary for many people: each caller sees their own. */
export const diary = server({ name: 'diary', version: '1.0.0' })
  .tool('read', { output: z.object({ entries: z.array(z.string()) }) }, (_, { caller }) => ({
    entries: entries.get(caller.principal ?? '') ?? [],
  }))
  .tool('write', { input: z.object({ text: z.string() }), scopes: ['diary:write'] }, ({ text }, { caller }) => {
    const principal = caller.principal ?? ''
    entries.set(principal, [...(entries.get(principal) ?? []), text])
    return `Dear ${caller.claims?.sub}, it is written`
  })
